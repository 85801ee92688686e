/**
 * The environment a server's code reads: from the example that its authors keep beside it, or made up where any will do.
 * @import { Sources } from './types.js'
 */

import { inside, textOf } from './folders.js';

const EXAMPLES = ['.env.example', '.env.sample', '.env.template', '.env.dist', 'example.env', 'sample.env'];
/** What the engine gives, or what differs from machine to machine. */
const OURS =
  /^(PORT|HOST|NODE_ENV|APP_PORT|SERVER_PORT)$|DATABASE|POSTGRES|MYSQL|MARIADB|MONGO|REDIS|(^|_)(DB|PG|SQL|TYPEORM)/;
/** A database that is a file goes with the server. */
const FILE = /^(file|sqlite\d?):/;
/** Signs what only this server reads again: any value will do. */
const ANY_VALUE =
  /\b((?:[A-Z]+_)*(?:JWT|SESSION|COOKIE|TOKEN|AUTH|APP|ACCESS|REFRESH)(?:_[A-Z]+)*_(?:SECRET|KEY)|SECRET_KEY(?:_BASE)?|JWT_SECRET)\b(?!['"\])]*\s*(?:\|\||\?\?|,\s*['"]|=[^=]))/g;
const MADE_UP = 'only-for-measuring-0123456789abcdef';

/**
 * @param {Sources} own
 * @param {string} folder
 * @returns {{ env: Record<string, string>, copy: string[], missing: string[] }} copy: what git ignores and the code reads; missing:
 *   variables that the code reads or asks for, and that nobody gives a value
 */
export function findSettings(own, folder) {
  const code = textOf(new Map([...own].filter(([file]) => !/\.env|env$/.test(file))));
  const example = EXAMPLES.map((name) => own.get(inside(folder, name))).find((text) => text !== undefined);
  const reads = (/** @type {string} */ name) => new RegExp(`\\b${name}\\b`).test(code);
  const given = pairsOf(example ?? '').filter(
    ([name, value]) => reads(name) && (!OURS.test(name) || FILE.test(value)),
  );
  const made = [...code.matchAll(ANY_VALUE)].map(([, name = '']) => /** @type {const} */ ([name, MADE_UP]));
  const env = { ...Object.fromEntries(made), ...Object.fromEntries(given) };
  const missing = [...emptyIn(example ?? '').filter(reads), ...requiredIn(code)].filter(
    (name) => !OURS.test(name) && !(name in env),
  );
  const hasFile = example === undefined && own.has(inside(folder, '.env'));
  return {
    env: hasFile ? {} : env,
    missing: hasFile ? [] : [...new Set(missing)],
    copy: hasFile && /dotenv|env-file|ConfigModule|pydantic|load_dotenv|environ\b/.test(code) ? ['.env'] : [],
  };
}

/** @param {string} text of a file of NAME=value @returns {string[]} those without a value */
function emptyIn(text) {
  return [...text.matchAll(/^\s*(?:export\s+)?(\w+)\s*=[ \t]*(?:''|"")?[ \t]*(?:#.*)?$/gm)].map(
    ([, name = '']) => name,
  );
}

/** @param {string} code @returns {string[]} what the schema of @fastify/env requires */
function requiredIn(code) {
  if (!/['"](?:@fastify\/env|env-schema)['"]/.test(code)) return [];
  const lists = [...code.matchAll(/\brequired\s*:\s*\[([^\]]*)\]/g)].map(([, list = '']) => list);
  return lists.flatMap((list) => list.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []);
}

/**
 * @param {string} text of a file of NAME=value
 * @returns {[name: string, value: string][]} those that have one
 */
function pairsOf(text) {
  return [...text.matchAll(/^\s*(?:export\s+)?(\w+)\s*=[ \t]*(.*)$/gm)].flatMap(([, name = '', raw = '']) => {
    const value = /^(['"])(.*?)\1/.exec(raw)?.[2] ?? raw.replace(/\s+#.*$/, '').trim();
    return value === '' ? [] : [[name, value]];
  });
}
