/**
 * The secrets of a run: servers and load tools get them, but no file, message or log of the engine may hold them.
 * @import { BodyFile, Case, Plan, RequestData, Route, Row, Server, Side, Step } from '../types.js'
 */

import { scryptSync } from 'node:crypto';
import { jsonIn } from '../model/json.js';
import { allowedEnvironment } from '../system/process/allowed-environment.js';
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

/** A text of JSON that is one reference, whose value keeps its type; or a reference inside one. A key stays text. */
const IN_JSON = /(?<!\\)"\$\{([A-Za-z_]\w*)\}"(?!\s*:)|\$\{([A-Za-z_]\w*)\}/g;

/** What a request may hold. @typedef {Pick<Route, 'headers'> & { path?: string, body?: string | Uint8Array } & { [key in 'secretHeaders' | 'bodyFile' | 'data']?: Route[key] | undefined }} Sent */
/** What varies of a request. @typedef {{ path: string, headers: Record<string, string>, body?: string | Uint8Array }} Revealed */
/** What a `${NAME}` stands for. @typedef {(name: string) => unknown} Values */
/** A secret's value, and what is shown in its place. @typedef {Map<string, string>} Secrets */
/** @typedef {(secret: string) => string} Hide */

const inJson = (/** @type {string} */ text) => JSON.stringify(text).slice(1, -1);

/** @param {string} text @returns {string} without the passwords of addresses */
export function withoutPasswords(text) {
  return text.replace(PASSWORD, `$1${HIDDEN}`);
}

/** @param {NodeJS.ProcessEnv} caller @param {Row} [row] whose fields take precedence @returns {Values} */
export function valuesOf(caller, row = {}) {
  return (name) => (Object.hasOwn(row, name) ? row[name] : (caller[name] ?? ''));
}

/** @param {string} text @param {Values} valueOf @param {(value: string) => string} [encode] @returns {string} each `${NAME}` replaced by its value */
export function reveal(text, valueOf, encode = (value) => value) {
  return text.replace(REFERENCE, (_, name) => encode(textOf(valueOf(name))));
}

/** @param {string} path @param {Values} valueOf @returns {string} the same, each value encoded as one part of an address */
export function revealPath(path, valueOf) {
  return reveal(path, valueOf, encodeURIComponent);
}

/**
 * @template {Sent} T
 * @param {T} request
 * @param {NodeJS.ProcessEnv} caller
 * @returns {Omit<T, 'body' | 'data'> & Revealed & { variants?: Revealed[] }} as it is sent; variants: one a row of its data, the first of
 *   which it is itself
 */
export function revealRequest({ secretHeaders: _, data, ...request }, caller) {
  const { bodyFile: __, ...sent } = request;
  const variants = (data?.rows ?? [{}]).map((row) => revealParts(request, valuesOf(caller, row)));
  return /** @type {any} */ ({ ...sent, ...variants[0], ...(data && { variants }) });
}

/** @param {Omit<Sent, 'data'>} request @param {Values} valueOf @returns {Revealed} */
export function revealParts({ path, headers, bodyFile, ...request }, valueOf) {
  const body = bodyFile?.base64 === undefined ? request.body : Buffer.from(bodyFile.base64, 'base64');
  return /** @type {any} */ ({
    ...(path !== undefined && { path: revealPath(path, valueOf) }),
    headers: mapValues(headers, (_name, value) => reveal(value, valueOf)),
    ...(body !== undefined && { body: typeof body === 'string' ? revealBody(body, valueOf) : body }),
  });
}

/** JSON stays JSON, whatever the values contain. @param {string} body @param {Values} valueOf */
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

/** @param {string} name @param {string[]} [marked] names of more secret headers */
export function isSecretHeader(name, marked = []) {
  return SECRET_HEADER.test(name) || marked.some((header) => header.toLowerCase() === name.toLowerCase());
}

/**
 * @param {string} name
 * @param {string} value
 * @param {{ marked?: string[], hide: Hide }} how marked: names of more secret headers
 * @returns {string} its secret parts hidden; a `${NAME}`, the scheme and the names of cookies stay
 */
export function redactedHeader(name, value, { marked, hide }) {
  if (!isSecretHeader(name, marked)) return value;
  if (/^cookie$/i.test(name))
    return value.replace(/(\s*[^=;\s]+=)?([^;]*[^;\s])/g, (_, key = '', rest) => key + hideParts(rest, hide));
  const [scheme = ''] = SCHEME.exec(value) ?? [];
  return scheme + hideParts(value.slice(scheme.length), hide);
}

/** @param {string} text @param {Hide} hide */
function hideParts(text, hide) {
  return text
    .split(/(\$\{[A-Za-z_]\w*\})/)
    .map((part, place) => (place % 2 === 1 || part.trim() === '' ? part : hide(part)))
    .join('');
}

/** @param {Case[]} cases @returns {Map<Case, Case>} each as it may be stored */
export function redactedCases(cases) {
  const hide = placeholders();
  return new Map(cases.map((each) => [each, { ...each, request: redactedRequest(each.request, hide) }]));
}

