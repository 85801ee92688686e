/**
 * ApacheBench. It speaks HTTP/1.0, so a connection is kept only by answers with an explicit length.
 * @import { LoadedWindow } from '../../types.js'
 * @import { StartedTool } from '../tools.js'
 */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { patienceOf } from '../request.js';

/**
 * -t alone would stop at 50,000 requests; -n behind it lifts that. ab reserves 32 bytes for each, so it is
 * asked for no more than its one thread can send, or for the number that was given; whichever is reached
 * first ends the run.
 */
const REQUESTS_PER_SECOND = 250_000;
/** It ends so, without a report, when nothing arrives for as long as a request may take. */
const NO_ANSWER = 'The timeout specified has expired (70007)';
/** It exits with the lowest byte of 70007. */
const NO_ANSWER_CODE = 119;
/** "HTTP/1.0 200", a line's end and an empty line. */
const SHORTEST_HEADER_BYTES = 16;

/** @type {StartedTool} */
export const ab = {
  id: 'ab',
  label: 'ApacheBench',
  install: 'sudo apt-get install apache2-utils',
  package: 'apache2-utils',
  can: ['requests', 'anyPath', 'bodiless'],
  wholeSeconds: true,
  stepMs: 1,
  coresOf: () => 1,
  version: '-V',

  async command({ load, request, url, seconds, requests = seconds * REQUESTS_PER_SECOND, scratch }) {
    const { method, path, body } = request;
    const headers = Object.entries(request.headers);
    const type = headers.find(([name]) => name.toLowerCase() === 'content-type');
    const args = ['-q', '-r', '-t', String(seconds), '-n', String(requests)];
    args.push('-s', String(patienceOf({ seconds })), '-c', String(load.connections));
    if (load.keepAlive) args.push('-k');
    for (const header of headers)
      if (body === undefined || header !== type) args.push('-H', `${header[0]}: ${header[1]}`);
    if (body !== undefined) {
      const file = join(scratch, 'body');
      await writeFile(file, body);
      args.push(method === 'PUT' ? '-u' : '-p', file, '-T', type?.[1] ?? 'text/plain');
    }
    // With another flag it would wait for a body. It sends none itself.
    if (method === 'HEAD' && body === undefined) args.push('-i');
    // Behind the body, whose flags set a method, too.
    else if (method !== 'GET' || body !== undefined) args.push('-m', method);
    return ['ab', ...args, url + path];
  },

  parse: parseAb,
  reportCodes: [NO_ANSWER_CODE],
};

/**
 * @param {string} stdout
 * @param {{ stderr?: string, seconds?: number }} [run] seconds: how long it was to load
 * @returns {LoadedWindow}
 * @throws {Error} where it is not ab's report
 */
export function parseAb(stdout, { stderr = '', seconds: duration = Number.NaN } = {}) {
  const number = (/** @type {RegExp} */ pattern) => Number(pattern.exec(stdout)?.[1] ?? Number.NaN);
  if (stderr.includes(NO_ANSWER))
    return { seconds: duration, requests: number(/Total of (\d+) requests completed/) || 0, errors: {} };
  const complete = number(/^Complete requests:\s+(\d+)/m);
  const seconds = number(/^Time taken for tests:\s+([\d.]+) seconds/m);
  if (Number.isNaN(complete) || Number.isNaN(seconds)) throw new Error('no line "Complete requests: N"');
  const failures = /\(Connect: (\d+), Receive: (\d+), Length: (\d+), Exceptions: \d+\)/.exec(stdout);
  const [connect = 0, receive = 0, length = 0] = failures?.slice(1).map(Number) ?? [];
  const bytes = number(/^Total transferred:\s+(\d+) bytes/m);
  const non2xx = number(/^Non-2xx responses:\s+(\d+)/m) || 0;
  const bodyBytes = number(/^HTML transferred:\s+(\d+) bytes/m) || 0;
  const firstBytes = number(/^Document Length:\s+(\d+) bytes/m);
  const requests = answeredOf({ complete, receive, length, non2xx, bytes, bodyBytes, firstBytes });
  const resets = complete - requests;
  const write = number(/^Write errors:\s+(\d+)/m) || 0;
  return {
    ...{ seconds, requests, bytes },
    errors: { connect, write, non2xx, ...(resets > 0 && { resets }) },
    ...(requests > 0 && { latencyMs: parseLatency(stdout) }),
  };
}

/**
 * ab counts a request as complete when its connection is closed, answered or not. No answer has no bytes.
 * @param {Record<'complete' | 'receive' | 'length' | 'non2xx' | 'bytes' | 'bodyBytes' | 'firstBytes',
 *   number>} counts receive: broken connections; length: bodies not as long as the first (`firstBytes`)
 * @returns {number} requests that were answered; at most so many where the answers differ in length
 */
function answeredOf({ complete, receive, length, non2xx, bytes, bodyBytes, firstBytes }) {
  const unbroken = Math.max(0, complete - receive);
  const isFirstEmpty = firstBytes === 0 && bodyBytes > 0;
  const areOthersEmpty = firstBytes > 0 && bodyBytes === (complete - length) * firstBytes;
  const empty = isFirstEmpty ? complete - length : areOthersEmpty ? length : 0;
  const headers = Math.floor((bytes - bodyBytes) / SHORTEST_HEADER_BYTES);
  return Math.min(unbroken, complete - Math.max(0, empty - non2xx), headers);
}

/** @param {string} stdout */
function parseLatency(stdout) {
  const total = /^Total:\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+[\d.]+\s+([\d.]+)/m.exec(stdout);
  const [min = 0, avg = 0, stdev = 0, max = 0] = total?.slice(1).map(Number) ?? [];
  const percentiles = [...stdout.matchAll(/^\s+(50|75|90|95|99)%\s+(\d+)$/gm)];
  return {
    ...(total && { min, avg, stdev, max }),
    ...Object.fromEntries(percentiles.map(([, share, ms]) => [`p${share}`, Number(ms)])),
  };
}
