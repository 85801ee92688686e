/**
 * An answer, a configuration or an artifact that is much too large: each is refused in one line, at little
 * cost.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readProcess, TICKS_PER_SECOND } from '../../scripts/system/process/proc.js';
import { peakBytes, BUSY, startCli, writeServer } from '../provoke.js';

const MOST_BYTES = 200 * 2 ** 20;
const MOST_SECONDS = 2;
const LOOK_MS = 10;
const MILLION = 1e6;

/** It sends 1.5 GB as fast as it can. */
const HUGE = `const part = Buffer.alloc(2 ** 20, 'x');
require('node:http')
  .createServer((_, response) => {
    let left = 1536;
    const send = () => {
      while (left-- > 0) if (!response.write(part)) return response.once('drain', send);
      response.end();
    };
    send();
  })
  .listen(process.env.PORT, process.env.HOST);
`;

const RUN = '{"schema":"perf-action/run@1","id":"x","startedAt":"x","environment":{"fingerprint":"f"}';
const window = '{"seconds":1,"requests":5}';
const list = (/** @type {string} */ item) => Array(MILLION).fill(item).join(',');
const keys = () => Array.from({ length: MILLION }, (_, place) => `"k${place}":1`).join(',');

/** @type {[what: string, text: () => string][]} */
const ARTIFACTS = [
  ['a million windows', () => `${RUN},"cases":[{"id":"c","trials":[{"windows":[${list(window)}]}]}]}`],
  [
    'a million kinds of errors',
    () =>
      `${RUN},"cases":[{"id":"c","trials":[{"windows":[{"seconds":1,"requests":5,"errors":{${keys()}}}]}]}]}`,
  ],
  ['a million warnings', () => `${RUN},"warnings":[${list('{"code":"x"}')}],"cases":[]}`],
  [
    'a million levels',
    () => `${RUN},"published":${'{"a":'.repeat(MILLION)}1${'}'.repeat(MILLION)},"cases":[]}`,
  ],
];

/** @type {[what: string, text: string][]} */
const CONFIGURATIONS = [
  ['200,000 levels', `x: ${'['.repeat(200_000)}`],
  ['30,000,000 rounds', 'servers: [{ id: a, start: x, routes: [{ path: / }] }]\nrounds: 30000000\n'],
  ['20,000 keys', Array.from({ length: 20_000 }, (_, place) => `k${place}: 1\n`).join('')],
];

const READER = fileURLToPath(new URL('../read-artifact.js', import.meta.url));

/** @param {string} cwd */
function startReading(cwd) {
  const child = spawn(process.execPath, [READER], { cwd });
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (part) => (printed += part));
  const ended = once(child, 'close').then(([code]) => ({ code, printed }));
  return { pid: /** @type {number} */ (child.pid), ended };
}

/**
 * The most it took; seconds: of CPU, however busy the machine is.
 * @type {(child: { pid: number, ended: Promise<unknown> }) => Promise<{ bytes: number, seconds: number }>}
 */
async function costOf({ pid, ended }) {
  let isThere = true;
  void ended.then(() => (isThere = false));
  let bytes = 0;
  let ticks = 0;
  while (isThere) {
    bytes = Math.max(bytes, peakBytes(pid));
    ticks = Math.max(ticks, readProcess(pid)?.ownTicks ?? 0);
    await sleep(LOOK_MS);
  }
  return { bytes, seconds: ticks / TICKS_PER_SECOND };
}

/**
 * @param {{ pid: number, ended: Promise<{ code: number | null, printed: string }>, seconds: number }} child
 *   seconds: at most
 */
async function refusedBy({ pid, ended, seconds: most }) {
  const { bytes, seconds } = await costOf({ pid, ended });
  const { code, printed } = await ended;
  const lines = printed.trim().split('\n');
  return {
    happened: `exit ${code} after ${seconds.toFixed(1)} s of CPU, its start included, with ${Math.round(bytes / 2 ** 20)} MB: ${lines.at(-1)?.slice(0, 150)}`,
    holds: bytes <= MOST_BYTES && seconds <= most && !/\n\s+at /.test(printed) && lines.length <= 21,
    code,
  };
}

/** @type {import('../faults.js').Row[]} */
export const rows = [
  {
    fault: 'a server answers with 1.5 GB',
    slow: /** @type {const} */ (true),
    promised: 'one line, exit 3, within 200 MB',
    async run(scratch) {
      const manifest = 'routes: [{ path: /, expect: { body: x } }]\n';
      const server = writeServer(scratch, 'huge', { code: HUGE, manifest });
      const engine = startCli(['run', `--servers=${server}`, ...BUSY], { scratch });
      const { code, ...cost } = await refusedBy({ ...engine, seconds: Number.POSITIVE_INFINITY });
      return { ...cost, holds: cost.holds && code === 3 };
    },
  },
  ...CONFIGURATIONS.map(([what, text]) => ({
    fault: `a perf.yml with ${what}`,
    slow: /** @type {const} */ (true),
    promised: 'refused, exit 2, within 200 MB and 2 s of CPU beyond its start',
    async run(/** @type {string} */ scratch) {
      writeFileSync(join(scratch, 'perf.yml'), 'x: 1');
      const start = await costOf(startCli(['plan'], { scratch }));
      writeFileSync(join(scratch, 'perf.yml'), text);
      const engine = startCli(['plan'], { scratch });
      const seconds = start.seconds + MOST_SECONDS;
      const { code, ...cost } = await refusedBy({ ...engine, seconds });
      return { ...cost, holds: cost.holds && code === 2 };
    },
  })),
  ...ARTIFACTS.map(([what, text]) => ({
    fault: `an artifact with ${what}`,
    ...(what !== 'a million windows' && { slow: /** @type {const} */ (true) }),
    promised: 'refused in one line within 200 MB and 2 s of CPU beyond its start',
    async run(/** @type {string} */ scratch) {
      const file = join(scratch, 'run.json');
      writeFileSync(file, '{}');
      const start = await costOf(startReading(scratch));
      writeFileSync(file, text());
      const seconds = start.seconds + MOST_SECONDS;
      const { code, ...cost } = await refusedBy({ ...startReading(scratch), seconds });
      return { ...cost, holds: cost.holds && code === 2 };
    },
  })),
];
