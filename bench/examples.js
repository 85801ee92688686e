/**
 * Each example against a commit that changes nothing and one that costs a tenth more CPU per request: what is
 * said of them. `npm run bench:examples -- [--only express-api] [--budget 5m]`
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { commitAll, copyRepository } from './copy-repository.js';
import { perfAction } from './perf-action.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SLOWER = 0.1;
/** So many turns of the loop that their cost is seen at once. */
const MANY = 200_000;
const CALIBRATE = '--rounds 3 --duration 2s --warmup 3s --reference off --fail-on never'.split(' ');

/** In every one of the languages. */
const COMMENT = '// A comment.\n';

const SCRIPT_LOOP = (/** @type {number} */ n) =>
  `let work = 1;\n  for (let i = 0; i < ${n}; i++) work = (work * 31 + i) | 0;\n  if (work === 42) console.log(work);\n  `;

/**
 * Where a loop goes: before the text `at` of a file, as the language writes it. server, routes: what it
 * slows.
 * @typedef {{ server: string, routes?: string, file: string, at: string, loop: (n: number) => string }}
 *   Example
 */

/** @type {Record<string, Example>} */
const EXAMPLES = {
  'express-api': {
    server: 'items',
    routes: '/items',
    file: 'server.js',
    at: 'response.json(rows);',
    loop: SCRIPT_LOOP,
  },
  'nest-monorepo': {
    server: 'orders',
    file: 'apps/orders/src/main.ts',
    at: 'return { id,',
    loop: SCRIPT_LOOP,
  },
  'go-service': {
    server: 'orders',
    file: 'main.go',
    at: 'w.Header().Set(',
    loop: (n) =>
      `work := int32(1)\n\tfor i := int32(0); i < ${n}; i++ {\n\t\twork = work*31 + i\n\t}\n\tif work == 42 {\n\t\tlog.Print(work)\n\t}\n\t`,
  },
  'spring-boot': {
    server: 'orders',
    file: 'src/main/java/example/Orders.java',
    at: 'return new Order(',
    loop: (n) =>
      `int work = 1;\n    for (int i = 0; i < ${n}; i++) work = work * 31 + i;\n    if (work == 42) System.out.println(work);\n    `,
  },
};

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, budget: { type: 'string', default: '5m' } },
});
const wanted = Object.entries(EXAMPLES).filter(([name]) => !options.only || name === options.only);
if (wanted.length === 0) {
  console.error(`--only: no example "${options.only}"; there are ${Object.keys(EXAMPLES).join(', ')}`);
  process.exit(2);
}

console.log('| example | case | commit | CPU per request | verdict | throughput | minutes |');
console.log('| --- | --- | --- | --- | --- | --- | --- |');
for (const [name, example] of wanted) await benchExample(name, example);

/** @type {(name: string, example: Example) => Promise<void>} */
async function benchExample(name, example) {
  const scratch = mkdtempSync(join(tmpdir(), 'perf-bench-'));
  try {
    const top = copyRepository(join(ROOT, 'examples', name), scratch);
    const source = readFileSync(join(top, example.file), 'utf8');
    const routes = example.routes ? ['--routes', example.routes] : [];
    const slowed = (/** @type {number} */ n) => source.replace(example.at, `${example.loop(n)}${example.at}`);

    const plain = await cpuOf(top, example.server, routes);
    writeFileSync(join(top, example.file), slowed(MANY));
    const loaded = await cpuOf(top, example.server, routes);
    const turns = Math.round((MANY * SLOWER * plain) / (loaded - plain));

    writeFileSync(join(top, example.file), `${COMMENT}${source}`);
    commitAll(top);
    await judge(top, name, { commit: 'a comment', cost: 'the same', routes });
    writeFileSync(join(top, example.file), `${COMMENT}${slowed(turns)}`);
    commitAll(top);
    await judge(top, name, { commit: `${turns} turns of a loop`, cost: `+${100 * SLOWER} %`, routes });
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/**
 * @param {string} top
 * @param {string} server
 * @param {string[]} routes as arguments
 * @returns {Promise<number>} seconds of the server's CPU per request
 */
async function cpuOf(top, server, routes) {
  await perfAction(top, ['run', ...CALIBRATE, ...routes]);
  /** @type {import('../scripts/types.js').Run} */
  const { cases } = JSON.parse(readFileSync(join(top, 'perf-results/run.json'), 'utf8'));
  const windows =
    cases.find((measured) => measured.server === server)?.trials.flatMap((trial) => trial.windows) ?? [];
  const seconds = windows.reduce((sum, { cpu }) => sum + (cpu?.serverSeconds ?? 0), 0);
  return seconds / windows.reduce((sum, { requests }) => sum + requests, 0);
}

/**
 * @param {string} top
 * @param {string} name
 * @param {{ commit: string, cost: string, routes: string[] }} change
 */
async function judge(top, name, change) {
  const before = performance.now();
  await perfAction(top, [
    'run',
    '--against',
    'HEAD~1',
    '--budget',
    options.budget,
    '--fail-on',
    'never',
    ...change.routes,
  ]);
  const minutes = ((performance.now() - before) / 60_000).toFixed(1);
  /** @type {import('../scripts/types.js').Comparison} */
  const { cases } = JSON.parse(readFileSync(join(top, 'perf-results/comparison.json'), 'utf8'));
  for (const { id, verdict, metrics } of cases) {
    const [low, high] = metrics.find(({ metric }) => metric === 'throughput')?.ciPct ?? [];
    const effect = low === undefined ? '' : `${low.toFixed(1)} to ${high?.toFixed(1)} %`;
    console.log(
      `| ${name} | ${id} | ${change.commit} | ${change.cost} | ${verdict} | ${effect} | ${minutes} |`,
    );
  }
}
