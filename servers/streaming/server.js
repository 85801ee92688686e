import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Until the first piece, and between pieces. */
const [FIRST_MS, NEXT_MS] = [50, 20];
const PIECES = 10;

const plain = (/** @type {number} */ piece) => `piece ${piece}\n`;
const event = (/** @type {number} */ piece) => `data: {"piece":${piece}}\n\n`;

/** The type of each route's answer, how a piece is written, and how many there are. */
const ROUTES = {
  '/answer': { type: 'text/plain', write: plain, pieces: PIECES },
  '/events': { type: 'text/event-stream', write: event, pieces: PIECES },
  '/endless': { type: 'text/event-stream', write: event, pieces: Infinity },
};

const server = createServer(async (request, response) => {
  const route = ROUTES[/** @type {keyof typeof ROUTES} */ (request.url)];
  if (!route) return response.writeHead(404).end('Not Found');
  response.writeHead(200, { 'content-type': route.type, 'cache-control': 'no-store' }).flushHeaders();
  for (let piece = 0; piece < route.pieces && !response.destroyed; piece++) {
    await sleep(piece === 0 ? FIRST_MS : NEXT_MS);
    response.write(route.write(piece));
  }
  response.end();
});
server.listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
