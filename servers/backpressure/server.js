import { once } from 'node:events';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/**
 * More than Linux puts into the buffers of a loopback connection, which hold 2 MiB: who does not wait has to
 * keep the rest.
 */
const BYTES = 4 * 2 ** 20;
const CHUNK = Buffer.alloc(64 * 2 ** 10, 'x');
const CHUNKS = BYTES / CHUNK.length;

const folder = mkdtempSync(join(tmpdir(), 'backpressure-'));
const file = join(folder, 'body');
writeFileSync(file, Buffer.alloc(BYTES, 'x'));

/** @type {Record<string, (response: import('node:http').ServerResponse) => void | Promise<unknown>>} */
const ROUTES = {
  /** Writes a copy of all of it at once, whatever `write` says. */
  '/bad-case': (response) => {
    for (let index = 0; index < CHUNKS; index++) response.write(Buffer.from(CHUNK));
    response.end();
  },
  /** Waits for `drain` wherever `write` says so. */
  '/drain': async (response) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    for (let index = 0; index < CHUNKS; index++)
      if (!response.write(Buffer.from(CHUNK))) await once(response, 'drain', { signal: gone.signal });
    response.end();
  },
  '/pipeline': (response) => pipeline(createReadStream(file), response),
  '/pipe': (response) => {
    const stream = createReadStream(file);
    // What `pipeline` would do.
    response.on('close', () => stream.destroy());
    stream.on('error', () => response.destroy());
    stream.pipe(response);
  },
};

const server = createServer((request, response) => {
  const answer = ROUTES[request.url ?? ''];
  if (!answer) return response.writeHead(404).end('Not Found');
  // The length also lets whoever checks the answer see that it is whole.
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': BYTES });
  // A client that leaves in the middle is not the server's fault.
  void Promise.resolve(answer(response)).catch(() => response.destroy());
});
server.listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
