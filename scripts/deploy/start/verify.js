/** @import { ClientRequest, IncomingMessage as Response, RequestOptions } from 'node:http' */
/** @import { Answer, Route } from '../../types.js' */

import { once } from 'node:events';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { pipeline } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { defined } from '../../model/defined.js';
import { MeasureError } from '../../model/errors.js';
import { excerpt } from '../../model/json.js';
import { mediaType, ROUTE_KEYS } from '../../model/route-keys.js';
import { inParallel } from '../../system/parallel.js';
import { asBytes, LONGEST_MS, reasonIn, send as sendTo } from './ask.js';
import { abortIn } from '../../system/deadline.js';

/** Bounds the memory for the buffers of connections. */
const AT_A_TIME = 8;
/** A longer answer counts as endless. */
const ANSWER_BYTES = 256 * 2 ** 20;
/** Kept of an answer that is compared. */
const KEPT_BYTES = 8 * 2 ** 20;

/** @type {Record<string, () => import('node:stream').Transform>} */
const DECODERS = { gzip: createUnzip, deflate: createUnzip, br: createBrotliDecompress };

/** @typedef {(request: RequestOptions, body?: string | Uint8Array) => ClientRequest} Send */
/**
 * wrong: differences from the expected answer; answer: if there was one; isSilent: it did not even begin in
 * time.
 * @typedef {{ id: string, wrong: string[], answer?: Answer, isSilent?: boolean }} Checked
 */

/** Why an answer cannot be checked. */
class Unfit extends Error {}

/**
 * Checks the answers of a server before any load; one that answers wrongly is not measured.
 * @param {{ url: string, certificate?: string, logTail: () => string[] }} instance certificate: to present
 * @param {(Omit<Route, 'body' | 'data'> & { body?: string | Uint8Array, row?: string })[]} routes row: of its
 *   data, as messages name it
 * @param {{ signal?: AbortSignal, answerMs?: number }} [bounds]
 * @returns {Promise<Answer[]>} one a route
 * @throws {MeasureError} wrong-answer, naming every route and what differed; too-slow, if only answers are
 *   missing; cancelled
 */
export async function verify({ url, certificate, logTail }, routes, { signal, answerMs = LONGEST_MS } = {}) {
  const { protocol, hostname, port } = new URL(url);
  const isSecure = protocol === 'https:';
  // Connections are kept, as load tools do, and end with the check.
  const kept = { keepAlive: true, ca: certificate };
  const agent = isSecure ? new HttpsAgent(kept) : new HttpAgent(kept);
  /** @type {Send} */
  const send = (options, body) => sendTo(isSecure, { agent, hostname, port, ...options }, body);
  /** @type {Checked[]} */
  const checked = [];
  await inParallel([...routes.entries()], AT_A_TIME, async ([place, route]) => {
    checked[place] = await check(send, route, { answerMs, ...(signal && { signal }) });
  }).finally(() => agent.destroy());
  if (signal?.aborted) throw new MeasureError('cancelled', 'cancelled while checking the responses');
  const failed = checked.filter(({ wrong }) => wrong.length > 0);
  if (failed.length === 0) return checked.flatMap(({ answer }) => answer ?? []);
  const wrong = failed.flatMap((route) => route.wrong);
  const kind = failed.every(({ isSilent }) => isSilent) ? 'too-slow' : 'wrong-answer';
  const right = new Set(checked.filter((route) => route.wrong.length === 0).map(({ id }) => id));
  const isLost = checked.some(({ answer, wrong: { length } }) => answer?.status === 404 && length > 0);
  const known = isLost && right.size > 0 ? `; it does respond to ${[...right].join(', ')}` : '';
  throw new MeasureError(kind, wrong.join('; ') + known, logTail());
}

/**
 * @type {(send: Send, route: Parameters<typeof verify>[1][number],
 *   bounds: { answerMs: number, signal?: AbortSignal }) => Promise<Checked>}
 */
