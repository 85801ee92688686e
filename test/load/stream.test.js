/**
 * Streams: where their events end, however they are cut; when they begin; and what becomes of those without
 * an end.
 */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { startLoading } from '../../scripts/load/load.js';
import { eventEnds } from '../../scripts/load/tools/autocannon-events.js';
import { target } from './target.js';

const loading = startLoading();
after(() => loading.stop());
const { signal } = new AbortController();

/** An event ends where `|` is. @type {[what: string, marked: string][]} */
const STREAMS = [
  ['lines that end with LF', 'data: a\n\n|data: b\n\n|'],
  ['with CRLF', 'data: a\r\n\r|\ndata: b\r\n\r|\n'],
  ['with CR', 'data: a\r\r|data: b\r\r|'],
  ['with any of them', 'data: a\r\n\n|data: b\n\r|\ndata: c\r\n\r|'],
  ['comments and pings', ': hello\n\ndata: a\n: ping\n\n|: ping\n\n'],
  ['fields without data', 'event: x\nid: 1\n\nretry: 10\n\nid: 2\ndata: a\n\n|'],
  ['a field without a value', 'data\n\n|'],
  ['names that only begin like it', 'database: a\n\ndat: b\n\n data: c\n\nDATA: d\n\n'],
  ['several lines of data', 'data: a\ndata: b\n\n|\n\n\n'],
  ['an event that does not end', 'data: a\n'],
];
for (const [what, marked] of STREAMS)
  test(`${what}: an event is where the standard dispatches one, wherever the stream is cut`, () => {
    const text = marked.replaceAll('|', '');
    const ends = marked.split('|').slice(0, -1);
    const offsets = ends.map((_, index) => ends.slice(0, index + 1).join('').length);
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => {
        const hasEnd = eventEnds();
        let from = 0;
        for (const to of [...cuts.sort((a, b) => a - b), text.length]) {
          const isExpected = offsets.some((offset) => from < offset && offset <= to);
          assert.equal(hasEnd(Buffer.from(text.slice(from, to))), isExpected, text.slice(from, to));
          from = to;
        }
      }),
    );
  });

/**
 * @param {string} type
 * @param {(write: (text: string) => void, isOpen: () => boolean) => Promise<void>} body
 */
async function serve(type, body) {
  const server = createServer(async (_, response) => {
    response.writeHead(200, { 'content-type': type }).flushHeaders();
    await body(
      (text) => void response.write(text),
      () => !response.destroyed,
    );
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { server, url: `http://127.0.0.1:${port}` };
}

/**
 * @param {string} url
 * @param {object} [changes]
 */
const load = (url, changes) => loading.load({ ...target(url, changes, { stream: true }), signal });

test('the first byte is that of the body, not of the headers, and a gap lies between chunks', async () => {
  const { url } = await serve('text/plain', async (write) => {
    await sleep(100);
    for (let chunk = 0; chunk < 3; chunk++) {
      write(`${chunk}`);
      await sleep(20);
    }
  });
  const { requests, latencyMs, firstByteMs, longestGapMs, errors, outlasted } = await load(url);
  assert.ok(requests >= 4 && Number(latencyMs?.min) >= 158, JSON.stringify(latencyMs));
  // Timers are up to a millisecond early.
  assert.ok(Number(firstByteMs?.p50) >= 99 && Number(longestGapMs?.p50) >= 19);
  assert.ok(Number(latencyMs?.p50) > Number(firstByteMs?.p50));
  assert.deepEqual([errors, outlasted], [{ timeouts: 0, connect: 0, non2xx: 0 }, undefined]);
});

test('in an event stream, a gap lies between events, whatever else is sent', async () => {
  const { url } = await serve('text/event-stream; charset=utf-8', async (write) => {
    write(': hello\n\n');
    for (let piece = 0; piece < 10; piece++) {
      await sleep(20);
      write(piece === 9 ? '\n' : piece === 0 ? 'data: half' : ': ping\n');
    }
  });
  const { firstByteMs, longestGapMs } = await load(url);
  assert.ok(Number(longestGapMs?.p50) >= 190, JSON.stringify(longestGapMs));
  assert.ok(Number(firstByteMs?.p50) < Number(longestGapMs?.p50));
});

test('an endless stream is read for the window, and ended by closing its connection', async () => {
  let open = 0;
  const { server, url } = await serve('text/event-stream', async (write, isOpen) => {
    open++;
    while (isOpen()) {
      write('data: tick\n\n');
      await sleep(50);
    }
    open--;
  });
  const window = await load(url);
  const { seconds, requests, latencyMs, latencies, firstByteMs, longestGapMs, errors, outlasted } = window;
  assert.deepEqual([requests, latencyMs, latencies, outlasted], [4, undefined, undefined, true]);
  assert.ok(seconds >= 1 && Number(window.bytes) > 0 && !window.requestsPerSecond);
  assert.ok(Number(firstByteMs?.p50) > 0 && Number(longestGapMs?.p50) >= 49);
  assert.deepEqual(errors, { timeouts: 0, connect: 0, non2xx: 0 });
  server.closeIdleConnections();
  for (const end = Date.now() + 5000; open > 0 && Date.now() < end;) await sleep(20);
  assert.equal(open, 0, 'the server sees that its readers are gone');
});

test('a stream that stops in the middle shows its silence as a gap', async () => {
  const { url } = await serve('text/event-stream', async (write, isOpen) => {
    for (let event = 0; event < 3; event++) write('data: tick\n\n');
    while (isOpen()) await sleep(20);
  });
  const { longestGapMs } = await load(url);
  // Of the window's second; the events themselves come together.
  assert.ok(Number(longestGapMs?.p50) >= 250, JSON.stringify(longestGapMs));
});

test('a stream whose body never begins is no answer', async () => {
  const { url } = await serve('text/event-stream', async (_write, isOpen) => {
    while (isOpen()) await sleep(20);
  });
  const { requests, firstByteMs, errors } = await load(url);
  assert.deepEqual([requests, firstByteMs, errors?.stalls], [0, undefined, 4]);
});

test('short streams of two servers alternate, and each is read to its end', async () => {
  const sides = [0, 1].map((place) => ({ place, open: 0, ended: 0 }));
  let overlaps = 0;
  const targets = sides.map(async (own) => {
    const { url } = await serve('text/plain', async (write) => {
      if (sides.some(({ place, open }) => place !== own.place && open > 0)) overlaps++;
      own.open++;
      write('first');
      await sleep(30);
      write('last');
      own.open--;
      own.ended++;
    });
    return target(url, {}, { stream: true });
  });
  const windows = await loading.interleave(await Promise.all(targets), signal);
  assert.equal(overlaps, 0);
  assert.deepEqual(
    windows.map(({ requests }) => requests),
    sides.map(({ ended }) => ended),
  );
  for (const { longestGapMs } of windows) assert.ok(Number(longestGapMs?.p50) >= 29);
});
