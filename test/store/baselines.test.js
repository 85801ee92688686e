import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { UserError } from '../../scripts/errors.js';
import { listBaselines, saveBaseline } from '../../scripts/store/baselines.js';
import { readRun } from '../../scripts/store/run-file.js';
import { run, runCase, trial } from './runs.js';

const scratch = () => mkdtempSync(join(tmpdir(), 'perf-store-'));

test('one baseline a profile and machine, the latest first', async () => {
  const dir = join(scratch(), 'baselines');
  assert.deepEqual(await listBaselines(dir), []);
  const cases = [runCase('a'), runCase('b'), runCase('a')];
  await saveBaseline(run({ id: 'old', cases }), dir);
  const saved = await saveBaseline(run({ cases }), dir);
  const later = { startedAt: '2026-11-21T10:00:00.000Z', revision: {} };
  await saveBaseline(run({ ...later, profile: 'quick', environment: { fingerprint: 'bbbb1111' } }), dir);

  assert.deepEqual(readdirSync(dir).sort(), ['quick-bbbb1111.json', 'run-aaaa0000.json']);
  assert.equal((await readRun(saved)).id, 'one');
  assert.deepEqual(await listBaselines(dir), [
    {
      file: join(dir, 'quick-bbbb1111.json'),
      startedAt: later.startedAt,
      fingerprint: 'bbbb1111',
      servers: ['hello'],
      cpuModel: 'Test CPU',
    },
    {
      file: saved,
      startedAt: '2026-11-20T10:00:00.000Z',
      label: 'head',
      sha: '0123456789abcdef',
      fingerprint: 'aaaa0000',
      servers: ['a', 'b'],
      cpuModel: 'Test CPU',
    },
  ]);
});

test('no name leads out of the folder', async () => {
  const dir = scratch();
  const saved = await saveBaseline(run({ profile: '../../up', environment: { fingerprint: 'a/b c' } }), dir);
  assert.equal(dirname(saved), dir);
  assert.deepEqual(readdirSync(dir), ['..-..-up-a-b-c.json']);
});

test('a run that measured nothing is no baseline', async () => {
  const dir = scratch();
  const failure = { kind: /** @type {const} */ ('never-ready'), message: 'no answer' };
  const failed = run({ cases: [runCase('a', [trial({ failure })])] });
  await assert.rejects(saveBaseline(failed, dir), UserError);
  assert.deepEqual(readdirSync(dir), []);
});

test('a file that is no run is named', async () => {
  const dir = scratch();
  writeFileSync(join(dir, 'broken.json'), '{}');
  await assert.rejects(listBaselines(dir), /broken\.json: has no "schema"/);
});
