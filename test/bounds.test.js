/**
 * What is beyond all measure, or in the way, is refused in one line; a child with 200 MB of heap shows what
 * it takes.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { UserError } from '../scripts/model/errors.js';
import { readRun } from '../scripts/store/run-file.js';
import { runCommands } from './commands.js';
import { scratchFolder } from './scratch.js';

const SERVERS = 'servers: [{ id: app, start: node a.js, routes: [{ path: / }] }]\n';

const dir = scratchFolder();

/** All commands of one call have this much memory together. */
const SMALL = ['--max-old-space-size=200'];

/** @type {[file: string, says: RegExp][]} */
const FILES = [
  [
    `${SERVERS}rounds: 1000000\n`,
    /rounds: 1000000 rounds of 2 starts are more than 200000 starts; use fewer/,
  ],
  [`${SERVERS}rounds: 30000000\n`, /rounds: "30000000" is too large; use at most 1000000/],
  [`title: ${'['.repeat(20_000)}`, /is nested more than 50 levels deep|perf\.yml:1/],
  [`x: ${'['.repeat(80)}${']'.repeat(80)}`, /perf\.yml:1: is nested more than 50 levels deep/],
  [`x: &a [*a]\n`, /perf\.yml:1: \*a refers to itself/],
  [
    `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((key, n) => `${key}: &${key} [${Array(9).fill(`*${'abcdefgh'[n]}`)}]\n`).join('')}`,
    /Excessive alias count .*; write the values out/,
  ],
  [`%YAML 1.1\n---\nload: { <<: 5 }\n`, /Merge sources must be maps.*; write the values out/],
  [`${SERVERS}title: ${'x'.repeat(2 ** 20)}\n`, /has more than 262144 bytes; check the path/],
  [`{ a: 1 }: 2\n`, /perf\.yml:1: a key must be text; quote it/],
  [`%YAML 1.1\n---\n? <<:\n`, /perf\.yml:3: a key must be text; quote it/],
  [Array.from({ length: 20_000 }, (_, n) => `k${n}: 1\n`).join(''), /unknown key "k0"/],
];

test('a perf.yml beyond all measure is refused in one line', async () => {
  const commands = FILES.map(([text]) => ({ args: ['plan'], files: { 'perf.yml': text } }));
  const ended = await runCommands(commands, { cwd: dir, flags: SMALL });
  for (const [index, { code, stderr }] of ended.entries()) {
    assert.equal(code, 2, stderr.slice(0, 500));
    assert.match(stderr, FILES[index]?.[1] ?? /^$/);
    assert.doesNotMatch(stderr, /\n\s+at |unexpected error/);
    assert.ok(stderr.split('\n').length <= 21);
  }
});

/**
 * Each path is that of a pipe into which nobody writes.
 * @type {[path: string, args: string[], code: number][]}
 */
const PIPES = [
  ['perf.yml', ['plan'], 2],
  ['perf.yml', ['doctor'], 2],
  ['app/server.yml', ['plan', '--servers=./app'], 2],
  ['base.json', ['compare', '--base=base.json', '--head=base.json'], 2],
  ['base.json', ['plan', '--config=base.json'], 2],
  ['base.json', ['run', '--servers=node-http', '--baseline=base.json'], 2],
  ['runs/history.jsonl', ['report', '--history=runs'], 2],
  ['.gitignore', ['init'], 2],
];

test('a pipe in the place of a file is refused in one line, at once', async () => {
  const files = {
    'package.json': '{ "dependencies": { "express": "5" }, "main": "a.js" }',
    'a.js': "const app = require('express')();\napp.get('/', () => {});\napp.listen(process.env.PORT);\n",
  };
  const commands = PIPES.map(([path, args]) => {
    const cwd = mkdtempSync(join(dir, 'pipe-'));
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    execFileSync('mkfifo', [join(cwd, path)]);
    return { args, cwd, files };
  });
  const ended = await runCommands(commands, { cwd: dir, flags: SMALL });
  for (const [index, { code, stderr }] of ended.entries()) {
    const [, args, expected] = PIPES[index] ?? ['', [], 0];
    assert.equal(code, expected, `${args.join(' ')}: ${stderr}`);
    assert.match(stderr, /: is not a regular file; /);
    assert.equal(stderr.trim().split('\n').length, 1);
  }
});

/** Of files that are no configuration and no run. */
const SECRETS = [
  'root:s3cr3t:0:0:root:/root:/bin/bash\nsync:x:4:65534:sync:/bin:/bin/sync\n',
  '{ "token": s3cr3t }',
  '"s3cr3t" "s3cr3t"\n',
  'a: "\\s3cr3t"\n',
  'a: !s3cr3t b\n',
  'a: *s3cr3t\n',
  'a: @s3cr3t\n',
  '[default]\nkey = s3cr3t\n',
  '%s3cr3t\n---\na: |s3cr3t\n',
  '- s3cr3t\n',
];

/** Each reads the file named secret as one of its own. */
const READ_SECRET = [
  ['plan', '--config=secret'],
  ['run', '--servers=node-http', '--baseline=secret'],
  ['compare', '--base=secret', '--head=secret'],
  ['report', 'secret'],
  ['merge', 'secret', '--out=merged.json'],
  ['plan', '--servers=./app'],
  ['report', '--history=runs'],
];

