/**
 * The rows of a route's `data`, each of one request: a file with a JSON object a line, or a list in perf.yml.
 * @import { RequestData, Route, Row } from '../types.js'
 */

import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { UserError } from '../model/errors.js';
import { jsonIn } from '../model/json.js';
import { CONTROL } from '../model/route-keys.js';
import { isSecretHeader } from '../secrets/secrets.js';
import { REFERENCE } from '../secrets/variables.js';
import { readBounded } from '../system/bounded-file.js';

const LARGEST_BYTES = 32 * 2 ** 20;
/** Load tools hold all requests in memory. */
const MOST_SENT_BYTES = 256 * 2 ** 20;
/** Half of a character, which no address can hold. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * what: "path", "body" or a header's name; isText: its values must be text, numbers or booleans.
 * @typedef {{ field: string, what: string, isText: boolean, isSecret: boolean }} Use
 */

/**
 * @param {string | Row[]} written the name of a file, or the rows
 * @param {{ route: Pick<Route, 'path' | 'headers' | 'secretHeaders' | 'body' | 'bodyFile'>, folder: string,
 *   where: (key: string) => string }} context folder: what the file's name is relative to
 * @returns {RequestData}
 * @throws {UserError} with the first row that cannot be sent
 */
export function readData(written, { route, folder, where }) {
  const name = typeof written === 'string' ? written : undefined;
  const rowAt = (/** @type {number} */ index) =>
    name === undefined ? where(`data.${index}`) : `${where('data')}: ${name}:${index + 1}`;
  const rows =
    typeof written === 'string' ? readRows(written, { folder, rowAt, where: where('data') }) : written;
  const fields = new Set(rows.flatMap(Object.keys));
  const uses = usesIn(route).filter(({ field }) => fields.has(field));
  if (uses.length === 0)
    throw new UserError(
      `${where('data')}: path, headers and body name none of its fields (${[...fields].join(', ')}); name one, like \${${[...fields][0]}}`,
    );
  for (const [index, row] of rows.entries()) {
    const why = uses.map((use) => whyUnfit(use, row)).find(Boolean);
    if (why) throw new UserError(`${rowAt(index)}: ${why}`);
  }
  requireRoom(rows.length, { route, where });
  const named = [...new Set(uses.map(({ field }) => field))];
  const open = named.filter((field) => uses.some((use) => use.field === field && !use.isSecret));
  const textOf = (/** @type {Row} */ row, /** @type {string[]} */ of) =>
    JSON.stringify(of.map((field) => row[field]));
  const hash = createHash('sha256');
  for (const row of rows) hash.update(`${textOf(row, open)}\n`);
  return {
    name,
    requests: rows.length,
    different: new Set(rows.map((row) => textOf(row, named))).size,
    sha256: hash.digest('hex'),
    rows: rows.map((row) => Object.fromEntries(named.map((field) => [field, row[field]]))),
  };
}

/** @type {(name: string, at: { folder: string, where: string, rowAt: (nth: number) => string }) => Row[]} */
function readRows(name, { folder, where, rowAt }) {
  const content = readBounded(resolve(folder, name), {
    bytes: LARGEST_BYTES,
    named: `${where}: ${name}`,
    mend: `name a file of at most ${LARGEST_BYTES} bytes, relative to ${folder}`,
  });
  const text = content
    .toString()
    .replace(/^\ufeff/, '')
    .trimEnd();
  if (text === '')
    throw new UserError(`${where}: ${name} is empty; give each request a line, like {"id": 1}`);
  return text.split('\n').map((line, index) => {
    const row = jsonIn(line);
    if (row instanceof Object && !Array.isArray(row)) return row;
    throw new UserError(`${rowAt(index)}: is not a JSON object; write one a line, like {"id": 1}`);
  });
}

/** @type {(route: Parameters<typeof readData>[1]['route']) => Use[]} */
function usesIn({ path, headers, secretHeaders, body = '' }) {
  const namedIn = (/** @type {string} */ text) =>
    [...text.matchAll(REFERENCE)].map(([, field = '']) => field);
  return [
    ...namedIn(path).map((field) => ({ field, what: 'path', isText: true, isSecret: false })),
    ...Object.entries(headers).flatMap(([name, value]) =>
      namedIn(value).map((field) => ({
        field,
        what: name,
        isText: true,
        isSecret: isSecretHeader(name, secretHeaders),
      })),
    ),
    ...namedIn(body).map((field) => ({ field, what: 'body', isText: false, isSecret: false })),
  ];
}

/** Why it cannot be sent, and what to do. @type {(use: Use, row: Row) => string | undefined} */
function whyUnfit({ field, what, isText }, row) {
  if (!Object.hasOwn(row, field)) return `lacks ${field}, which ${what} names; add it`;
  const value = row[field];
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    return `${field} is larger than 2^53, so its digits would change; write it as text`;
  if (!isText) return undefined;
  if (value === null || value instanceof Object)
    return `${field} is not a text or a number, as ${what} needs; use it in the body only`;
  if (what === 'path' ? LONE_SURROGATE.test(String(value)) : CONTROL.test(String(value)))
    return `${field} contains a character that ${what} cannot; remove it`;
  return undefined;
}

/** @type {(requests: number, context: Pick<Parameters<typeof readData>[1], 'route' | 'where'>) => void} */
function requireRoom(requests, { route: { path, headers, body = '', bodyFile }, where }) {
  const bytes = JSON.stringify([path, headers, body]).length + (bodyFile?.bytes ?? 0);
  if (requests * bytes <= MOST_SENT_BYTES) return;
  throw new UserError(
    `${where('data')}: ${requests} requests of ${bytes} bytes are more than ${MOST_SENT_BYTES / 2 ** 20} MiB; use fewer rows`,
  );
}
