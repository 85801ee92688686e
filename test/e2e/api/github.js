/**
 * GitHub's API on loopback, as far as the action uses it. It keeps state, and every request and answer is
 * checked against GitHub's own OpenAPI description: what the real one would refuse is refused here.
 */

import { createServer } from 'node:http';
import { asComment } from './answers.js';
import { readDescription } from './description.js';
import { forkRoutes } from './forks.js';
import { mergeRoutes } from './merges.js';

/**
 * @typedef {import('./answers.js').Comment} Comment
 * @typedef {import('./description.js').Answer} Answer
 * @typedef {Answer & { to: string, done?: boolean }} Trouble answers one request of that method instead of
 *   the true answer; done: after the request had its effect
 * @typedef {{ mayWrite?: boolean, comments?: Comment[], login?: string, troubles?: Trouble[], before?:
 *   (request: string) => unknown } & import('./forks.js').Forks & import('./merges.js').Merges} State login:
 *   whose token it is, a workflow's own where absent; before: awaited before "METHOD /path" is looked at
 */

/** @typedef {{ tag_name: string, name: string, body: string }} Release */

/**
 * @param {State} [state]
 * @returns {Promise<{ url: string, comments: Comment[], seen: string[], reactions: string[], releases:
 *   Release[], close: () => void }>} seen: method and path of each request; reactions: the comment's number
 *   and what was put on it
 */
