/** The request before all others gives a server's token. @import { Login } from '../../types.js' */

import { once } from 'node:events';
import { MeasureError } from '../../model/errors.js';
import { jsonIn } from '../../model/json.js';
import { LONGEST_MS, asBytes, send } from './ask.js';
import { abortIn } from '../../system/deadline.js';

/** No header and no path can hold them. */
const CONTROL = /[\u0000-\u001f\u007f]/;
/** A longer answer is not that of a login. */
const ANSWER_BYTES = 2 ** 20;

/** @typedef {import('node:http').IncomingMessage} Response */

/**
 * @param {{ url: string, certificate?: string, logTail: () => string[] }} instance
 * @param {Omit<Login, 'body'> & { body?: string | Uint8Array }} login as it is sent
 * @param {AbortSignal} signal
 * @returns {Promise<string>} the token
 * @throws {MeasureError} no-token, which quotes nothing of the answer; cancelled
 */
export async function logIn({ url, certificate, logTail }, login, signal) {
  const { id, method, path, headers, body, token } = login;
  const { protocol, hostname, port } = new URL(url);
  const refused = (/** @type {string} */ why) =>
    new MeasureError('no-token', `before, ${method} ${id.split(' ').at(-1)}: ${why}`, logTail());
  try {
    const bounds = AbortSignal.any([signal, abortIn(LONGEST_MS)]);
    const options = { hostname, port, method, path, headers: asBytes(headers, body), ca: certificate };
    const request = send(protocol === 'https:', { ...options, agent: false, signal: bounds }, body);
    // An answer may break off in the tick of its headers, after which `once` no longer listens.
    request.on('error', () => {});
    const [answer] = /** @type {[Response]} */ (await once(request, 'response'));
    let text = '';
    for await (const part of answer.setEncoding('utf8')) {
      text += part;
      if (text.length > ANSWER_BYTES) throw refused(`its answer has more than ${ANSWER_BYTES} bytes`);
    }
    // A login form answers with a redirect and a cookie.
    if (Number(answer.statusCode) >= 400) throw refused(`it answers ${answer.statusCode}`);
    const found = tokenIn(answer, text, token);
    const { json, header } = token;
    const place = json === undefined ? `header ${header}` : `text or number at ${json} of its JSON`;
    if (found === undefined) throw refused(`its answer (${answer.statusCode}) has no ${place}`);
    if (CONTROL.test(found)) throw refused('its token contains a control character');
    return found;
  } catch (error) {
    if (signal.aborted) throw new MeasureError('cancelled', 'cancelled while logging in');
    throw error instanceof MeasureError ? error : refused(/** @type {Error} */ (error).message);
  }
}

/** @type {(answer: Response, text: string, token: Login['token']) => string | undefined} */
function tokenIn({ headers }, text, { json, header = '' }) {
  if (json !== undefined) {
    const keys = json.split('.');
    const value = keys.reduce((/** @type {any} */ found, key) => found?.[key], jsonIn(text));
    return ['string', 'number'].includes(typeof value) && value !== '' ? String(value) : undefined;
  }
  const value = headers[header.toLowerCase()];
  // Cookies without their attributes, as a browser sends them back.
  return Array.isArray(value) ? value.map((cookie) => cookie.split(';')[0]).join('; ') : value || undefined;
}
