import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);
const ORDERS = Array.from({ length: 100 }, (_, index) => ({ id: index + 1, state: 'open', total: 9.5 }));
const PAGE = fileURLToPath(new URL('./public/page.html', import.meta.url));
const JSON_TYPE = 'application/json; charset=utf-8';

/** What a framework's middleware is without one. */
const passing = Array.from({ length: 10 }, () => (state, next) => {
  state.passed += 1;
  next();
});

/**
 * What servers do beside saying hello.
 * @type {Record<string, (request: import('node:http').IncomingMessage, response:
 *   import('node:http').ServerResponse) => Promise<void>>}
 */
const ROUTES = {
  async 'POST /upload'(request, response) {
    let bytes = 0;
    for await (const chunk of request) bytes += chunk.length;
    answer(response, JSON.stringify({ bytes }));
  },
  async 'GET /middleware'(_request, response) {
    const state = { passed: 0 };
    const run = (place) => {
      const middleware = passing[place];
      if (middleware) middleware(state, () => run(place + 1));
      else answer(response, JSON.stringify(state));
    };
    run(0);
  },
  async 'GET /static/page.html'(_request, response) {
    const { size } = await stat(PAGE);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': size });
    createReadStream(PAGE).pipe(response);
  },
  async 'GET /compressed'({ headers }, response) {
    const text = JSON.stringify(ORDERS);
    response.setHeader('vary', 'accept-encoding');
    const isAsked = /\bgzip\b/.test(String(headers['accept-encoding']));
    if (isAsked) response.setHeader('content-encoding', 'gzip');
    answer(response, isAsked ? await compress(text) : text);
  },
};

const USER = /^\/users\/([^/?]+)$/;

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @returns {boolean} whether it is one of them
 */
export function answerScenario(request, response) {
  const [, id] = (request.method === 'GET' && USER.exec(request.url ?? '')) || [];
  if (id !== undefined) {
    const isValid = /^[1-9]\d{0,8}$/.test(id);
    response.statusCode = isValid ? 200 : 400;
    answer(
      response,
      JSON.stringify(isValid ? { id: Number(id) } : { error: 'id must be a positive integer' }),
    );
    return true;
  }
  const route = ROUTES[`${request.method} ${request.url}`];
  // A client that leaves in the middle is not the server's fault.
  void route?.(request, response).catch(() => response.destroy());
  return route !== undefined;
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {string | Buffer} body
 */
function answer(response, body) {
  response.setHeader('content-type', JSON_TYPE);
  response.setHeader('content-length', Buffer.byteLength(body));
  response.end(body);
}