test('no message quotes a file that cannot be parsed', async () => {
  const commands = SECRETS.flatMap((text) =>
    READ_SECRET.map((args) => {
      const cwd = mkdtempSync(join(dir, 'secret-'));
      return { args, cwd, files: { secret: text, 'app/server.yml': text, 'runs/history.jsonl': text } };
    }),
  );
  const ended = await runCommands(commands, { cwd: dir });
  for (const [index, { code, stdout, stderr }] of ended.entries()) {
    assert.equal(code, 2, `${commands[index]?.args.join(' ')}: ${stderr}`);
    assert.doesNotMatch(stdout + stderr, /s3cr3t/);
  }
});

test('an argument of a megabyte gets one line of a thousand characters', async () => {
  const long = 'x'.repeat(2 ** 20);
  const commands = [[long], ['plan', `--${long}`], ['plan', long], ['plan', `--servers=./${long}`]];
  const more = [
    ['plan', `--config=${long}`],
    ['plan', `--duration=${long}`],
    ['compare', `--base=${long}`, `--head=${long}`],
    ['run', '--servers=node-http', `--out=${long}`],
    ['bisect', `--resume=${long}`],
    ['plan', '--servers=node-http', '--tool=wrk', `--script=${long}`],
    ['plan', '--servers=node-http', `--against=${long}`],
  ];
  const ended = await runCommands(
    [...commands, ...more].map((args) => ({ args })),
    { cwd: mkdtempSync(join(dir, 'long-')) },
  );
  for (const { code, stderr } of ended) {
    assert.equal(code, 2, stderr.slice(0, 300));
    assert.match(stderr, /^perf-action: .{50,1010}\n$/);
  }
});

const WINDOW = { seconds: 1, requests: 5 };
const TRIAL = { windows: [WINDOW] };

/** @param {object} changes */
function runFile(changes) {
  const whole = { schema: 'perf-action/run@1', id: 'x', startedAt: 'x', environment: { fingerprint: 'f' } };
  return JSON.stringify({ ...whole, cases: [{ id: 'c', trials: [TRIAL] }], ...changes });
}

/** @type {[string, RegExp][]} */
const RUNS = [
  [
    runFile({ cases: [{ id: 'c', trials: [{ windows: Array(20_000).fill(WINDOW) }] }] }),
    /cases\[0\]\.trials\[0\]\.windows has 20000 items, more than 10000/,
  ],
  [
    runFile({
      cases: [
        {
          id: 'c',
          trials: [
            {
              windows: [
                { ...WINDOW, errors: Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`k${n}`, 1])) },
              ],
            },
          ],
        },
      ],
    }),
    /errors has 60 keys, more than 50/,
  ],
  [runFile({ warnings: Array(3000).fill({ code: 'x' }) }), /warnings has 3000 items, more than 2000/],
  [
    runFile({}).replace('{', `{"published":${'{"a":'.repeat(60)}1${'}'.repeat(60)},`),
    /is nested more than 50 levels deep/,
  ],
  [
    runFile({}).replace('"requests":5', '"requests":1e308'),
    /requests must be <= 1000000000000000; got 1e\+308/,
  ],
];

test('a run file beyond all measure is refused in one line', async () => {
  for (const [text, says] of RUNS) {
    writeFileSync(join(dir, 'run.json'), text);
    await assert.rejects(readRun(join(dir, 'run.json')), (error) => {
      assert.ok(error instanceof UserError);
      assert.match(error.message, says);
      return !error.message.includes('\n');
    });
  }
});

test('a stranger’s file is bounded before it is parsed', async () => {
  const bounds = { bytes: 1000, values: 50, depth: 50 };
  writeFileSync(join(dir, 'run.json'), runFile({ title: 'x'.repeat(2000) }));
  await assert.rejects(readRun(join(dir, 'run.json'), bounds), /has more than 1000 bytes/);
  writeFileSync(join(dir, 'run.json'), runFile({ looks: Array(60).fill(1) }));
  await assert.rejects(readRun(join(dir, 'run.json'), bounds), /has more than 50 values/);
  writeFileSync(join(dir, 'run.json'), runFile({ title: '\\",[[{{'.repeat(60) }));
  assert.ok(await readRun(join(dir, 'run.json'), bounds));
});

test('what is in the way of results and temporary files is reported before anything starts', async () => {
  writeFileSync(join(dir, 'perf.yml'), SERVERS);
  mkdirSync(join(dir, 'out', 'report.md'), { recursive: true });
  const [inTheWay] = await runCommands([{ args: ['run', '--out', 'out'] }], { cwd: dir });
  assert.equal(inTheWay?.code, 2);
  assert.match(
    inTheWay?.stderr ?? '',
    /^perf-action: --out: .*report\.md is a folder there; remove it, or use another/,
  );
  const env = { ...process.env, TMPDIR: join(dir, 'nowhere') };
  const [nowhere] = await runCommands([{ args: ['run'] }], { cwd: dir, env });
  assert.equal(nowhere?.code, 2);
  assert.match(
    nowhere?.stderr ?? '',
    /^perf-action: TMPDIR: temporary files cannot be written to .*; set TMPDIR/,
  );
});
