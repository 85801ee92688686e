/**
 * What a request is called, and what cannot be sent: told before anything is started.
 * @import { Sent } from '../secrets/secrets.js'
 */

import { UserError } from '../model/errors.js';
import { revealRequest, withoutPasswords } from '../secrets/secrets.js';
import { REFERENCE, refused } from '../secrets/variables.js';

/** RFC 9110, 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
/** A tab is allowed inside a value. */
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** @param {string} method @param {string} path @returns {string} what configurations and tables call it */
export function routeName(method, path) {
  const told = withoutPasswords(path);
  return method === 'GET' ? told : `${method} ${told}`;
}

/**
 * @param {Sent} request
 * @param {{ where: (key: string) => string, caller: NodeJS.ProcessEnv }} context where: names path, headers or body
 * @throws {UserError} for what cannot be sent, one a line; values are not told
 */
export function checkRequest(request, { where, caller }) {
  const { path = '', headers, body } = request;
  const lines = [
    ...lacking(path, caller).map((why) => `${where('path')}: ${why}`),
    ...lacking(typeof body === 'string' ? body : '', caller).map((why) => `${where('body')}: ${why}`),
    ...Object.values(headers)
      .flatMap((value) => lacking(value, caller))
      .map((why) => `${where('headers')}: ${why}`),
  ];
  if (lines.length === 0) {
    const sent = revealRequest(request, caller);
    if (CONTROL.test(sent.path ?? ''))
      lines.push(`${where('path')}: the path contains a line break or another control character; encode it`);
    for (const [name, value] of Object.entries(sent.headers)) {
      const told = JSON.stringify(name);
      if (!HEADER_NAME.test(name))
        lines.push(
          `${where('headers')}: ${told} is not a valid header name; use letters, digits and hyphens`,
        );
      else if (CONTROL.test(value))
        lines.push(
          `${where('headers')}: the value of ${told} contains a line break or another control character; remove it`,
        );
    }
  }
  if (lines.length > 0) throw new UserError([...new Set(lines)].join('\n'));
}

/**
 * @param {string} text
 * @param {NodeJS.ProcessEnv} caller
 * @returns {string[]} why its references cannot be sent
 */
function lacking(text, caller) {
  return [...text.matchAll(REFERENCE)].flatMap(([, name = '']) => refused(name, caller));
}
