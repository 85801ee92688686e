/**
 * Repositories of a folder over HTTP, as the site gives them to a token that may only read: by git's own
 * server.
 */

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

/**
 * Nobody is authenticated, so that git refuses pushes with a 403: https://git-scm.com/docs/git-http-backend
 * @param {string} root holds owner/name.git
 * @returns {Promise<{ url: string, refused: string[], close: () => void }>} refused: the paths that got a 403
 */
export async function startGitServer(root) {
  /** @type {string[]} */
  const refused = [];
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    const backend = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: pathname,
        REQUEST_METHOD: request.method,
        QUERY_STRING: search.slice(1),
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    backend.stdin.on('error', () => {});
    request.pipe(backend.stdin);
    const answer = await buffer(backend.stdout);
    const end = answer.indexOf('\r\n\r\n');
    const headers = answer
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => /** @type {[string, string]} */ (line.split(/: (.*)/s).slice(0, 2)));
    const status = Number.parseInt(headers.find(([name]) => name === 'Status')?.[1] ?? '200', 10);
    if (status === 403) refused.push(pathname + search);
    response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
    response.end(answer.subarray(end + 4));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/`,
    refused,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
