/**
 * The secrets of a run: for servers and load tools; no file, message or log of the engine may hold them.
 * @import { Case, Route, Row, Side } from '../types.js'
 * @import { Hide } from './hidden-text.js'
 */

import { jsonIn } from '../model/json.js';
import { allowedEnvironment } from '../system/process/allowed-environment.js';
import { secret, writtenIn } from './hidden-text.js';
import { REFERENCE } from './variables.js';

/** Headers with such names are secret; an owner marks others. */
const SECRET_HEADER =
  /auth|cookie|token|secret|passw|credential|session|signature|jwt|(api|access|private|functions|subscription)-?key/i;
/** Variables of a manifest with such names have secret values. */
const SECRET_VARIABLE = /TOKEN|SECRET|PASSW|CREDENTIAL|PRIVATE|(^|_)(KEY|PWD|DSN|AUTH|SALT)($|_)/i;
/** Says how the rest of a header is to be read. */
const SCHEME = /^(?:basic|bearer|digest|token|negotiate|apikey|hmac)\s+/i;
/** The password before the host of an address; over HTTP also a user alone, which is a token there. */
const PASSWORD = /(:\/\/[^\s/?#@:]*:|\bhttps?:\/\/)([^\s/?#@]+)(?=@)/gi;
/** Shorter ones are in every log by chance. */
const LEAST_LENGTH = 4;
const HIDDEN = '‹secret›';

/** A JSON text that is one reference (the value keeps its type), or a reference in one. A key stays text. */
const IN_JSON = /(?<!\\)"\$\{([A-Za-z_]\w*)\}"(?!\s*:)|\$\{([A-Za-z_]\w*)\}/g;

/**
 * What a request may hold.
 * @typedef {Pick<Route, 'headers'> & { path?: string, body?: string | Uint8Array } & Partial<Pick<Route,
 *   'bodyFile' | 'data'>>} Sent
 */
/** @typedef {{ path: string, headers: Record<string, string>, body?: string | Uint8Array }} Revealed */
/** What a `${NAME}` stands for. @typedef {(name: string) => unknown} Values */
/** A secret's value, and what is shown in its place. @typedef {Map<string, string>} Secrets */

const inJson = (/** @type {string} */ text) => JSON.stringify(text).slice(1, -1);

/** Removes the passwords of addresses. @type {(text: string) => string} */
export function withoutPasswords(text) {
  return text.replace(PASSWORD, `$1${HIDDEN}`);
}

/** The row's fields take precedence. @type {(caller: NodeJS.ProcessEnv, row?: Row) => Values} */
export function valuesOf(caller, row = {}) {
  return (name) => (Object.hasOwn(row, name) ? row[name] : (caller[name] ?? ''));
}

/**
 * @param {string} text
 * @param {Values} valueOf
 * @param {(value: string) => string} [encode]
 * @returns {string} as it is sent: each `${NAME}` replaced by its value
 */
export function reveal(text, valueOf, encode = (value) => value) {
  return (writtenIn(text)?.text ?? text).replace(REFERENCE, (_, name) => encode(textOf(valueOf(name))));
}

/** Encodes each value as one part of an address. @type {(path: string, valueOf: Values) => string} */
export function revealPath(path, valueOf) {
  return reveal(path, valueOf, encodeURIComponent);
}

/**
 * @template {Sent} T
 * @param {T} request
 * @param {NodeJS.ProcessEnv} caller
 * @returns {Omit<T, 'body' | 'data'> & Revealed & { variants?: Revealed[] }} as it is sent; variants: one a
 *   row of its data, the first of which it is itself
 */
export function revealRequest({ data, ...request }, caller) {
  const { bodyFile: _, ...sent } = request;
  const variants = (data?.rows ?? [{}]).map((row) => revealParts(request, valuesOf(caller, row)));
  return /** @type {any} */ ({ ...sent, ...variants[0], ...(data && { variants }) });
}

/** @type {(request: Omit<Sent, 'data'>, valueOf: Values) => Revealed} */
export function revealParts({ path, headers, bodyFile, ...request }, valueOf) {
  const body = bodyFile?.base64 === undefined ? request.body : Buffer.from(bodyFile.base64, 'base64');
  return /** @type {any} */ ({
    ...(path !== undefined && { path: revealPath(path, valueOf) }),
    headers: mapValues(headers, (_name, value) => reveal(value, valueOf)),
    ...(body !== undefined && { body: typeof body === 'string' ? revealBody(body, valueOf) : body }),
  });
}

/** JSON stays JSON, whatever the values contain. @type {(body: string, valueOf: Values) => string} */
function revealBody(body, valueOf) {
  if (!body.includes('${') || jsonIn(body) === undefined) return reveal(body, valueOf);
  return body.replace(IN_JSON, (_, whole, part) =>
    whole === undefined ? inJson(textOf(valueOf(part))) : JSON.stringify(valueOf(whole)),
  );
}

/** @param {unknown} value */
function textOf(value) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** marked: names of more secret headers. @type {(name: string, marked?: string[]) => boolean} */
export function isSecretHeader(name, marked = []) {
  return SECRET_HEADER.test(name) || marked.some((header) => header.toLowerCase() === name.toLowerCase());
}

/** Hides the passwords of its addresses. @type {(text: string) => string} */
export function hidingPasswords(text) {
  return withoutPasswords(text) === text ? text : secret(text, withoutPasswords);
}

/** Hides the secrets among them. @type {(env: Record<string, string>) => Record<string, string>} */
export function hidingVariables(env) {
  return mapValues(env, (name, value) =>
    SECRET_VARIABLE.test(name) ? secret(value, hideParts) : hidingPasswords(value),
  );
}

/** Of a file and of rows, digest and number say enough. @type {<T extends Route>(request: T) => T} */
export function hidingRequest({ secretHeaders: marked, ...request }) {
  const { headers, path, bodyFile, data } = request;
  if (bodyFile) Object.defineProperty(bodyFile, 'base64', { enumerable: false });
  if (data) Object.defineProperty(data, 'rows', { enumerable: false });
  const hidden = mapValues(headers, (name, value) => hidingHeader(name, value, marked));
  return /** @type {any} */ ({ ...request, headers: hidden, path: hidingPasswords(path) });
}

/** marked: more secret headers. @type {(name: string, value: string, marked?: string[]) => string} */
export function hidingHeader(name, value, marked) {
  if (!isSecretHeader(name, marked)) return hidingPasswords(value);
  return secret(value, /^cookie$/i.test(name) ? hideCookies : hideCredentials);
}

/** Keeps the names of cookies. @type {(text: string, hide: Hide) => string} */
function hideCookies(text, hide) {
  return text.replace(/(\s*[^=;\s]+=)?([^;]*[^;\s])/g, (_, key = '', rest) => key + hideParts(rest, hide));
}

/** Keeps the scheme. @type {(text: string, hide: Hide) => string} */
function hideCredentials(text, hide) {
  const [scheme = ''] = SCHEME.exec(text) ?? [];
  return scheme + hideParts(text.slice(scheme.length), hide);
}

/** Keeps each `${NAME}`. @type {(text: string, hide: Hide) => string} */
function hideParts(text, hide) {
  return text
    .split(/(\$\{[A-Za-z_]\w*\})/)
    .map((part, place) => (place % 2 === 1 || part.trim() === '' ? part : hide(part)))
    .join('');
}

/** Of requests and servers. @type {(sides: Side[], cases: Case[], caller: NodeJS.ProcessEnv) => Secrets} */
export function knownSecrets(sides, cases, caller) {
  const servers = sides.flatMap((side) => Object.values(side.servers));
  /** @type {Sent[]} */
  const requests = [
    ...servers.flatMap(({ routes, before }) => [...routes, before ?? []].flat()),
    ...cases.map(({ request }) => request),
  ];
  const texts = [
    ...requests.flatMap(({ headers, body, path = '' }) => [...Object.values(headers), body, path]),
    ...servers.flatMap(({ ready, env }) => [ready.path, ...Object.values(env)]),
  ];
  /** @type {Secrets} */
  const secrets = new Map(texts.flatMap((text) => [...(writtenIn(text)?.parts ?? [])]));
  for (const { headers, data } of requests)
    for (const [shown, field = ''] of Object.values(headers).filter(writtenIn).flatMap(referencesIn))
      for (const row of data?.rows ?? [])
        if (Object.hasOwn(row, field)) secrets.set(textOf(row[field]), shown);
  const names = [
    ...texts.flatMap(referencesIn).map(([, name = '']) => name),
    ...servers.flatMap(({ passEnv = [] }) => passEnv),
  ];
  // What every program gets, like HOME, is not a secret.
  const harmless = allowedEnvironment(caller);
  for (const name of names) {
    const value = caller[name];
    if (value === undefined || name in harmless) continue;
    secrets.set(value, `\${${name}}`);
    for (const [, , password = ''] of value.matchAll(PASSWORD)) secrets.set(password, `\${${name}}`);
  }
  return secrets;
}

/** @param {string | Uint8Array | undefined} text */
function referencesIn(text) {
  const written = writtenIn(text)?.text ?? text;
  return typeof written === 'string' ? [...written.matchAll(REFERENCE)] : [];
}

/**
 * Returns what replaces them, also where they are encoded or cut, and passwords of addresses.
 * @type {(secrets: Secrets) => (text: string) => string}
 */
export function concealing(secrets) {
  const forms = new Map(
    [...secrets].flatMap(([value, shown]) =>
      formsOf(value).flatMap((form) => (form.length < LEAST_LENGTH ? [] : [[form, shown]])),
    ),
  );
  if (forms.size === 0) return withoutPasswords;
  const longestFirst = [...forms.keys()].sort((a, b) => b.length - a.length);
  const escaped = longestFirst.map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const any = new RegExp(escaped.join('|'), 'g');
  /** @param {string} text that was cut, so that it may end with the beginning of a secret */
  const withoutBeginning = (text) => {
    if (text.length < LEAST_LENGTH) return text;
    const last = text.at(-1);
    for (const form of longestFirst)
      for (let length = form.length - 1; length >= LEAST_LENGTH; length--)
        if (form[length - 1] === last && text.endsWith(form.slice(0, length)))
          return text.slice(0, -length) + forms.get(form);
    return text;
  };
  return (text) =>
    withoutPasswords(text.replace(any, (form) => forms.get(form) ?? HIDDEN))
      .split('…')
      .map((part, place, { length }) => (place < length - 1 ? withoutBeginning(part) : part))
      .join('…');
}

/** As programs print it: by line, in JSON, in an address, in base64. @type {(value: string) => string[]} */
function formsOf(value) {
  const lines = [value, ...value.split(/\r?\n/)].map((line) => line.trim());
  return [
    ...lines.flatMap((line) => [line, inJson(line), inJson(inJson(line))]),
    ...lines.map((line) => encodeURIComponent(Buffer.from(line).toString())),
    Buffer.from(value).toString('base64').replace(/=+$/, ''),
  ];
}

/** @type {<T, R = T>(values: Record<string, T>, change: (key: string, of: T) => R) => Record<string, R>} */
function mapValues(values, change) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(name, value)]));
}
