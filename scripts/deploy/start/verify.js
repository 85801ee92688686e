/**
 * Checks the answers of a server before any load; one that answers wrongly is not measured.
 * @import { Route } from '../../types.js'
 */

import { isDeepStrictEqual } from 'node:util';
import { MeasureError } from '../../model/errors.js';
import { inParallel } from '../../system/parallel.js';

const ANSWER_MS = 10_000;
/** Bounds the memory for the buffers of connections. */
const AT_A_TIME = 8;
/** A longer answer counts as endless. */
const ANSWER_BYTES = 256 * 2 ** 20;
/** Kept of an answer that is compared. */
const KEPT_BYTES = 8 * 2 ** 20;
const SHOWN = 200;

/** @typedef {import('undici').Response} Response */
/** @typedef {(path: string, options: import('undici').RequestInit) => Promise<Response>} Fetch */
/** wrong: differences from the expected answer; status: if it answered. @typedef {{ id: string, wrong: string[], status?: number }} Checked */

/**
 * @param {{ url: string, certificate?: string, logTail: () => string[] }} instance certificate: that it has to present
 * @param {(Omit<Route, 'body'> & { body?: string | Uint8Array })[]} routes
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<void>}
 * @throws {MeasureError} wrong-answer, naming every route and what differed; cancelled
 */
export async function verify(instance, routes, { signal } = {}) {
  if (signal?.aborted) throw new MeasureError('cancelled', 'cancelled while checking the responses');
  const checked = await checkAll(instance, routes, signal);
  if (signal?.aborted) throw new MeasureError('cancelled', 'cancelled while checking the responses');
  const wrong = checked.flatMap((route) => route.wrong);
  if (wrong.length === 0) return;
  const right = checked.filter((route) => route.wrong.length === 0).map(({ id }) => id);
  const isLost = checked.some(({ status, wrong: { length } }) => status === 404 && length > 0);
  const known = isLost && right.length > 0 ? `; it does respond to ${right.join(', ')}` : '';
  throw new MeasureError('wrong-answer', wrong.join('; ') + known, instance.logTail());
}

/**
 * Node's own fetch accepts no certificate, and keeps its connections; these end with the check.
 * @param {Parameters<typeof verify>[0]} instance
 * @param {Parameters<typeof verify>[1]} routes
 * @param {AbortSignal} [signal]
 */
async function checkAll({ url, certificate }, routes, signal) {
  const { Agent, fetch } = await import('undici');
  const dispatcher = new Agent({ connect: { ca: certificate } });
  /** @type {Fetch} */
  const ask = (path, options) => fetch(url + path, { ...options, dispatcher });
  const cancel = () => void dispatcher.destroy();
  signal?.addEventListener('abort', cancel);
  try {
    /** @type {Checked[]} */
    const checked = [];
    await inParallel([...routes.entries()], AT_A_TIME, async ([place, route]) => {
      checked[place] = await check(ask, route);
    });
    return checked;
  } finally {
    signal?.removeEventListener('abort', cancel);
    await dispatcher.destroy();
  }
}

/** @param {Fetch} ask @param {Parameters<typeof verify>[1][number]} route @returns {Promise<Checked>} */
async function check(ask, { id, method, path, headers, body, expect }) {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ANSWER_MS);
  /** @type {Response | undefined} */
  let answer;
  try {
    answer = await ask(path, {
      method,
      headers: asBytes(headers),
      redirect: 'manual',
      signal: late.signal,
      ...(body !== undefined && { body }),
    });
    const isCompared = expect.body !== undefined || expect.json !== undefined;
    const text = await textOf(answer, isCompared ? KEPT_BYTES : 0);
    return {
      id,
      status: answer.status,
      wrong: differences(answer, text, expect).map((each) => `${id}: ${each}`),
    };
  } catch (error) {
    if (error instanceof LargeAnswer) return { id, wrong: [`${id}: ${error.message}`] };
    if (answer && (late.signal.aborted || error instanceof EndlessAnswer)) {
      const type = answer.headers.get('content-type') ?? 'no content type';
      const bound = late.signal.aborted ? `${ANSWER_MS / 1000} s` : `${ANSWER_BYTES / 2 ** 20} MiB`;
      const wrong = `the response (${type}) was still running after ${bound}: streams cannot be load-tested; measure another route`;
      return { id, wrong: [`${id}: ${wrong}`] };
    }
    const { message, cause } = /** @type {Error} */ (error);
    return { id, wrong: [`${id}: no answer (${cause instanceof Error ? cause.message : message})`] };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * UTF-8, as load tools send them; fetch takes each character as one byte.
 * @param {Record<string, string>} headers
 */
function asBytes(headers) {
  return Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]);
}

class EndlessAnswer extends Error {}
class LargeAnswer extends Error {}

/**
 * @param {Response} answer
 * @param {number} kept the most bytes to keep; 0: none
 * @throws {EndlessAnswer | LargeAnswer}
 */
async function textOf({ body, headers }, kept) {
  const announced = Number(headers.get('content-length') ?? 0);
  // An answer to HEAD has a length, but no body.
  if (body && announced > ANSWER_BYTES) {
    await body.cancel();
    throw new LargeAnswer(
      `the response has ${announced} bytes, more than ${ANSWER_BYTES / 2 ** 20} MiB; measure another route`,
    );
  }
  /** @type {Uint8Array[]} */
  const chunks = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES) throw new EndlessAnswer();
    if (kept === 0) continue;
    if (bytes > kept)
      throw new LargeAnswer(
        `the response has more than ${kept / 2 ** 20} MiB, too much to be compared; remove \`body\` and \`json\` from its \`expect\``,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** @param {Response} answer @param {string} text its body @param {Route['expect']} expect @returns {string[]} */
function differences({ status, headers }, text, expect) {
  // Further differences of an error page add nothing.
  if (status !== expect.status)
    return [`status ${status}, expected ${expect.status}${hintFor(status, headers)}`];
  const type = headers.get('content-type')?.split(';')[0]?.trim();
  return [
    expect.type === undefined || type === expect.type
      ? []
      : [`content type ${type ?? 'missing'}, expected ${expect.type}`],
    expect.body === undefined || text === expect.body
      ? []
      : [`body ${shown(text)}, expected ${shown(expect.body)}`],
    expect.json === undefined || isDeepStrictEqual(parsed(text), expect.json)
      ? []
      : [`body ${shown(text)}, expected ${shown(JSON.stringify(expect.json))}`],
  ].flat();
}

/** @param {number} status @param {Response['headers']} headers @returns {string} what to do */
function hintFor(status, headers) {
  const to = headers.get('location');
  if (status >= 300 && status < 400 && to) return `: it redirects to ${shown(to)}; measure that path`;
  if (status === 401 || status === 403) return ': give the route the credentials it needs under `headers:`';
  if (status === 404) return ': there is no such route';
  if (status === 405) return ': the route needs another `method:`';
  return '';
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
