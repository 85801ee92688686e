/** What several tools need to send a request. @import { Target } from './tools.js' */

/** How long a tool waits at most for the answers to requests under way when its time is up. */
export const LAST_ANSWERS_SECONDS = 10;

/** Locust stops waiting before a request without an answer ends; ab, which waits for it, is not killed. */
const LATER_SECONDS = 2;

/**
 * No request of a window is under way for longer. A tool's own limit (2 s of wrk, 10 s of autocannon, 60 s of
 * k6 and Locust) would count answers that come later as errors. Returns seconds.
 * @type {(load: { seconds: number }) => number}
 */
export const patienceOf = ({ seconds }) => seconds + LAST_ANSWERS_SECONDS + LATER_SECONDS;

const LENGTH_DIGITS = 10;

/** Its headers, and `connection: close` if asked for. @type {(target: Target) => Record<string, string>} */
export function headersOf({ load, request }) {
  return load.keepAlive ? request.headers : { ...request.headers, connection: 'close' };
}

/** In base64: JSON holds text only. @type {(request: { body?: string | Uint8Array }) => { body?: string }} */
export function encodedBody({ body }) {
  return body === undefined ? {} : { body: Buffer.from(body).toString('base64') };
}

/**
 * The bytes of HTTP/1.1, for tools that need not know what a request is made of: every request that it sends,
 * each behind its length in LENGTH_DIGITS digits.
 * @type {(target: Target) => Buffer}
 */
export function requestBytes(target) {
  const { request, url } = target;
  const { variants = [request], method } = request;
  const own = Object.entries(headersOf({ ...target, request: { ...request, headers: {} } }));
  const { host } = new URL(url);
  return Buffer.concat(
    variants.flatMap(({ path, headers, body }) => {
      const written = Object.entries(headers);
      const isWritten = (/** @type {string} */ name) =>
        written.some(([other]) => other.toLowerCase() === name.toLowerCase());
      const content = body === undefined ? [] : [Buffer.from(body)];
      const added = [
        ['Host', host],
        ...content.map(({ length }) => ['Content-Length', length]),
        ...own,
      ].filter(([name]) => !isWritten(String(name)));
      const lines = [...added, ...written].map(([name, value]) => `${name}: ${value}\r\n`).join('');
      const message = [Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines}\r\n`), ...content];
      const length = message.reduce((sum, part) => sum + part.length, 0);
      return [Buffer.from(String(length).padStart(LENGTH_DIGITS)), ...message];
    }),
  );
}

/**
 * Adds their bytes. Slices begin soon after the tools start, so requests that vary are written out before,
 * for both sides of a comparison once a start.
 * @type {() => (target: Target) => Target}
 */
export function writeOnce() {
  /** @type {{ variants: object, url: string, bytes: Uint8Array }[]} */
  let written = [];
  return (target) => {
    const { url, request } = target;
    const { variants } = request;
    if (!variants) return target;
    const known = written.find((each) => each.variants === variants && each.url === url);
    const { bytes } = known ?? { bytes: requestBytes(target) };
    written = [{ variants, url, bytes }, ...written.filter((each) => each !== known)].slice(0, 2);
    return { ...target, bytes };
  };
}
