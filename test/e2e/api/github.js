/**
 * GitHub's API on loopback, as far as the action uses it. It keeps state, and every request and answer is checked
 * against GitHub's own OpenAPI description: what the real one would refuse is refused here.
 */

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';

const DESCRIPTION = createRequire(import.meta.url).resolve('@octokit/openapi/generated/api.github.com.json');

/**
 * @typedef {{ id: number, body: string, login: string, type: 'Bot' | 'User' }} Comment
 * @typedef {{ status: number, body: unknown, headers?: Record<string, string> }} Answer
 * @typedef {{ mayWrite?: boolean, comments?: Comment[], login?: string }} State login: whose token it is; a workflow's own where absent
 */

/**
 * @param {State} [state]
 * @returns {Promise<{ url: string, comments: Comment[], seen: string[], close: () => void }>}
 */
export async function startGitHub({ mayWrite = true, comments = [], login } = {}) {
  const check = checkerOf(JSON.parse(readFileSync(DESCRIPTION, 'utf8')));
  /** @type {string[]} */
  const seen = [];
  const me = login
    ? { login, type: /** @type {const} */ ('User') }
    : { login: 'github-actions[bot]', type: /** @type {const} */ ('Bot') };
  let url = '';

  /** @type {[string, RegExp, (match: string[], body: any, query: URLSearchParams) => Answer][]} */
  const routes = [
    ['GET', /^\/user$/, () => (login ? { status: 404, body: { message: 'no profile here' } } : denied())],
    [
      'GET',
      /^\/repos\/([^/]+\/[^/]+)\/issues\/(\d+)\/comments$/,
      ([, repository = ''], _body, query) => list(repository, query),
    ],
    [
      'POST',
      /^\/repos\/([^/]+\/[^/]+)\/issues\/(\d+)\/comments$/,
      ([, repository = ''], body) => {
        if (!mayWrite) return denied();
        const comment = { id: 1000 + comments.length, body: body.body, ...me };
        comments.push(comment);
        return { status: 201, body: asAnswer(comment, url, repository) };
      },
    ],
    [
      'PATCH',
      /^\/repos\/([^/]+\/[^/]+)\/issues\/comments\/(\d+)$/,
      ([, repository = '', id], body) => {
        if (!mayWrite) return denied();
        const comment = comments.find((each) => each.id === Number(id));
        if (!comment) return { status: 404, body: { message: 'Not Found' } };
        comment.body = body.body;
        return { status: 200, body: asAnswer(comment, url, repository) };
      },
    ],
  ];

  /** @param {string} repository @param {URLSearchParams} query @returns {Answer} */
  function list(repository, query) {
    const size = Number(query.get('per_page') ?? 30);
    const page = Number(query.get('page') ?? 1);
    const more = comments.length > page * size;
    const next = `<${url}/repos/${repository}/issues/7/comments?per_page=${size}&page=${page + 1}>; rel="next"`;
    return {
      status: 200,
      body: comments
        .slice((page - 1) * size, page * size)
        .map((comment) => asAnswer(comment, url, repository)),
      ...(more && { headers: { link: next } }),
    };
  }

  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const body = text === '' ? undefined : JSON.parse(text);
    const method = request.method ?? '';
    seen.push(`${method} ${pathname}`);
    const answer = respond(method, pathname, { body, query: searchParams });
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(JSON.stringify(answer.body));
  });

  /** @param {string} method @param {string} path @param {{ body: any, query: URLSearchParams }} what @returns {Answer} */
  function respond(method, path, { body, query }) {
    const refusal = check.request(method, path, body);
    if (refusal) return { status: 422, body: { message: refusal } };
    for (const [of, pattern, answerTo] of routes) {
      const match = pattern.exec(path);
      if (of !== method || !match) continue;
      const answer = answerTo(match, body, query);
      const fault = check.answer(method, path, answer);
      return fault ? { status: 500, body: { message: `this stand-in is wrong: ${fault}` } } : answer;
    }
    return { status: 404, body: { message: 'Not Found' } };
  }

  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  url = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
  return {
    url,
    comments,
    seen,
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

/**
 * @param {any} description an OpenAPI 3.0 document
 */
function checkerOf(description) {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: false });
  ajv.addSchema(description, 'github');
  const paths = Object.keys(description.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`),
  }));
  /** @param {string} path literal paths win over templates: "/user" over "/{anything}" */
  const templateOf = (path) =>
    paths.filter(({ pattern }) => pattern.test(path)).sort((a, b) => holes(a.template) - holes(b.template))[0]
      ?.template;
  /** @param {string} template */
  const holes = (template) => template.split('{').length;
  /** @param {(string | number)[]} keys @param {unknown} value */
  const mistake = (keys, value) => {
    const pointer = keys
      .map((key) => encodeURIComponent(String(key).replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const validate = ajv.compile({ $ref: `github#/${pointer}` });
    return validate(value) ? undefined : ajv.errorsText(validate.errors);
  };
  return {
    /** @param {string} method @param {string} path @param {unknown} body */
    request(method, path, body) {
      const template = templateOf(path);
      const operation = template && description.paths[template][method.toLowerCase()];
      if (!operation) return `GitHub has no ${method} ${path}`;
      if (!operation.requestBody) return body === undefined ? undefined : 'no body is expected';
      const keys = [
        'paths',
        template,
        method.toLowerCase(),
        'requestBody',
        'content',
        'application/json',
        'schema',
      ];
      const known = Object.keys(operation.requestBody.content['application/json'].schema.properties ?? {});
      const unknown = Object.keys(/** @type {object} */ (body ?? {})).find((key) => !known.includes(key));
      return unknown ? `unknown field ${unknown}` : mistake(keys, body);
    },
    /** @param {string} method @param {string} path @param {Answer} answer */
    answer(method, path, { status, body }) {
      const template = /** @type {string} */ (templateOf(path));
      const found = description.paths[template][method.toLowerCase()].responses[status];
      if (!found) return `GitHub never answers ${status} to ${method} ${path}`;
      if (found.$ref)
        return mistake([...found.$ref.slice(2).split('/'), 'content', 'application/json', 'schema'], body);
      return mistake(
        [
          'paths',
          template,
          method.toLowerCase(),
          'responses',
          status,
          'content',
          'application/json',
          'schema',
        ],
        body,
      );
    },
  };
}

/**
 * @param {Comment} comment
 * @param {string} url
 * @param {string} repository
 */
function asAnswer({ id, body, login, type }, url, repository) {
  const at = `${url}/repos/${repository}/issues`;
  const user = `${url}/users/${login}`;
  const links = [
    'followers',
    'following',
    'gists',
    'starred',
    'subscriptions',
    'organizations',
    'repos',
    'events',
    'received_events',
  ];
  return {
    id,
    node_id: `IC_${id}`,
    url: `${at}/comments/${id}`,
    html_url: `https://github.com/${repository}/pull/7#issuecomment-${id}`,
    issue_url: `${at}/7`,
    body,
    created_at: '2026-11-01T00:00:00Z',
    updated_at: '2026-11-01T00:00:00Z',
    author_association: 'NONE',
    user: {
      login,
      id: 41898282,
      node_id: 'MDM6Qm90',
      avatar_url: 'https://avatars.githubusercontent.com/in/15368',
      gravatar_id: '',
      url: user,
      html_url: `https://github.com/${login}`,
      ...Object.fromEntries(links.map((name) => [`${name}_url`, `${user}/${name}`])),
      type,
      site_admin: false,
    },
  };
}
