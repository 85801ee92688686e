/**
 * The names of requests, and what cannot be sent: reported before anything is started.
 * @import { Route } from '../types.js'
 * @import { Sent } from '../secrets/secrets.js'
 */

import { UserError } from '../model/errors.js';
import { revealParts, valuesOf, withoutPasswords } from '../secrets/secrets.js';
import { REFERENCE, whyRefused } from '../secrets/variables.js';

/** RFC 9110, 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
/** Headers of the connection (RFC 9110, 7.6.1) and of the message's frame, which load tools set as they need them. */
const LEFT_TO_TOOLS = ['connection', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade'];
/** Statuses whose answers have no content (RFC 9110, 15.3.5, 15.3.6 and 15.4.5). */
const BODILESS = [204, 205, 304];
/** A tab is allowed inside a value. */
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** @param {string} method @param {string} path as written or as sent @returns {string} the one name by which the request is looked up */
export function routeName(method, path) {
  const shown = withoutPasswords(requestTarget(path));
  return method === 'GET' ? shown : `${method} ${shown}`;
}

/** @param {string} written such as "POST /items" @returns {{ path: string, method?: string }} path: the text itself, where it names no path */
export function splitRoute(written) {
  const [, method, path = written] = /^(?:([A-Z]+)\s+)?(\/.*)$/.exec(written) ?? [];
  return { path, method };
}

/**
 * As a browser asks for it, so that every load tool and every check sends the same bytes: a space becomes %20, other characters
 * that no request may contain their UTF-8; a fragment is not sent. A `${NAME}` stays as it is: its value is encoded when it is sent.
 * @param {string} path with a slash before it; another text stays as it is
 */
export function requestTarget(path) {
  if (!path.startsWith('/')) return path;
  const { pathname, search } = new URL(`http://localhost${path}`);
  return (pathname + search).replace(/\$%7B([A-Za-z_]\w*)%7D/g, '${$1}');
}

/**
 * @param {Record<string, string>} headers @param {unknown} body text, or what is sent as JSON
 * @returns {{ headers: Record<string, string>, body?: string }} as they are sent
 */
export function withJson(headers, body) {
  if (body === undefined || typeof body === 'string') return { headers, body };
  const isTyped = Object.keys(headers).some((name) => /^content-type$/i.test(name));
  /** @type {Record<string, string>} */
  const type = isTyped ? {} : { 'content-type': 'application/json' };
  return { headers: { ...headers, ...type }, body: JSON.stringify(body) };
}

/**
 * @param {Sent & Partial<Pick<Route, 'method' | 'expect' | 'stream'>>} request
 * @param {{ where: (key: string) => string, environment: NodeJS.ProcessEnv, given?: string[] }} context where: names path, headers, body or
 *   expect; given: names that are known when it is sent
 * @throws {UserError} for what cannot be sent or answered, one a line, without values
 */
export function checkRequest(request, { where, environment, given = [] }) {
  const { path = '', headers, body, bodyFile, data, method, expect, stream } = request;
  const [row = {}] = data?.rows ?? [];
  /** @type {[key: string, text: string][]} */
  const texts = [
    ['path', path],
    ['body', typeof body === 'string' ? body : ''],
    ...Object.values(headers).map((value) => /** @type {[string, string]} */ (['headers', value])),
  ];
  const lines = texts.flatMap(([key, text]) =>
    [...text.matchAll(REFERENCE)]
      .flatMap(([, name = '']) => {
        if (Object.hasOwn(row, name) || given.includes(name)) return [];
        return data && environment[name] === undefined
          ? `${name} is neither a field of data nor set here; correct it`
          : whyRefused(name, environment);
      })
      .map((why) => `${where(key)}: ${why}`),
  );
  if (lines.length === 0) {
    const sent = revealParts(request, valuesOf(environment, row));
    if (CONTROL.test(sent.path ?? ''))
      lines.push(`${where('path')}: the path contains a line break or another control character; encode it`);
    for (const [name, value] of Object.entries(sent.headers)) {
      const quoted = JSON.stringify(name);
      if (!HEADER_NAME.test(name))
        lines.push(
          `${where('headers')}: ${quoted} is not a valid header name; use letters, digits and hyphens`,
        );
      else if (
        LEFT_TO_TOOLS.includes(name.toLowerCase()) ||
        isOtherLength(name, value, data ? undefined : (sent.body ?? ''))
      )
        lines.push(
          `${where('headers')}: ${quoted} is left to the load tools, which frame requests and keep connections; remove it`,
        );
      else if (CONTROL.test(value))
        lines.push(
          `${where('headers')}: the value of ${quoted} contains a line break or another control character; remove it`,
        );
    }
  }
  if (method === 'HEAD' && (body ?? bodyFile) !== undefined)
    lines.push(`${where('body')}: HEAD is sent without a body; remove it, or use another method`);
  const isBodiless = method === 'HEAD' || BODILESS.includes(expect?.status ?? 200);
  if (isBodiless && (expect?.body || expect?.json !== undefined))
    lines.push(
      `${where('expect')}: an answer to HEAD, or with status ${BODILESS.join(', ')}, has no body; remove \`body\` and \`json\` from \`expect\``,
    );
  if (isBodiless && stream)
    lines.push(
      `${where('stream')}: an answer to HEAD, or with status ${BODILESS.join(', ')}, has no body; remove \`stream\``,
    );
  if (stream && (expect?.body ?? expect?.json) !== undefined)
    lines.push(
      `${where('expect')}: the check reads only the beginning of a stream; remove \`body\` and \`json\` from \`expect\``,
    );
  if (lines.length > 0) throw new UserError([...new Set(lines)].join('\n'));
}

/** @param {string} name @param {string} value @param {string | Uint8Array | undefined} body undefined where it varies */
function isOtherLength(name, value, body) {
  return /^content-length$/i.test(name) && (body === undefined || Number(value) !== Buffer.byteLength(body));
}
