/**
 * The names of requests, and what cannot be sent: reported before anything is started.
 * @import { Sent } from '../secrets/secrets.js'
 */

import { UserError } from '../model/errors.js';
import { revealRequest, withoutPasswords } from '../secrets/secrets.js';
import { REFERENCE, whyRefused } from '../secrets/variables.js';

/** RFC 9110, 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
/** A tab is allowed inside a value. */
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** @param {string} method @param {string} path @returns {string} as configurations and tables name the request */
export function routeName(method, path) {
  const shown = withoutPasswords(path);
  return method === 'GET' ? shown : `${method} ${shown}`;
}

/**
 * @param {Sent} request
 * @param {{ where: (key: string) => string, environment: NodeJS.ProcessEnv }} context where: names path, headers or body
 * @throws {UserError} for what cannot be sent, one a line, without values
 */
export function checkRequest(request, { where, environment }) {
  const { path = '', headers, body } = request;
  /** @type {[key: string, text: string][]} */
  const texts = [
    ['path', path],
    ['body', typeof body === 'string' ? body : ''],
    ...Object.values(headers).map((value) => /** @type {[string, string]} */ (['headers', value])),
  ];
  const lines = texts.flatMap(([key, text]) =>
    [...text.matchAll(REFERENCE)]
      .flatMap(([, name = '']) => whyRefused(name, environment))
      .map((why) => `${where(key)}: ${why}`),
  );
  if (lines.length === 0) {
    const sent = revealRequest(request, environment);
    if (CONTROL.test(sent.path ?? ''))
      lines.push(`${where('path')}: the path contains a line break or another control character; encode it`);
    for (const [name, value] of Object.entries(sent.headers)) {
      const quoted = JSON.stringify(name);
      if (!HEADER_NAME.test(name))
        lines.push(
          `${where('headers')}: ${quoted} is not a valid header name; use letters, digits and hyphens`,
        );
      else if (CONTROL.test(value))
        lines.push(
          `${where('headers')}: the value of ${quoted} contains a line break or another control character; remove it`,
        );
    }
  }
  if (lines.length > 0) throw new UserError([...new Set(lines)].join('\n'));
}