export async function startGitHub(state = {}) {
  const {
    mayWrite = true,
    comments = [],
    login = 'github-actions[bot]',
    troubles = [],
    before,
    ...forks
  } = state;
  const { faultOfRequest, faultOfAnswer, example } = readDescription();
  /** @type {string[]} */
  const reactions = [];
  /** @type {Release[]} */
  const releases = [];
  /** @type {string[]} */
  const seen = [];
  /** @type {Pick<Comment, 'login' | 'type'>} */
  const me = { login, type: login.endsWith('[bot]') ? 'Bot' : 'User' };
  let next = 1000 + comments.length;
  let url = '';

  /** @type {[string, RegExp, (match: string[], body: any, query: URLSearchParams) => Answer][]} */
  const routes = [
    [
      'GET',
      /^\/repos\/([^/]+\/[^/]+)\/issues\/\d+\/comments$/,
      ([, at = ''], _body, query) => list(at, query),
    ],
    [
      'POST',
      /^\/repos\/([^/]+\/[^/]+)\/issues\/\d+\/comments$/,
      ([, repository = ''], { body }) => {
        if (!mayWrite) return denied();
        const comment = { id: next, body, ...me };
        next += 1;
        comments.push(comment);
        return { status: 201, body: asComment(comment, url, repository) };
      },
    ],
    [
      'PATCH',
      /^\/repos\/([^/]+\/[^/]+)\/issues\/comments\/(\d+)$/,
      ([, repository = '', id], { body }) => {
        if (!mayWrite) return denied();
        const comment = comments.find((each) => each.id === Number(id));
        if (!comment) return { status: 404, body: { message: 'Not Found' } };
        comment.body = body;
        return { status: 200, body: asComment(comment, url, repository) };
      },
    ],
    [
      'DELETE',
      /^\/repos\/([^/]+\/[^/]+)\/issues\/comments\/(\d+)$/,
      ([, , id]) => {
        if (!mayWrite) return denied();
        const place = comments.findIndex((each) => each.id === Number(id));
        if (place < 0) return { status: 404, body: { message: 'Not Found' } };
        comments.splice(place, 1);
        return { status: 204, body: undefined };
      },
    ],
    [
      'POST',
      /^\/repos\/([^/]+\/[^/]+)\/releases$/,
      (_match, body) => {
        if (!mayWrite) return denied();
        releases.push(body);
        return { status: 201, body: { ...example('release'), ...body } };
      },
    ],
    ...mergeRoutes(forks, example),
    ...forkRoutes(forks, { example, url: () => url, mayWrite, reactions, denied }),
  ];

  /** @type {(repository: string, query: URLSearchParams) => Answer} */
  function list(repository, query) {
    const size = Number(query.get('per_page') ?? 30);
    const page = Number(query.get('page') ?? 1);
    const next = `<${url}/repos/${repository}/issues/7/comments?per_page=${size}&page=${page + 1}>; rel="next"`;
    return {
      status: 200,
      // "Issue comments are ordered by ascending ID."
      body: comments
        .toSorted((a, b) => a.id - b.id)
        .slice((page - 1) * size, page * size)
        .map((comment) => asComment(comment, url, repository)),
      ...(comments.length > page * size && { headers: { link: next } }),
    };
  }

  /** @type {(request: import('./description.js').Request) => Answer} */
  function respond(request) {
    if (request.method === 'POST' && request.path === '/graphql') return tellViewer(login, request.body);
    const refusal = faultOfRequest(request);
    if (refusal) return { status: 422, body: { message: refusal } };
    const troubled = troubles.findIndex(({ to }) => to === request.method);
    const [trouble] = troubled < 0 ? [] : troubles.splice(troubled, 1);
    if (trouble && !trouble.done) return trouble;
    const answer = answerTo(request);
    const fault = faultOfAnswer(request, answer);
    return fault
      ? { status: 500, body: { message: `this stand-in is wrong: ${fault}` } }
      : (trouble ?? answer);
  }

  /** @type {(request: import('./description.js').Request) => Answer} */
  function answerTo({ method, path, body, query }) {
    for (const [verb, pattern, make] of routes) {
      const match = verb === method && pattern.exec(path);
      if (match) return make(match, body, query);
    }
    return { status: 404, body: { message: 'Not Found' } };
  }

  /**
   * Where the site keeps artifacts: elsewhere, so that a token sent there has been given away.
   * @param {string} path
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   */
  function sendBlob(path, { headers }, response) {
    const blob = forks.artifacts?.().find(({ id }) => path === `/_blobs/${id}`);
    response.writeHead(headers.authorization ? 400 : 200, { 'content-type': 'application/zip' });
    response.end(headers.authorization ? 'a token was given away' : blob?.bytes);
  }

  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
    const method = request.method ?? '';
    if (path.startsWith('/_blobs/')) {
      sendBlob(path, request, response);
      return;
    }
    seen.push(`${method} ${path}`);
    await before?.(`${method} ${path}`);
    const answer = respond({ method, path, query, body: text === '' ? undefined : JSON.parse(text) });
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  url = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
  return {
    url,
    comments,
    seen,
    reactions,
    releases,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * GraphQL, as far as it is asked: who asks, a person or an app. It answers mistakes with 200, too:
 * https://docs.github.com/en/graphql/reference/queries, https://spec.graphql.org/October2021/#sec-Response
 * @param {string} login
 * @param {any} body
 * @returns {Answer}
 */
function tellViewer(login, body) {
  if (typeof body?.query !== 'string')
    return { status: 400, body: { message: 'A query attribute must be specified and must be a string.' } };
  if (/^query ?\{ viewer \{ login \} \}$/.test(body.query.trim()))
    return { status: 200, body: { data: { viewer: { login } } } };
  return { status: 200, body: { errors: [{ message: `this stand-in knows no ${body.query}` }] } };
}

/** @returns {Answer} what a token without permission gets */
function denied() {
  const message = 'Resource not accessible by integration';
  return { status: 403, body: { message, documentation_url: 'https://docs.github.com/rest', status: '403' } };
}

/**
 * @template T
 * @param {Parameters<typeof startGitHub>[0]} state
 * @param {(github: Awaited<ReturnType<typeof startGitHub>>) => Promise<T>} use after which it ends
 */
export async function withGitHub(state, use) {
  const github = await startGitHub(state);
  try {
    return await use(github);
  } finally {
    github.close();
  }
}
