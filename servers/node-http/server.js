import { createServer } from 'node:http';
import { answerScenario } from './scenarios.js';

const server = createServer((request, response) => {
  if (request.url === '/') send(response, 200, 'text/plain; charset=utf-8', 'Hello World!');
  else if (request.url === '/ok') send(response, 200, 'text/plain; charset=utf-8', 'ok');
  else if (request.url === '/json')
    send(response, 200, 'application/json; charset=utf-8', JSON.stringify({ hello: 'world' }));
  else if (!answerScenario(request, response)) send(response, 404, 'text/plain; charset=utf-8', 'Not Found');
});

/**
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {string} type
 * @param {string} body ASCII, so that its length is its byte length
 */
function send(response, status, type, body) {
  response.writeHead(status, { 'content-type': type, 'content-length': body.length });
  response.end(body);
}

server.listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
