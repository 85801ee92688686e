/**
 * Published packages under test, each in a repository of its own: `run --against HEAD~1` with a commit that
 * adds a counted loop to a hot function, and with one that adds a comment.
 *
 *     node bench/libraries.js [--only "express@5 slower"] [--budget 2m] [--out rows.jsonl] --out: what it has
 *       is not measured again
 */

import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from 'd3-array';
import { markdownTable } from 'markdown-table';
import { changeText } from '../scripts/report/text/change-words.js';
import { wordsIn } from '../scripts/report/text/words.js';
import { commitAll, initRepository } from './copy-repository.js';
import { readJsonLines } from './json-lines.js';
import { perfAction } from './perf-action.js';

/** @import { MetricComparison } from '../scripts/types.js' */

const JSON_ROUTE = 'routes: [{ path: /json, expect: { json: { hello: world } } }]\n';
const RAW_BODY = `routes:
  - path: /upload
    method: POST
    headers: { content-type: application/octet-stream }
    body: ${'x'.repeat(64)}
    expect: { json: { bytes: 64 } }
`;
const HONO_SERVER = {
  'perf/server/package.json':
    '{ "type": "module", "dependencies": { "@hono/node-server": "^1.0.0", "hono": "file:../.." } }',
  'perf/server/server.yml': `start: node server.js\n${JSON_ROUTE}`,
  'perf/server/server.js': `import { serve } from '@hono/node-server';
import { Hono } from 'hono';
const app = new Hono();
app.get('/json', (context) => context.json({ hello: 'world' }));
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: process.env.HOST });
`,
};

/** Package, server, file, steps of the loop, and what the loop follows. */
const PACKAGES = `
express@5 | express | lib/response.js | 12000 | function send(body) {
fastify@5 | fastify | lib/reply.js | 1500 | Reply.prototype.send = function (payload) {
hono@4 | ./perf/server | dist/context.js | 4000 | json = (object, arg, headers) => {
body-parser@2 | express | lib/read.js | 18000 | function read (req, res, next, parse, debug, options) {
@nestjs/core@12 | nest-express | router/router-response-controller.js | 15000 | async apply(result, response, httpStatusCode) {
`;

const string = /** @type {const} */ ('string');
const { values } = parseArgs({
  options: {
    only: { type: string, default: '' },
    budget: { type: string, default: '2m' },
    out: { type: string },
  },
});
const rows = values.out && existsSync(values.out) ? readJsonLines(values.out) : [];
for (const line of PACKAGES.trim().split('\n'))
  for (const commit of ['slower', 'a comment']) {
    const [name = '', ...planned] = line.split(' | ');
    const isKnown = rows.some(([id, , of]) => id.startsWith(name) && of === commit);
    if (isKnown || !`${name} ${commit}`.includes(values.only)) continue;
    const row = await measure(name, commit, planned);
    rows.push(row);
    if (values.out) appendFileSync(values.out, `${JSON.stringify(row)}\n`);
  }
const head = 'package,server,commit,planted,verdict,CPU per request,function named,seconds'.split(',');
console.log(markdownTable([head, ...rows], { align: 'lllrlrlr'.split('') }));

/** The cells of its row. @type {(name: string, commit: string, planned: string[]) => Promise<string[]>} */
async function measure(name, commit, [server = '', file = '', steps, hot = '']) {
  const top = mkdtempSync(join(tmpdir(), 'perf-libraries-'));
  try {
    const packed = execFileSync('npm', ['pack', name, '--json'], { cwd: top, encoding: 'utf8' });
    const [{ id, filename }] = JSON.parse(packed);
    execFileSync('tar', ['-xzf', filename, '--strip-components=1'], { cwd: top });
    rmSync(join(top, filename));
    write(top, {
      '.gitignore': 'node_modules\nperf-results\n',
      'perf.yml': `servers: [${server}]\nlibrary: .\n${name.startsWith('body') ? RAW_BODY : JSON_ROUTE}`,
      ...(server.startsWith('.') && HONO_SERVER),
    });
    initRepository(top);
    const text = readFileSync(join(top, file), 'utf8');
    if (!text.includes(hot)) throw new Error(`${id} has no "${hot}" in ${file}`);
    const loop = `let sum = 0; for (let i = 0; i < ${steps}; i++) sum = (sum * 31 + i) | 0; globalThis.sum = sum;`;
    const isSlower = commit === 'slower';
    write(top, { [file]: text.replace(hot, () => `${hot} ${isSlower ? loop : '// The same.'}\n`) });
    commitAll(top);
    const startedAt = performance.now();
    await perfAction(top, ['run', '--against', 'HEAD~1', '--budget', values.budget, '--fail-on', 'never']);
    const seconds = (performance.now() - startedAt) / 1000;
    const { cases } = JSON.parse(readFileSync(join(top, 'perf-results/comparison.json'), 'utf8'));
    const [{ verdict, metrics, functions = [], blamed }] = cases;
    const cpu = metrics.find((/** @type {MetricComparison} */ { metric }) => metric === 'cpuPerRequest');
    const [named] = [blamed ?? [], functions].flat();
    return [
      ...[id, server, commit, isSlower ? `${((100 * microsecondsOf(loop)) / cpu.base).toFixed(0)} %` : '0'],
      ...[
        verdict,
        changeText(cpu, wordsIn()),
        named ? `${named.name || '(anonymous)'} (${named.file}:${named.line})` : '–',
      ],
      seconds.toFixed(0),
    ];
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

/** @type {(top: string, files: Record<string, string>) => void} */
function write(top, files) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, file)), { recursive: true });
    writeFileSync(join(top, file), text);
  }
}

/** What it costs by itself, once it is compiled. @type {(loop: string) => number} */
function microsecondsOf(loop) {
  const work = new Function(loop);
  const timed = Array.from({ length: 21 }, () => {
    const startedAt = performance.now();
    for (let i = 0; i < 500; i++) work();
    return (performance.now() - startedAt) * 2;
  });
  return median(timed) ?? 0;
}
