/**
 * The secrets of a run: servers and load tools get them, but no file, message or log of the engine may hold them.
 * @import { Case, Plan, Route, Server, Side } from '../types.js'
 */

import { scryptSync } from 'node:crypto';
import { allowedEnvironment } from '../system/process/environment.js';
import { bodyOf } from '../system/body-file.js';
import { REFERENCE } from './variables.js';

/** Headers by their names; an owner marks others. */
const SECRET_HEADER =
  /auth|cookie|token|secret|passw|credential|session|signature|jwt|(api|access|private|functions|subscription)-?key/i;
/** Variables by their names, whose values a manifest writes out. */
const SECRET_VARIABLE = /TOKEN|SECRET|PASSW|CREDENTIAL|PRIVATE|(^|_)(KEY|PWD|DSN|AUTH|SALT)($|_)/i;
/** A header says by which of these it is to be read. */
const SCHEME = /^(?:basic|bearer|digest|token|negotiate|apikey|hmac)\s+/i;
/** Whatever stands in front of the host of an address; a user alone only where the web knows no such thing. */
const PASSWORD = /(:\/\/[^\s/?#@:]*:|\bhttps?:\/\/)([^\s/?#@]+)(?=@)/gi;
/** Shorter ones stand in every log by chance. */
const LEAST_LENGTH = 4;
const HIDDEN = '‹secret›';

/** What a request may hold. @typedef {Pick<Route, 'headers' | 'secretHeaders' | 'bodyFile'> & { path?: string, body?: string | Uint8Array | undefined }} Sent */
/** A secret's value, and what is told in its place. @typedef {Map<string, string>} Secrets */

/**
 * Equal values have equal digests on every day, so that runs can be told apart that sent others. Slow, and cut to 16 bits:
 * whoever guesses finds that one guess in 65,536 fits.
 * @param {string} value
 * @returns {string}
 */
function placeholder(value) {
  const digest = scryptSync(value, 'perf-action: equal values of a secret', 2).toString('hex');
  return `‹secret ${digest}›`;
}

/** @param {string} text @returns {string} without the passwords of addresses */
export function withoutPasswords(text) {
  return text.replace(PASSWORD, `$1${HIDDEN}`);
}

/**
 * @param {string} text
 * @param {NodeJS.ProcessEnv} caller
 * @returns {string} each `${NAME}` replaced by the caller's value
 */
export function reveal(text, caller) {
  return text.replace(REFERENCE, (_, name) => caller[name] ?? '');
}

/**
 * @template {Sent} T
 * @param {T} request
 * @param {NodeJS.ProcessEnv} caller
 * @returns {Omit<T, 'body'> & { body?: string | Uint8Array }} as it is sent
 */
export function revealRequest({ secretHeaders: _, bodyFile, ...request }, caller) {
  const { path, headers } = request;
  const body = bodyOf({ body: request.body, bodyFile });
  return /** @type {any} */ ({
    ...request,
    ...(path !== undefined && { path: reveal(path, caller) }),
    headers: mapValues(headers, (_name, value) => reveal(value, caller)),
    ...(body !== undefined && { body: typeof body === 'string' ? reveal(body, caller) : body }),
  });
}

/**
 * @param {string} name
 * @param {string} value
 * @param {{ marked?: string[] | undefined, hide: (secret: string) => string }} how marked: names of secret headers beside the known
 * @returns {string} with what is secret in it replaced; a `${NAME}` stays, and so does what says how the rest is to be read
 */
export function tellHeader(name, value, { marked = [], hide }) {
  const isMarked = marked.some((each) => each.toLowerCase() === name.toLowerCase());
  if (!isMarked && !SECRET_HEADER.test(name)) return value;
  if (/^cookie$/i.test(name)) {
    return value.replace(/(\s*[^=;\s]+=)?([^;]*[^;\s])/g, (_, key = '', rest) => key + hideParts(rest, hide));
  }
  const [scheme = ''] = SCHEME.exec(value) ?? [];
  return scheme + hideParts(value.slice(scheme.length), hide);
}

/** @param {string} text @param {(secret: string) => string} hide */
function hideParts(text, hide) {
  return text
    .split(/(\$\{[A-Za-z_]\w*\})/)
    .map((part, place) => (place % 2 === 1 || part.trim() === '' ? part : hide(part)))
    .join('');
}

/** @param {Case[]} cases @returns {Case[]} as they may be stored */
export function toldCases(cases) {
  const hide = oncePerValue();
  return cases.map((of) => ({ ...of, request: toldRequest(of.request, hide) }));
}

/** @param {Plan} plan @returns {Plan} as it may be printed */
export function toldPlan(plan) {
  const hide = oncePerValue();
  const tellServer = (/** @type {Server} */ server) => ({
    ...server,
    ready: { ...server.ready, path: withoutPasswords(server.ready.path) },
    routes: server.routes.map((route) => toldRequest(route, hide)),
    env: mapValues(server.env, (name, value) =>
      SECRET_VARIABLE.test(name) ? hideParts(value, hide) : withoutPasswords(value),
    ),
  });
  const sides = plan.sides.map((side) => ({
    ...side,
    servers: mapValues(side.servers, (_, server) => tellServer(server)),
  }));
  return { ...plan, sides, cases: toldCases(plan.cases) };
}

/**
 * @template {Sent} T
 * @param {T} request
 * @param {(secret: string) => string} hide
 * @returns {T}
 */
function toldRequest({ secretHeaders: marked, ...request }, hide) {
  const headers = mapValues(request.headers, (name, value) => tellHeader(name, value, { marked, hide }));
  const { path, bodyFile } = request;
  return /** @type {any} */ ({
    ...request,
    headers,
    ...(bodyFile && { bodyFile: withoutContent(bodyFile) }),
    ...(path !== undefined && { path: withoutPasswords(path) }),
  });
}

/** @param {import('../types.js').BodyFile} file its digest says enough */
function withoutContent({ base64: _, ...told }) {
  return told;
}

/** @returns {(secret: string) => string} which costs its time once for each value */
function oncePerValue() {
  const known = new Map();
  return (value) => {
    if (!known.has(value)) known.set(value, placeholder(value));
    return known.get(value);
  };
}

/**
 * @param {Side[]} sides
 * @param {Case[]} cases
 * @param {NodeJS.ProcessEnv} caller
 * @returns {Secrets} all that is known: what the requests send, and what the servers are given
 */
export function knownSecrets(sides, cases, caller) {
  const servers = sides.flatMap((side) => Object.values(side.servers));
  /** @type {Sent[]} */
  const requests = [...servers.flatMap(({ routes }) => routes), ...cases.map(({ request }) => request)];
  /** @type {Secrets} */
  const secrets = new Map();
  const hide = oncePerValue();
  const add = (/** @type {string} */ value) => secrets.set(value, hide(value));
  for (const { headers, secretHeaders: marked } of requests)
    for (const [name, value] of Object.entries(headers))
      tellHeader(name, value, { marked, hide: (secret) => (add(secret), secret) });
  const written = servers.flatMap(({ env }) => Object.entries(env));
  for (const [name, value] of written)
    if (SECRET_VARIABLE.test(name)) hideParts(value, (secret) => (add(secret), secret));
  const texts = [
    ...requests.flatMap(({ headers, body, path = '' }) => [
      ...Object.values(headers),
      ...(typeof body === 'string' ? [body] : []),
      path,
    ]),
    ...written.map(([, value]) => value),
  ];
  const names = [
    ...texts.flatMap((text) => [...text.matchAll(REFERENCE)].map(([, name = '']) => name)),
    ...servers.flatMap(({ passEnv = [] }) => passEnv),
  ];
  // Everybody's, like HOME, is no secret.
  const open = allowedEnvironment(caller);
  for (const name of names) {
    const value = caller[name];
    if (value === undefined || name in open) continue;
    secrets.set(value, `\${${name}}`);
    for (const [, , password = ''] of value.matchAll(PASSWORD)) secrets.set(password, `\${${name}}`);
  }
  return secrets;
}

/**
 * @param {Secrets} secrets
 * @returns {(text: string) => string} tells a text without them, also where they stand encoded, and without passwords of
 *   addresses
 */
export function concealing(secrets) {
  /** @type {Secrets} */
  const forms = new Map();
  for (const [value, told] of secrets)
    for (const form of formsOf(value)) if (form.length >= LEAST_LENGTH) forms.set(form, told);
  if (forms.size === 0) return withoutPasswords;
  const longestFirst = [...forms.keys()].sort((a, b) => b.length - a.length);
  const any = new RegExp(
    longestFirst.map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'),
    'g',
  );
  /** @param {string} text that ends where it was cut */
  const withoutBeginning = (text) => {
    const last = text.at(-1);
    if (text.length < LEAST_LENGTH) return text;
    for (const form of longestFirst)
      for (let length = form.length - 1; length >= LEAST_LENGTH; length--)
        if (form[length - 1] === last && text.endsWith(form.slice(0, length)))
          return text.slice(0, -length) + forms.get(form);
    return text;
  };
  return (text) =>
    withoutPasswords(text.replace(any, (found) => forms.get(found) ?? HIDDEN))
      .split('…')
      .map((part, place, { length }) => (place < length - 1 ? withoutBeginning(part) : part))
      .join('…');
}

/**
 * @param {string} value
 * @returns {string[]} as programs print it: whole and by line, in JSON, in an address, in base64
 */
function formsOf(value) {
  const lines = [value, ...value.split(/\r?\n/)].map((line) => line.trim());
  return [
    ...lines,
    ...lines.map(inJson),
    // An answer in JSON that a message quotes.
    ...lines.map((line) => inJson(inJson(line))),
    ...lines.map((line) => encodeURIComponent(Buffer.from(line).toString())),
    Buffer.from(value).toString('base64').replace(/=+$/, ''),
  ];
}

/** @param {string} text */
function inJson(text) {
  return JSON.stringify(text).slice(1, -1);
}

/**
 * @template T, [R=T]
 * @param {Record<string, T>} values
 * @param {(name: string, value: T) => R} change
 * @returns {Record<string, R>}
 */
function mapValues(values, change) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(name, value)]));
}
