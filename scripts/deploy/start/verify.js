/** @import { Answer, Route } from '../../types.js' */

import { isDeepStrictEqual } from 'node:util';
import { defined } from '../../model/defined.js';
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
/** @typedef {{ signal?: AbortSignal, answerMs?: number }} Bounds */
/** wrong: differences from the expected answer; answer: if there was one. @typedef {{ id: string, wrong: string[], answer?: Answer }} Checked */

/** Why an answer cannot be checked. */
class Unfit extends Error {}

/**
 * Checks the answers of a server before any load; one that answers wrongly is not measured.
 * @param {{ url: string, certificate?: string, logTail: () => string[] }} instance certificate: that it has to present
 * @param {(Omit<Route, 'body'> & { body?: string | Uint8Array })[]} routes @param {Bounds} [bounds]
 * @returns {Promise<Answer[]>} one a route
 * @throws {MeasureError} wrong-answer, naming every route and what differed; cancelled
 */
export async function verify(instance, routes, bounds = {}) {
  const checked = await checkAll(instance, routes, bounds);
  if (bounds.signal?.aborted) throw new MeasureError('cancelled', 'cancelled while checking the responses');
  const wrong = checked.flatMap((route) => route.wrong);
  if (wrong.length === 0) return checked.flatMap(({ answer }) => answer ?? []);
  const right = checked.filter((route) => route.wrong.length === 0).map(({ id }) => id);
  const isLost = checked.some(({ answer, wrong: { length } }) => answer?.status === 404 && length > 0);
  const known = isLost && right.length > 0 ? `; it does respond to ${right.join(', ')}` : '';
  throw new MeasureError('wrong-answer', wrong.join('; ') + known, instance.logTail());
}

/**
 * Node's own fetch accepts no certificate, and keeps its connections; these end with the check.
 * @param {Parameters<typeof verify>[0]} instance @param {Parameters<typeof verify>[1]} routes
 * @param {Bounds} bounds
 */
async function checkAll({ url, certificate }, routes, { signal, answerMs = ANSWER_MS }) {
  const { Agent, fetch } = await import('undici');
  const dispatcher = new Agent({ connect: { ca: certificate } });
  /** @type {Fetch} */
  const ask = (path, options) => fetch(url + path, { ...options, dispatcher });
  const cancel = () => void dispatcher.destroy();
  signal?.addEventListener('abort', cancel);
  if (signal?.aborted) cancel();
  try {
    /** @type {Checked[]} */
    const checked = [];
    await inParallel([...routes.entries()], AT_A_TIME, async ([place, route]) => {
      checked[place] = await check(ask, route, answerMs);
    });
    return checked;
  } finally {
    signal?.removeEventListener('abort', cancel);
    await dispatcher.destroy();
  }
}

/**
 * @param {Fetch} ask @param {Parameters<typeof verify>[1][number]} route @param {number} answerMs
 */
async function check(ask, { id, method, path, headers, body, expect }, answerMs) {
  const late = AbortSignal.timeout(answerMs);
  /** @type {Response | undefined} */
  let answer;
  try {
    answer = await ask(path, {
      method,
      headers: asBytes(headers),
      redirect: 'manual',
      signal: late,
      ...(body !== undefined && { body }),
    });
    const isCompared = expect.body !== undefined || expect.json !== undefined;
    const { bytes, text } = await bodyOf(answer, isCompared ? KEPT_BYTES : 0);
    const wrong = differences(answer, text, expect).map((difference) => `${id}: ${difference}`);
    return { id, answer: answerOf(answer, bytes), wrong };
  } catch (error) {
    const { message, cause } = /** @type {Error} */ (error);
    if (error instanceof Unfit) return { id, wrong: [`${id}: ${message}`] };
    if (answer && late.aborted) return { id, wrong: [`${id}: ${endless(answer, `${answerMs / 1000} s`)}`] };
    return { id, wrong: [`${id}: no answer (${cause instanceof Error ? cause.message : message})`] };
  }
}

/**
 * UTF-8, as load tools send them; fetch takes each character as one byte. Unlike fetch, load tools ask for no compression of their own.
 * @param {Record<string, string>} headers
 */
function asBytes(headers) {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const sent = names.includes('accept-encoding') ? headers : { ...headers, 'accept-encoding': 'identity' };
  return Object.entries(sent).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]);
}

/** @param {Response} response @param {number} bytes @returns {Answer} */
function answerOf({ status, headers }, bytes) {
  const [type, encoding] = [typeIn(headers), headers.get('content-encoding') ?? undefined];
  return defined({ status, type, encoding, bytes });
}

/** @param {Response['headers']} headers @returns {string | undefined} the media type, without parameters */
function typeIn(headers) {
  return headers.get('content-type')?.split(';')[0]?.trim();
}

/** @param {Response} answer @param {string} bound */
function endless({ headers }, bound) {
  const type = headers.get('content-type') ?? 'no content type';
  return `the response (${type}) was still running after ${bound}: streams cannot be load-tested; measure another route`;
}

/** @param {Response} answer @param {number} kept the most bytes to keep; 0: none @throws {Unfit} */
async function bodyOf(answer, kept) {
  const { body, headers } = answer;
  const bound = `${ANSWER_BYTES / 2 ** 20} MiB`;
  const announced = Number(headers.get('content-length') ?? 0);
  // An answer to HEAD has a length, but no body.
  if (body && announced > ANSWER_BYTES) {
    await body.cancel();
    throw new Unfit(`the response has ${announced} bytes, more than ${bound}; measure another route`);
  }
  /** @type {Uint8Array[]} */
  const chunks = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES) throw new Unfit(endless(answer, bound));
    if (kept === 0) continue;
    if (bytes > kept)
      throw new Unfit(
        `the response has more than ${kept / 2 ** 20} MiB, too much to be compared; remove \`body\` and \`json\` from its \`expect\``,
      );
    chunks.push(chunk);
  }
  return { bytes, text: Buffer.concat(chunks).toString('utf8') };
}

/** @param {Response} answer @param {string} text its body @param {Route['expect']} expect @returns {string[]} */
function differences({ status, headers }, text, expect) {
  // Further differences of an error page add nothing.
  if (status !== expect.status)
    return [`status ${status}, expected ${expect.status}${hintFor(status, headers)}`];
  const type = typeIn(headers);
  const wrong = [];
  if (expect.type !== undefined && type !== expect.type)
    wrong.push(`content type ${type ?? 'missing'}, expected ${expect.type}`);
  if (expect.body !== undefined && text !== expect.body)
    wrong.push(`body ${shown(text)}, expected ${shown(expect.body)}`);
  if (expect.json !== undefined && !isDeepStrictEqual(parsed(text), expect.json))
    wrong.push(`body ${shown(text)}, expected ${shown(JSON.stringify(expect.json))}`);
  return wrong;
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
