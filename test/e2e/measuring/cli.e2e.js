/** The command line as people use it: real servers, real tools, exit codes. */

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ALONE, cli, folder, QUICK, toyFolder } from '../command-line.js';

test('the framework servers and the reference are measured, and compared with a stored baseline', async () => {
  const calm = [...QUICK, '--rate', '100'];
  const first = await cli(
    'run',
    '--servers',
    'express,fastify,nest-express,nest-fastify',
    ...calm,
    '--relative-to',
    'express',
    '--out',
    'first',
  );
  assert.equal(first.code, 0, first.stderr);
  for (const name of ['Express', 'Fastify', 'Nest (Express)', 'Nest (Fastify)', 'node:http (reference)']) {
    assert.ok(first.stdout.includes(name), `${name} has a row`);
  }
  const run = JSON.parse(readFileSync(join(folder, 'first/run.json'), 'utf8'));
  for (const { id, summary } of run.cases) {
    assert.ok(summary.requests > 0, id);
    assert.equal(summary.errors.non2xx, 0, id);
  }

  const saved = await cli('baseline', 'save', 'first/run.json');
  const file = saved.stdout.trim().replace('stored in ', '');
  assert.ok(existsSync(join(folder, file)), file);
  const second = await cli('run', '--servers', 'express', ...calm, '--baseline', file, '--out', 'second');
  assert.equal(second.code, 0, second.stderr);
  const comparison = JSON.parse(readFileSync(join(folder, 'second/comparison.json'), 'utf8'));
  assert.equal(
    comparison.cases.find((/** @type {{ only?: string }} */ { only }) => !only).verdict,
    'unsure',
    'one start tells nothing',
  );
  assert.match(readFileSync(join(folder, 'second/report.md'), 'utf8'), /Unsure/);
  assert.match((await cli('baseline', 'list')).stdout, /express, fastify/);
});

test('wrk and ab measure', async () => {
  const asked = ['--servers', 'node-http', '--tool', 'wrk,ab', ...QUICK, '--json', '--out', 'tools'];
  const { code, stdout, stderr } = await cli('run', ...asked);
  assert.equal(code, 0, stderr);
  /** @type {import('../../../scripts/types.js').Run} */
  const { cases } = JSON.parse(stdout).run;
  assert.deepEqual(cases.map(({ load }) => load.tool).sort(), ['ab', 'wrk']);
  for (const { id, summary } of cases) assert.ok(Number(summary?.requests) > 0, id);
});

test('what goes wrong with a server is exit 3, and the rest is measured', async () => {
  const bad = ['exits-at-start', 'never-ready', 'wrong-body', 'dies-under-load'].map(toyFolder);
  const servers = [...bad, toyFolder('good')].join(',');
  const asked = ['--servers', servers, ...ALONE, ...QUICK, '--rate', '200', '--out', 'bad'];
  const { code, stdout } = await cli('run', ...asked);
  assert.equal(code, 3);
  assert.match(
    stdout,
    /exits-at-start: exited-at-start \(\d of \d starts\): `.*` ended with 7\n\n {4}toy exits-at-start starts\n {4}cannot open the database/,
  );
  assert.match(stdout, /never-ready: never-ready \(3 of 3 starts\): not ready after 2 s/);
  assert.match(
    stdout,
    /wrong-body: wrong-answer \(3 of 3 starts\): \/: body "Hello Wörld\?", expected "Hello World!"/,
  );
  assert.match(stdout, /dies-under-load: died-under-load/);
  assert.match(stdout, /^good .*\d/m);
  /** @type {import('../../../scripts/types.js').Run} */
  const { cases } = JSON.parse(readFileSync(join(folder, 'bad/run.json'), 'utf8'));
  const kinds = Object.fromEntries(cases.map(({ server, trials }) => [server, trials[0]?.failure?.kind]));
  assert.deepEqual(kinds, {
    'exits-at-start': 'exited-at-start',
    'never-ready': 'never-ready',
    'wrong-body': 'wrong-answer',
    'dies-under-load': 'died-under-load',
    good: undefined,
  });
});
