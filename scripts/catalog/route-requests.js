/**
 * The names of requests, and what cannot be sent: reported before anything is started.
 * @import { Route } from '../types.js'
 * @import { Sent } from '../secrets/secrets.js'
 */

import { UserError } from '../model/errors.js';
import { ROUTE_KEYS } from '../model/route-keys.js';
import { revealParts, valuesOf, withoutPasswords } from '../secrets/secrets.js';
import { REFERENCE, whyRefused } from '../secrets/variables.js';

/** The one name of a request, as written or as sent. @type {(method: string, path: string) => string} */
export function routeName(method, path) {
  const shown = withoutPasswords(requestTarget(path));
  return method === 'GET' ? shown : `${method} ${shown}`;
}

/**
 * Splits text such as "POST /items"; path: the text itself, where it names no path.
 * @type {(written: string) => { path: string, method?: string }}
 */
export function splitRoute(written) {
  const [, method, path = written] = /^(?:([A-Z]+)\s+)?(\/.*)$/.exec(written) ?? [];
  return { path, method };
}

/**
 * As a browser asks for it, so that every load tool and every check sends the same bytes: a space becomes
 * %20, other characters that no request may contain their UTF-8; a fragment is not sent. A `${NAME}` stays as
 * it is: its value is encoded when it is sent.
 * @param {string} path with a slash before it; another text stays as it is
 */
export function requestTarget(path) {
  if (!path.startsWith('/')) return path;
  const { pathname, search } = new URL(`http://localhost${path}`);
  return (pathname + search).replace(/\$%7B([A-Za-z_]\w*)%7D/g, '${$1}');
}

/**
 * Returns them as they are sent; a body is text, or what is sent as JSON.
 * @type {(headers: Record<string, string>, body: unknown) =>
 *   { headers: Record<string, string>, body?: string }}
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
 * @param {{ where: (key: string) => string, environment: NodeJS.ProcessEnv, given?: string[] }} context
 *   where: names a key; given: names that are known when it is sent
 * @throws {UserError} for what cannot be sent or answered, one a line, without values
 */
export function checkRequest(request, { where, environment, given = [] }) {
  const { path = '', headers, body, data } = request;
  const [row = {}] = data?.rows ?? [];
  const texts = [
    { key: 'path', text: path },
    { key: 'body', text: typeof body === 'string' ? body : '' },
    ...Object.values(headers).map((text) => ({ key: 'headers', text })),
  ];
  const whyUnknown = (/** @type {string} */ name) => {
    if (Object.hasOwn(row, name) || given.includes(name)) return [];
    return data && environment[name] === undefined
      ? [`${name} is neither a field of data nor set here; correct it`]
      : whyRefused(name, environment);
  };
  const unknown = texts.flatMap(({ key, text }) =>
    [...text.matchAll(REFERENCE)].flatMap(([, name = '']) => whyUnknown(name).map((why) => ({ key, why }))),
  );
  const sent = unknown.length > 0 ? { headers: {} } : revealParts(request, valuesOf(environment, row));
  const refused = ROUTE_KEYS.flatMap(({ key, refusals }) =>
    (refusals?.(/** @type {Route} */ (request), sent) ?? []).map((why) => ({ key, why })),
  );
  const lines = [...unknown, ...refused].flatMap(({ key, why }) => (why ? `${where(key)}: ${why}` : []));
  if (lines.length > 0) throw new UserError([...new Set(lines)].join('\n'));
}