/** @template {Server} T @param {T[]} servers @returns {T[]} as they may be printed */
export function redactedServers(servers) {
  const hide = placeholders();
  return servers.map((server) => ({
    ...server,
    ready: { ...server.ready, path: withoutPasswords(server.ready.path) },
    routes: server.routes.map((route) => redactedRequest(route, hide)),
    ...(server.before && { before: redactedRequest(server.before, hide) }),
    env: mapValues(server.env, (name, value) =>
      SECRET_VARIABLE.test(name) ? hideParts(value, hide) : withoutPasswords(value),
    ),
  }));
}

/** @param {Plan} plan @returns as it may be printed, with each step as the places of its side and its case */
export function redactedPlan(plan) {
  const sides = plan.sides.map((side) => ({
    ...side,
    servers: Object.fromEntries(
      redactedServers(Object.values(side.servers)).map((server) => [server.id, server]),
    ),
  }));
  const placed = (/** @type {Step} */ step) => {
    return { side: plan.sides.indexOf(step.side), case: plan.cases.indexOf(step.case) };
  };
  const order = plan.order.map((groups) => groups.map((group) => group.map(placed)));
  return { ...plan, sides, cases: [...redactedCases(plan.cases).values()], order };
}

/** @template {Sent} T @param {T} request @param {Hide} hide @returns {T} */
function redactedRequest({ secretHeaders: marked, ...request }, hide) {
  const { path } = request;
  const { base64: _, ...bodyFile } = /** @type {Partial<BodyFile>} */ (request.bodyFile ?? {});
  const { rows: __, ...data } = /** @type {Partial<RequestData>} */ (request.data ?? {});
  return /** @type {any} */ ({
    ...request,
    headers: mapValues(request.headers, (name, value) => redactedHeader(name, value, { marked, hide })),
    // The digest of a file says enough.
    ...(request.bodyFile && { bodyFile }),
    ...(request.data && { data }),
    ...(path !== undefined && { path: withoutPasswords(path) }),
  });
}

/**
 * Equal values have equal placeholders on every day, so that runs that sent different ones can be distinguished. The digest is
 * slow, computed once per value, and cut to 16 bits: one guess in 65,536 fits.
 * @returns {Hide}
 */
function placeholders() {
  const known = new Map();
  return (value) => {
    if (!known.has(value)) {
      const digest = scryptSync(value, 'perf-action: equal values of a secret', 2).toString('hex');
      known.set(value, `‹secret ${digest}›`);
    }
    return known.get(value);
  };
}

/** All that is known: what the requests send and the servers get. @param {Side[]} sides @param {Case[]} cases @param {NodeJS.ProcessEnv} caller */
export function knownSecrets(sides, cases, caller) {
  const servers = sides.flatMap((side) => Object.values(side.servers));
  /** @type {Sent[]} */
  const requests = [
    ...servers.flatMap(({ routes, before }) => [...routes, before ?? []].flat()),
    ...cases.map(({ request }) => request),
  ];
  /** @type {Secrets} */
  const secrets = new Map();
  const placeholder = placeholders();
  const add = (/** @type {string} */ value) => {
    secrets.set(value, placeholder(value));
    return value;
  };
  for (const { headers, secretHeaders: marked, data } of requests)
    for (const [name, value] of Object.entries(headers)) {
      redactedHeader(name, value, { marked, hide: add });
      if (!isSecretHeader(name, marked)) continue;
      for (const [shown, field = ''] of value.matchAll(REFERENCE))
        for (const row of data?.rows ?? [])
          if (Object.hasOwn(row, field)) secrets.set(textOf(row[field]), shown);
    }
  const written = servers.flatMap(({ env }) => Object.entries(env));
  for (const [name, value] of written) if (SECRET_VARIABLE.test(name)) hideParts(value, add);
  const texts = [
    ...requests.flatMap(({ headers, body, path = '' }) => [...Object.values(headers), body, path]),
    ...servers.map(({ ready }) => ready.path),
    ...written.map(([, value]) => value),
  ];
  const names = [
    ...texts
      .flatMap((text) => (typeof text === 'string' ? [...text.matchAll(REFERENCE)] : []))
      .map(([, name]) => name ?? ''),
    ...servers.flatMap(({ passEnv = [] }) => passEnv),
  ];
  // What every program gets, like HOME, is not a secret.
  const open = allowedEnvironment(caller);
  for (const name of names) {
    const value = caller[name];
    if (value === undefined || name in open) continue;
    secrets.set(value, `\${${name}}`);
    for (const [, , password = ''] of value.matchAll(PASSWORD)) secrets.set(password, `\${${name}}`);
  }
  return secrets;
}

/** @param {Secrets} secrets @returns {(text: string) => string} replaces them, also where they are encoded or cut, and passwords of addresses */
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

/** @param {string} value @returns {string[]} as programs print it: whole and by line, in JSON (also quoted in JSON), in an address, in base64 */
function formsOf(value) {
  const lines = [value, ...value.split(/\r?\n/)].map((line) => line.trim());
  return [
    ...lines.flatMap((line) => [line, inJson(line), inJson(inJson(line))]),
    ...lines.map((line) => encodeURIComponent(Buffer.from(line).toString())),
    Buffer.from(value).toString('base64').replace(/=+$/, ''),
  ];
}

/** @template T, [R=T] @param {Record<string, T>} values @param {(name: string, value: T) => R} change @returns {Record<string, R>} */
function mapValues(values, change) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(name, value)]));
}
