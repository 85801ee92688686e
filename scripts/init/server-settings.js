/**
 * The environment that a server's code reads: from its authors' example, or made up where any value will do.
 * @import { Project } from './candidates.js'
 */

import { posix } from 'node:path';
import { isAddress } from './databases.js';
import { joinedText, nameOf } from './source-tree.js';
import { TOKEN } from './routes/routes.js';

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
/** Keys, as JWT_SECRET, that sign what only this server reads: any value will do, unless the code has one. */
const ANY_VALUE =
  /\b((?:[A-Z]+_)*(?:JWT|SESSION|COOKIE|TOKEN|AUTH|APP|ACCESS|REFRESH)(?:_[A-Z]+)*_(?:SECRET|KEY)|SECRET_KEY(?:_BASE)?|JWT_SECRET)\b(?!['"\])]*\s*(?:\|\||\?\?|,\s*['"]|=[^=]))/g;
const MADE_UP = 'only-for-measuring-0123456789abcdef';
/** What the authors of examples write for a value: your-dsn, <key>, change_me, xxx. */
const PLACEHOLDER =
  /^<.*>$|^\[.*\]$|^(?:your|my|change|replace|insert|enter|todo|some|put|add)[\W_]|^x{3,}|^\.{3}|_here$|^changeme|^secret$/i;
/** Code that ends without a variable, the last name in capitals among its groups; a row for each way. */
const REQUIRED = [
  // if (!process.env.API_TOKEN) throw; os.Getenv("API_TOKEN") == "" { log.Fatal.
  /\bif\s*\(?\s*!\s*(?:process\.env(?:\.|\[['"]))?([A-Z][A-Z\d_]+)['"\]]*\s*\)\s*\{?[^}]{0,80}?\b(?:throw|process\.exit|Deno\.exit)\b/g,
  /\bGetenv\("([A-Z][A-Z\d_]*)"\)\s*==\s*""\s*\{[^}]{0,80}?(?:Fatal|panic|os\.Exit)/g,
  // token = os.getenv("API_TOKEN"), on the next line: if not token: raise.
  /\b(\w+)\s*:?=\s*[^;\n]*[eE]nv[^;\n]*?['".]([A-Z][A-Z\d_]+)\b[^;\n]*;?\s*if\s*\(?\s*(?:!|not\s)?\s*\1\b[^}]{0,100}?\b(?:throw|raise|exit|Fatal\w*|panic)\b/g,
  // process.env.API_TOKEN ?? fail(), invariant(process.env.API_TOKEN, ...),
  // GetEnvironmentVariable("API_TOKEN") ?? throw.
  /\bprocess\.env\.([A-Z][A-Z\d_]*)\s*(?:\?\?|\|\|)\s*(?:fail|raise|panic|missing|abort|throw|\(\(\)\s*=>)/g,
  /\b(?:invariant|assert(?:\.ok)?|require\w*|must\w*|getOrThrow(?:<\w+>)?)\(\s*(?:process\.env\.|['"])([A-Z][A-Z\d_]*)\b/gi,
  /GetEnvironmentVariable\("([A-Z][A-Z\d_]*)"\)\s*\?\?\s*throw/g,
  // os.environ["API_TOKEN"], ENV.fetch("API_TOKEN"), env::var("API_TOKEN").expect(),
  // env:"API_TOKEN,required".
  /\bos\.environ\[['"]([A-Z][A-Z\d_]*)['"]\](?!\s*=[^=])/g,
  /\bENV\.fetch\(['"]([A-Z][A-Z\d_]*)['"]\)|\benv::var\("([A-Z][A-Z\d_]*)"\)\s*(?:\.(?:expect|unwrap)\(|\?)|\benv:"([A-Z][A-Z\d_]*),(?:required|notEmpty)/g,
  // Schemas declare it: API_TOKEN: z.string(); API_TOKEN: str, in a class BaseSettings.
  /^\s*([A-Z][A-Z\d]*_[A-Z\d_]+)\s*:\s*(?:z\.(?!.*(?:default|optional))|str\s*$|str\(\)|Joi\.(?=.*required))/gm,
];
/** Names of what a stranger must not know; others need a value of their own. */
const SECRET = /TOKEN|KEY|SECRET|PASSW|CREDENTIAL|SALT/;
/** Code that reads .env by itself. */
const READS_FILE = /dotenv|env-file|env-cmd|ConfigModule|pydantic|load_dotenv|environ\b|Illuminate/;

/** Ends the server where the file is missing. */
export const ENV_FILE = / --env-file=(\S+)/g;

/**
 * The server reads the files in `copy`, which git may ignore, and needs variables in `missing` without
 * values.
 * @typedef {{ env: Record<string, string>, copy: string[], missing: string[], toDos: string[] }} Settings
 */

/**
 * @param {Project} project
 * @param {string[]} needs databases: of several examples, the one that names such a database is used
 * @param {string} command starts the server
 * @returns {Settings}
 */
export function findSettings({ own, folder }, needs, command) {
  const examples = [...own].filter(([file]) => EXAMPLE.test(nameOf(file))).map(([, text]) => text);
  // An example has the values of .env.
  const isThere = (/** @type {string} */ file) =>
    own.has(posix.join(folder, file)) && (file !== '.env' || examples.length === 0);
  const usual = READS_FILE.test(joinedText(own)) ? ['.env'] : [];
  const named = [...command.matchAll(ENV_FILE)].map(([, file = '']) => posix.normalize(file));
  const copy = [...new Set([...usual, ...named])].filter(isThere);
  if (copy.length > 0 || isThere('.env')) return { env: {}, missing: [], toDos: [], copy };
  const code = joinedText(own, (file) => !EXAMPLE.test(nameOf(file)) && !nameOf(file).startsWith('.env'));
  const isRead = (/** @type {string} */ name) => new RegExp(`\\b${name}\\b`).test(code);
  const example = examples.find((text) => needs.some((id) => text.includes(`=${id}`))) ?? examples[0] ?? '';
  const pairs = pairsIn(example).filter(([name]) => isRead(name));
  const isOurs = (/** @type {string} */ name) => GIVEN.test(name) || isAddress(name);
  // ${PORT} in a value of perf.yml is read from the machine that plans.
  const isKnown = (/** @type {string} */ value) =>
    value !== '' && !ELSEWHERE.test(value) && !value.includes('${') && !PLACEHOLDER.test(value);
  const values = pairs.filter(([name, value]) => isKnown(value) && (!isOurs(name) || FILE.test(value)));
  const env = Object.fromEntries([
    ...[...code.matchAll(ANY_VALUE)].map(([, name = '']) => [name, MADE_UP]),
    ...values.map(([name, value]) => [name, RATE_LIMIT.test(name) && /^\d+$/.test(value) ? NO_LIMIT : value]),
  ]);
  const required = requiredIn(code).filter((name) => !isOurs(name) && !(name in env));
  const secrets = required.filter((name) => SECRET.test(name));
  const missing = [...pairs.map(([name]) => name), ...required].filter(
    (name) => !isOurs(name) && !(name in env) && !secrets.includes(name),
  );
  return {
    env: { ...env, ...Object.fromEntries(secrets.map((name) => [name, TOKEN])) },
    copy: [],
    missing: [...new Set(missing)],
    toDos:
      secrets.length > 0 ? [`${secrets.join(', ')}: write what your server accepts instead of ${TOKEN}`] : [],
  };
}

/** The variables without which the code ends. @type {(code: string) => string[]} */
function requiredIn(code) {
  const thrown = REQUIRED.flatMap((pattern) =>
    [...code.matchAll(pattern)].flatMap(
      (match) => match.findLast((group) => /^[A-Z][A-Z\d_]+$/.test(group)) ?? [],
    ),
  );
  return [...new Set([...thrown, ...requiredBySchema(code)])];
}

/** Those that a schema of `@fastify/env` requires and gives no default. @type {(code: string) => string[]} */
function requiredBySchema(code) {
  if (!/['"](?:@fastify\/env|env-schema)['"]/.test(code)) return [];
  return [...code.matchAll(/\brequired\s*:\s*\[([^\]]*)\]/g)]
    .flatMap(([, list = '']) => list.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? [])
    .filter((name) => !new RegExp(`\\b${name}\\b['"]?\\s*:\\s*\\{[^}]*\\bdefault\\s*:`).test(code));
}

/** Reads lines of NAME=value. @type {(text: string) => [name: string, value: string][]} */
function pairsIn(text) {
  return [...text.matchAll(/^\s*(?:export\s+)?(\w+)\s*=[ \t]*(.*)$/gm)].map(([, name = '', raw = '']) => [
    name,
    /^(['"])(.*?)\1/.exec(raw)?.[2] ?? raw.replace(/(^|\s+)#.*$/, '').trim(),
  ]);
}
