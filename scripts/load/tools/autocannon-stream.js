/**
 * Times streams: when the body of each begins, and the longest gap between its events. autocannon reports the
 * end of an answer only, and waits for it; a stream that outlasts its window is ended here.
 * @import { Gate } from './autocannon-gate.js'
 * @import { Client } from './autocannon-lost.js'
 */

import { makeGate } from './autocannon-gate.js';
import { chunkEnds, eventEnds } from './autocannon-events.js';

/**
 * A client's last request, in milliseconds of the clock; isOpen: until its answer ends; endsEvent: whether an
 * event ends in a piece of its body.
 * @typedef {{ isOpen: boolean, sentAt: number, status: number, firstAt?: number, lastAt: number,
 *   gapMs: number, endsEvent?: (piece: Buffer) => boolean }} Stream
 */

/**
 * A closed loop of streams. isAlone: no other load waits for the end of its streams; record: latencies of
 * streams that end by themselves; isOutlasted: whether the window ended streams.
 * @param {{ connections: number, isAlone: boolean, record:
 *   Record<'latency' | 'firstByte' | 'longestGap', (ms: number) => void> }} load
 * @returns {Gate & { isOutlasted: () => boolean }}
 */
export function makeStreamGate({ connections, isAlone, record }) {
  /** @type {Map<Client, Stream>} */
  const streams = new Map();
  let canEnd = isAlone;
  let isOutlasted = false;
  const hasBegun = (/** @type {Stream} */ { isOpen, firstAt }) => !isOpen || firstAt !== undefined;
  const gate = makeGate(connections, 1, () => canEnd && [...streams.values()].every(hasBegun));
  const end = (/** @type {Stream} */ stream) => {
    stream.isOpen = false;
    if (stream.gapMs > 0) record.longestGap(stream.gapMs);
  };
  return {
    ...gate,
    hold(client) {
      gate.hold(client);
      const { parser, pipelinedRequests } = client;
      // It would keep the whole body.
      pipelinedRequests.addBody = () => {};
      client.on('request', () =>
        streams.set(client, { isOpen: true, sentAt: performance.now(), status: 0, lastAt: 0, gapMs: 0 }),
      );
      client.on('headers', (answer) => {
        const stream = streams.get(client);
        if (stream) Object.assign(stream, { status: answer.statusCode, endsEvent: endsIn(answer, parser) });
      });
      client.on('body', (piece) => {
        const stream = streams.get(client);
        if (!stream?.isOpen) return;
        const now = performance.now();
        if (stream.firstAt === undefined) {
          stream.firstAt = stream.lastAt = now;
          record.firstByte(now - stream.sentAt);
          gate.check();
        }
        if (stream.endsEvent?.(piece)) noteGap(stream, now);
      });
      client.on('response', (_status, _bytes, ms) => {
        const stream = streams.get(client);
        if (!stream?.isOpen) return;
        canEnd = false;
        end(stream);
        record.latency(ms);
      });
    },
    async close(patienceMs) {
      const isQuiet = await gate.close(patienceMs);
      if (!canEnd) return isQuiet;
      for (const [client, stream] of streams) {
        if (!stream.isOpen || stream.firstAt === undefined) continue;
        isOutlasted = true;
        noteGap(stream, performance.now());
        end(stream);
        const { bytes = 0 } = client.pipelinedRequests.peek() ?? {};
        client._destroyConnection();
        client.emit('response', stream.status, bytes, 0);
      }
      return true;
    },
    isOutlasted: () => isOutlasted,
  };
}

/** @type {(stream: Stream, now: number) => void} */
function noteGap(stream, now) {
  stream.gapMs = Math.max(stream.gapMs, now - stream.lastAt);
  stream.lastAt = now;
}

/**
 * In the answer's headers, names and values alternate.
 * @type {(answer: { headers: string[] }, parser: Client['parser']) => Stream['endsEvent']}
 */
function endsIn({ headers }, parser) {
  const valueOf = (/** @type {string} */ name) =>
    headers.find((_, index) => index % 2 === 1 && headers[index - 1]?.toLowerCase() === name);
  const isPlain = valueOf('content-encoding') === undefined;
  const isEvents = /^text\/event-stream\b/i.test(valueOf('content-type') ?? '');
  return isPlain && isEvents ? eventEnds() : chunkEnds(parser);
}
