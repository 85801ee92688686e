/**
 * The environment that a server's code reads: from the example that its authors keep, or made up where any value will do.
 * @import { Sources } from './types.js'
 */

import { posix } from 'node:path';
import { isAddress } from './databases.js';
import { joinedText, nameOf } from './folders.js';

/** Names of examples of a .env file: .env.example, env.sample, example.env. */
export const EXAMPLE = /^\.?env[.-](example|sample|template|dist)[\w-]*$|^(example|sample)\.env$/;
/** Set by the engine, or different on every machine. */
const GIVEN = /^(PORT|HOST|NODE_ENV|APP_PORT|SERVER_PORT)$/;
/** The address of a service that runs elsewhere. */
const ELSEWHERE = /^(postgres(ql)?|mysql|mariadb|mongodb(\+srv)?|rediss?|amqps?):\/\//;
/** A database in a file comes with the server. */
const FILE = /^(file|sqlite\d?):/;
/** Limits how often one client may ask; a load tool is one client. */
export const RATE_LIMIT = /RATE_?LIMIT(?!.*(WINDOW|DURATION|TIME|TTL))|THROTTLE_LIMIT/;
const NO_LIMIT = '1000000000';
/** Keys that sign what only this server reads again, JWT_SECRET, SESSION_KEY: any value will do, unless the code has one. */
const ANY_VALUE =
  /\b((?:[A-Z]+_)*(?:JWT|SESSION|COOKIE|TOKEN|AUTH|APP|ACCESS|REFRESH)(?:_[A-Z]+)*_(?:SECRET|KEY)|SECRET_KEY(?:_BASE)?|JWT_SECRET)\b(?!['"\])]*\s*(?:\|\||\?\?|,\s*['"]|=[^=]))/g;
const MADE_UP = 'only-for-measuring-0123456789abcdef';
/** Code that reads .env by itself. */
const READS_FILE = /dotenv|env-file|env-cmd|ConfigModule|pydantic|load_dotenv|environ\b|Illuminate/;

/** copy: files that git ignores and the code reads; missing: required variables without a value. @typedef {{ env: Record<string, string>, copy: string[], missing: string[] }} Settings */

/**
 * @param {Sources} own
 * @param {string} folder
 * @param {string[]} needs databases: of several examples, the one that names such a database is used
 * @returns {Settings}
 */
export function findSettings(own, folder, needs) {
  const examples = [...own].filter(([file]) => EXAMPLE.test(nameOf(file))).map(([, text]) => text);
  if (examples.length === 0 && own.has(posix.join(folder, '.env')))
    return { env: {}, missing: [], copy: READS_FILE.test(joinedText(own)) ? ['.env'] : [] };
  const code = joinedText(own, (file) => !EXAMPLE.test(nameOf(file)) && nameOf(file) !== '.env');
  const isRead = (/** @type {string} */ name) => new RegExp(`\\b${name}\\b`).test(code);
  const example = examples.find((text) => needs.some((id) => text.includes(`=${id}`))) ?? examples[0] ?? '';
  const pairs = pairsIn(example).filter(([name]) => isRead(name));
  const isOurs = (/** @type {string} */ name) => GIVEN.test(name) || isAddress(name);
  // ${PORT} in a value of perf.yml is read from the machine that plans.
  const isKnown = (/** @type {string} */ value) =>
    value !== '' && !ELSEWHERE.test(value) && !value.includes('${');
  const values = pairs.filter(([name, value]) => isKnown(value) && (!isOurs(name) || FILE.test(value)));
  const env = Object.fromEntries([
    ...[...code.matchAll(ANY_VALUE)].map(([, name = '']) => [name, MADE_UP]),
    ...values.map(([name, value]) => [name, RATE_LIMIT.test(name) && /^\d+$/.test(value) ? NO_LIMIT : value]),
  ]);
  const required = new Set([...pairs.map(([name]) => name), ...requiredIn(code)]);
  return { env, copy: [], missing: [...required].filter((name) => !isOurs(name) && !(name in env)) };
}

/** @param {string} code @returns {string[]} required by the schema of @fastify/env, without a default */
function requiredIn(code) {
  if (!/['"](?:@fastify\/env|env-schema)['"]/.test(code)) return [];
  return [...code.matchAll(/\brequired\s*:\s*\[([^\]]*)\]/g)]
    .flatMap(([, list = '']) => list.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? [])
    .filter((name) => !new RegExp(`\\b${name}\\b['"]?\\s*:\\s*\\{[^}]*\\bdefault\\s*:`).test(code));
}

/** @param {string} text lines of NAME=value @returns {[name: string, value: string][]} */
function pairsIn(text) {
  return [...text.matchAll(/^\s*(?:export\s+)?(\w+)\s*=[ \t]*(.*)$/gm)].map(([, name = '', raw = '']) => [
    name,
    /^(['"])(.*?)\1/.exec(raw)?.[2] ?? raw.replace(/(^|\s+)#.*$/, '').trim(),
  ]);
}