async function check(send, route, { answerMs, signal }) {
  const { id, row, method, path, headers, body, expect, stream } = route;
  const named = row === undefined ? id : `${id} (${row})`;
  const late = abortIn(answerMs);
  const options = { method, path, headers: asBytes(headers, body) };
  /** @type {Response | undefined} */
  let answer;
  try {
    const request = send({ ...options, signal: signal ? AbortSignal.any([late, signal]) : late }, body);
    /** @type {Promise<never>} */
    const broken = new Promise((_, reject) => request.once('error', reject));
    broken.catch(() => {});
    [answer] = /** @type {[Response]} */ (await once(request, 'response'));
    const isFailure = Number(answer.statusCode) >= 500;
    const isCompared = isFailure || expect.body !== undefined || expect.json !== undefined;
    const reading = stream ? beginningOf(answer) : bodyOf(answer, isCompared ? KEPT_BYTES : 0);
    const { bytes, text } = await Promise.race([broken, reading]);
    // Bytes behind its end are an error that follows it.
    const closed = request.destroyed ? setImmediate() : once(request, 'close');
    await Promise.race([broken, closed]);
    const wrong = differences(answer, text, route).map((difference) => `${named}: ${difference}`);
    const { statusCode: status = 0, headers: got } = answer;
    const [type, encoding, closes] = [mediaType(got), got['content-encoding'], closesOf(answer, bytes)];
    const size = stream ? undefined : bytes;
    return { id, answer: defined({ status, type, encoding, bytes: size, closes }), wrong };
  } catch (error) {
    const context = { answer, isStream: stream === true, isLate: late.aborted, answerMs };
    return { id, wrong: [`${named}: ${whyUnfit(error, context)}`], isSilent: late.aborted && !answer };
  }
}

/**
 * @type {(error: any, context: { answer: Response | undefined, isStream: boolean, isLate: boolean,
 *   answerMs: number }) => string}
 */
function whyUnfit(error, { answer, isStream, isLate, answerMs }) {
  const { message, code } = error;
  if (error instanceof Unfit) return message;
  const bound = `${answerMs / 1000} s`;
  if (isLate && answer) return isStream ? `no byte of the body within ${bound}` : endless(answer, bound);
  if (isLate) return `no answer within ${bound}`;
  if (String(code).startsWith('HPE_'))
    return `the response breaks HTTP: ${message.replace('Parse Error: ', '')}`;
  return answer ? `the response breaks off before its end (${message})` : `no answer (${message})`;
}

/** The bytes are of its body. @type {(response: Response, bytes: number) => Answer['closes']} */
function closesOf({ httpVersionMinor, headers }, bytes) {
  if (bytes > 0 && (headers['content-length'] ?? headers['transfer-encoding']) === undefined)
    return 'undelimited';
  const connection = headers.connection ?? '';
  const isKept = httpVersionMinor > 0 ? !/\bclose\b/i.test(connection) : /\bkeep-alive\b/i.test(connection);
  return isKept ? undefined : 'announced';
}

/** @type {(answer: Response, bound: string) => string} */
function endless({ headers }, bound) {
  const type = headers['content-type'] ?? 'no content type';
  return `the response (${type}) was still running after ${bound}: add \`stream: true\` to the route, or measure another one`;
}

/** The end of a stream may never come. Throws Unfit where nothing comes. @param {Response} answer */
async function beginningOf(answer) {
  for await (const piece of answer) return { bytes: piece.length, text: String(piece) };
  throw new Unfit('the response has no body, so no first byte is timed; remove `stream` from the route');
}

/**
 * @param {Response} answer
 * @param {number} kept the most bytes to keep; 0: none
 * @throws {Unfit}
 */
async function bodyOf(answer, kept) {
  const { headers, req } = /** @type {Response & { req: { method: string } }} */ (answer);
  const bound = `${ANSWER_BYTES / 2 ** 20} MiB`;
  const announced = req.method === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0);
  if (announced > ANSWER_BYTES) {
    answer.destroy();
    throw new Unfit(`the response has ${announced} bytes, more than ${bound}; measure another route`);
  }
  const decoder = req.method === 'HEAD' ? undefined : DECODERS[headers['content-encoding'] ?? ''];
  const body = decoder ? pipeline(answer, decoder(), () => {}) : answer;
  /** @type {Uint8Array[]} */
  const chunks = [];
  let bytes = 0;
  for await (const chunk of body) {
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

/** @type {(answer: Response, body: string, route: Parameters<typeof verify>[1][number]) => string[]} */
function differences({ statusCode: status = 0, headers }, text, route) {
  // Further differences of an error page add nothing.
  if (status !== route.expect.status)
    return [
      `status ${status}, expected ${route.expect.status}${hintFor(status, headers) || reasonIn(status < 500 ? '' : text)}`,
    ];
  return ROUTE_KEYS.flatMap(({ key, check: whys }) =>
    key in route && whys ? whys(Object(route)[key], { headers, text }).flatMap((why) => why || []) : [],
  );
}

/** What to do. @type {(status: number, headers: Response['headers']) => string} */
function hintFor(status, headers) {
  const to = headers.location;
  if (status >= 300 && status < 400 && to) return `: it redirects to ${excerpt(to)}; measure that path`;
  if (status === 401 || status === 403) return ': give the route the credentials it needs under `headers:`';
  if (status === 404) return ': there is no such route';
  if (status === 405) return ': the route needs another `method:`';
  return '';
}
