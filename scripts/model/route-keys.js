/**
 * What a key of a route means: what cannot be sent, what it asks of load tools, and how answers are checked.
 * catalog/server.schema.json has its form, default and help. A new key is a row here, a property there and of
 * a case's request (store/run.schema.json), its words in the reports, and the code that acts on it.
 * @import { IncomingHttpHeaders } from 'node:http'
 * @import { CaseRequest, Route } from '../types.js'
 * @import { DIMENSIONS } from './dimensions.js'
 */

import { isDeepStrictEqual } from 'node:util';
import { excerpt, jsonIn } from './json.js';

/** RFC 9110, 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
/** Of the connection (RFC 9110, 7.6.1) and of the message's frame: load tools set them as they need them. */
const LEFT_TO_TOOLS = ['connection', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade'];
/** Statuses whose answers have no content (RFC 9110, 15.3.5, 15.3.6 and 15.4.5). */
const BODILESS = [204, 205, 304];
const BODILESS_ANSWER = `an answer to HEAD, or with status ${BODILESS.join(', ')}, has no body`;
const BEGINNING = 'the check reads only the beginning of a stream';
const UNCHECKED = 'remove `body` and `json` from `expect`';
/** A tab is allowed inside a value. */
export const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/**
 * With its variables filled in.
 * @typedef {{ path?: string, headers: Route['headers'], body?: string | Uint8Array }} Sent
 */
/** text: its body, if `expect` asks for it @typedef {{ headers: IncomingHttpHeaders, text: string }} Got */
/** What is wrong. @typedef {(string | false | undefined)[]} Whys */

/**
 * @typedef {object} RouteKey
 * @property {string} key
 * @property {string} [can] what a load tool must be able to do for it
 * @property {string} [what] in words, as in "ab cannot ..."
 * @property {(request: CaseRequest) => boolean} [isAsked] whether it must; absent: if the request has the key
 * @property {readonly (readonly [typeof DIMENSIONS[number]['key'], string])[]} [excludes] of a load with it
 * @property {string} [because] it excludes them
 * @property {(route: Partial<Route>, sent: Sent) => Whys} [refusals] of what cannot be sent, or answered
 * @property {(wanted: any, answer: Got) => Whys} [check] apart from its status
 */

const TABLE = /** @type {const} @satisfies {readonly RouteKey[]} */ ([
  {
    key: 'path',
    can: 'anyPath',
    what: 'ask for a path that begins with two slashes',
    isAsked: ({ path }) => path.startsWith('//'),
    refusals: (_, { path = '' }) => [
      CONTROL.test(path) && 'the path contains a line break or another control character; encode it',
    ],
  },
  {
    key: 'method',
    can: 'bodiless',
    what: 'read an answer that has a length but no body, as to HEAD or with 304',
    isAsked: ({ method, expectedStatus }) => method === 'HEAD' || expectedStatus === 304,
  },
  {
    key: 'headers',
    refusals: ({ data }, { headers, body = '' }) =>
      Object.entries(headers).map((header) => whyNotSent(header, data ? undefined : body)),
  },
  {
    key: 'body',
    refusals: ({ method, body, bodyFile }) => [
      method === 'HEAD' &&
        (body ?? bodyFile) !== undefined &&
        'HEAD is sent without a body; remove it, or use another method',
    ],
  },
  {
    key: 'bodyFile',
    refusals: ({ body, bodyFile }) => [
      bodyFile && body !== undefined && 'there are both body and bodyFile; remove one of the two',
    ],
  },
  { key: 'data', can: 'data', what: 'send requests that vary' },
  {
    key: 'stream',
    can: 'stream',
    what: 'time the first byte and the events of a stream',
    excludes: [
      ['load.threads', 'threads'],
      ['load.pipelining', 'pipelining'],
      ['load.rate', 'a rate'],
    ],
    because: 'a stream keeps its connection, so the connections set the load',
    refusals: ({ method, stream, expect }) => [
      stream && isBodiless(method, expect?.status) && `${BODILESS_ANSWER}; remove \`stream\``,
    ],
  },
  {
    key: 'expect',
    can: 'anyStatus',
    what: 'tell an expected status outside 2xx from an error',
    isAsked: ({ expectedStatus }) => expectedStatus !== undefined,
    refusals: ({ method, stream, expect: { status, body, json } = { status: 200 } }) => [
      (body || json !== undefined) && isBodiless(method, status) && `${BODILESS_ANSWER}; ${UNCHECKED}`,
      (body ?? json) !== undefined && stream && `${BEGINNING}; ${UNCHECKED}`,
    ],
    check: ({ type, body, json }, { headers, text }) => [
      type !== undefined &&
        mediaType(headers) !== type &&
        `content type ${mediaType(headers) ?? 'missing'}, expected ${type}`,
      body !== undefined && text !== body && `body ${excerpt(text)}, expected ${excerpt(body)}`,
      json !== undefined &&
        !isDeepStrictEqual(jsonIn(text), json) &&
        `body ${excerpt(text)}, expected ${excerpt(JSON.stringify(json))}`,
    ],
  },
]);

/** @type {readonly RouteKey[]} */
export const ROUTE_KEYS = TABLE;

/** @typedef {Extract<typeof TABLE[number], { can: string }>['can']} RouteAbility */

/** The media type, without parameters. @type {(headers: Got['headers']) => string | undefined} */
export function mediaType(headers) {
  return headers['content-type']?.split(';')[0]?.trim();
}

/** @type {(method?: string, status?: number) => boolean} */
function isBodiless(method, status = 200) {
  return method === 'HEAD' || BODILESS.includes(status);
}

/**
 * @param {[name: string, value: string]} header
 * @param {Sent['body']} body undefined where it varies
 */
function whyNotSent([name, value], body) {
  const quoted = JSON.stringify(name);
  if (!HEADER_NAME.test(name)) return `${quoted} is not a valid header name; use letters, digits and hyphens`;
  const isLength = /^content-length$/i.test(name);
  const isWrong = isLength && (body === undefined || Number(value) !== Buffer.byteLength(body));
  if (isWrong || LEFT_TO_TOOLS.includes(name.toLowerCase()))
    return `${quoted} is left to the load tools, which frame requests and keep connections; remove it`;
  const why = `the value of ${quoted} contains a line break or another control character; remove it`;
  return CONTROL.test(value) && why;
}
