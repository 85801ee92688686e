import { createServer } from 'node:http';
import { ROWS, seed } from './table.js';

const { open } = await import(`./access/${process.argv[2]}.js`);
const url = process.env.DATABASE_URL ?? '';
await seed(url);
/** @type {{ find: (id: number) => Promise<unknown>, close: () => Promise<unknown> }} */
const { find, close } = await open({ url, connections: 10 });

const server = createServer(async (request, response) => {
  if (request.url !== '/row') return send(response, 404, 'text/plain; charset=utf-8', 'Not Found');
  try {
    const row = await find(1 + Math.floor(Math.random() * ROWS));
    if (!row) throw new Error('the table lacks a row');
    send(response, 200, 'application/json; charset=utf-8', JSON.stringify(row));
  } catch (error) {
    send(response, 500, 'text/plain; charset=utf-8', 'Internal Server Error');
    console.error(error);
  }
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
  server.close(close);
  server.closeAllConnections();
});
