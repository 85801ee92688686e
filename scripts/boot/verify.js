/**
 * The contract check before any load: a server that answers wrongly is not measured.
 * @import { Route } from '../types.js'
 */

import { isDeepStrictEqual } from 'node:util';
import { MeasureError } from '../errors.js';

const ANSWER_MS = 10_000;
const SHOWN = 200;

/**
 * @param {{ url: string, logTail: () => string[] }} instance
 * @param {Route[]} routes
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<void>}
 * @throws {MeasureError} wrong-answer, naming every route and what differed; cancelled
 */
export async function verify(instance, routes, { signal } = {}) {
  const asked = routes.map((route) => differences(instance.url, route, signal));
  const wrong = (await Promise.all(asked)).flat();
  if (signal?.aborted) throw new MeasureError('cancelled', 'cancelled during the check of the answers');
  if (wrong.length > 0) throw new MeasureError('wrong-answer', wrong.join('; '), instance.logTail());
}

/**
 * @param {string} url
 * @param {Route} route
 * @param {AbortSignal} [cancel]
 * @returns {Promise<string[]>}
 */
async function differences(url, { id, method, path, headers, body, expect }, cancel) {
  const late = AbortSignal.timeout(ANSWER_MS);
  try {
    const answer = await fetch(url + path, {
      method,
      headers,
      redirect: 'manual',
      signal: cancel === undefined ? late : AbortSignal.any([late, cancel]),
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    const type = answer.headers.get('content-type')?.split(';')[0]?.trim();
    return [
      answer.status === expect.status ? [] : [`${id}: status ${answer.status}, expected ${expect.status}`],
      expect.type === undefined || type === expect.type
        ? []
        : [`${id}: content type ${type ?? 'missing'}, expected ${expect.type}`],
      expect.body === undefined || text === expect.body
        ? []
        : [`${id}: body ${shown(text)}, expected ${shown(expect.body)}`],
      expect.json === undefined || isDeepStrictEqual(parsed(text), expect.json)
        ? []
        : [`${id}: body ${shown(text)}, expected ${shown(JSON.stringify(expect.json))}`],
    ].flat();
  } catch (error) {
    const { message, cause } = /** @type {Error} */ (error);
    return [`${id}: no answer (${cause instanceof Error ? cause.message : message})`];
  }
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {string} text */
function shown(text) {
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
}
