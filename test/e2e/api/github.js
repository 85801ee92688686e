/**
 * GitHub's API on loopback, as far as the action uses it. It keeps state, and every request and answer is checked
 * against GitHub's own OpenAPI description: what the real one would refuse is refused here.
 */

import { createServer } from 'node:http';
import { asComment, asProfile } from './answers.js';
import { readDescription } from './description.js';
import { forkRoutes } from './forks.js';
import { mergeRoutes } from './merges.js';

/**
 * @typedef {import('./answers.js').Comment} Comment
 * @typedef {import('./description.js').Answer} Answer
 * @typedef {Answer & { to: string, done?: boolean }} Trouble answers one request of that method instead of the true
 *   answer; done: after the request had its effect
 * @typedef {{ mayWrite?: boolean, comments?: Comment[], login?: string, troubles?: Trouble[] } & import('./forks.js').Forks & import('./merges.js').Merges} State
 *   login: whose token it is; a workflow's own where absent
 */

/** @typedef {{ tag_name: string, name: string, body: string }} Release */

/**
 * @param {State} [state]
 * @returns {Promise<{ url: string, comments: Comment[], seen: string[], reactions: string[], releases: Release[], close: () => void }>} seen: method
 *   and path of each request; reactions: the comment's number and what was put on it
 */
export async function startGitHub({ mayWrite = true, comments = [], login, troubles = [], ...forks } = {}) {
  const { faultOfRequest, faultOfAnswer, example } = readDescription();
  /** @type {string[]} */
  const reactions = [];
  /** @type {Release[]} */
  const releases = [];
  /** @type {string[]} */
  const seen = [];
  /** @type {Pick<Comment, 'login' | 'type'>} */
  const me = login ? { login, type: 'User' } : { login: 'github-actions[bot]', type: 'Bot' };
  let url = '';

  /** @type {[string, RegExp, (match: string[], body: any, query: URLSearchParams) => Answer][]} */
  const routes = [
    ['GET', /^\/user$/, () => (login ? { status: 200, body: asProfile(login, url) } : denied())],
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
        const comment = { id: 1000 + comments.length, body, ...me };
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

  /** @param {string} repository @param {URLSearchParams} query @returns {Answer} */
  function list(repository, query) {
    const size = Number(query.get('per_page') ?? 30);
    const page = Number(query.get('page') ?? 1);
    const next = `<${url}/repos/${repository}/issues/7/comments?per_page=${size}&page=${page + 1}>; rel="next"`;
    return {
      status: 200,
      body: comments
        .slice((page - 1) * size, page * size)
        .map((comment) => asComment(comment, url, repository)),
      ...(comments.length > page * size && { headers: { link: next } }),
    };
  }

  /** @param {import('./description.js').Request} request @returns {Answer} */
  function respond(request) {
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

  /** @param {import('./description.js').Request} request @returns {Answer} */
  function answerTo({ method, path, body, query }) {
    for (const [of, pattern, make] of routes) {
      const match = of === method && pattern.exec(path);
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

/** @returns {Answer} what a token without permission gets */
function denied() {
  const message = 'Resource not accessible by integration';
  return { status: 403, body: { message, documentation_url: 'https://docs.github.com/rest', status: '403' } };
}
