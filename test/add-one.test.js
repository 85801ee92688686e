/** What docs/architecture.md promises of "I want to add a ...": one of each is added to a scratch copy, which is then run. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { boots, caseOf, runOf, seededNormal } from './judge/runs.js';

const PROJECT = fileURLToPath(new URL('../', import.meta.url));

/** @param {(copy: string) => void} use gets a copy of the project that can be run and changed */
function inCopy(use) {
  const copy = mkdtempSync(join(tmpdir(), 'perf-add-one-'));
  try {
    for (const part of ['scripts', 'package.json', 'servers', 'profiles'])
      cpSync(join(PROJECT, part), join(copy, part), {
        recursive: true,
        filter: (file) => !file.includes('node_modules'),
      });
    symlinkSync(join(PROJECT, 'node_modules'), join(copy, 'node_modules'));
    use(copy);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/**
 * @param {string} file
 * @param {string} before what the row is put before
 * @param {string} row
 */
function addRow(file, before, row) {
  const text = readFileSync(file, 'utf8');
  assert.ok(text.includes(before), `${file} has no ${before}`);
  writeFileSync(file, text.replace(before, row + before));
}

/**
 * Two runs of one session; the head's event loop lags more.
 * @param {string} folder
 */
function storeRuns(folder) {
  const random = seededNormal(1);
  const sides = [10, 20].map((eventLoopDelayMs) =>
    runOf([
      caseOf('app', boots({ level: 10_000, noise: 0.003, boots: 8, random, more: { eventLoopDelayMs } })),
    ]),
  );
  return sides.map((run, place) => {
    const file = join(folder, `${place}.json`);
    writeFileSync(file, JSON.stringify({ ...run, id: `run-${place}` }));
    return file;
  });
}

/**
 * @param {string} copy
 * @param {...string} args
 */
const cli = (copy, ...args) =>
  execFileSync(process.execPath, [join(copy, 'scripts/cli.js'), ...args], { cwd: copy, encoding: 'utf8' });

test('a metric is one row: judged, gated, told in the comparison and in the tables', () =>
  inCopy((copy) => {
    const [base = '', head = ''] = storeRuns(copy);
    addRow(
      join(copy, 'scripts/metrics.js'),
      '];\n\n/** The one a load test is known by. */',
      `  {
    id: 'eventLoop',
    label: 'Event-loop delay',
    column: 'Loop ms',
    unit: 'ms',
    better: 'less',
    role: 'resource',
    gate: false,
    weight: 0.05,
    scales: true,
    spread: LATENCY_SPREAD,
    of: ({ windows: [first] }) => first?.eventLoopDelayMs,
  },
`,
    );
    writeFileSync(join(copy, 'perf.yml'), 'margins: { eventLoop: 1% }\ngates: { eventLoop: never }\n');
    const comparison = cli(copy, 'compare', '--base', base, '--head', head, '--json');
    const [{ metrics }] = JSON.parse(comparison).cases;
    const found = metrics.find((/** @type {{ metric: string }} */ { metric }) => metric === 'eventLoop');
    assert.deepEqual([found.verdict, Math.round(found.effectPct)], ['regressed', 100]);
    writeFileSync(join(copy, 'comparison.json'), comparison);
    const report = cli(copy, 'report', head, '--comparison', join(copy, 'comparison.json'), '--format', 'md');
    assert.match(report, /\| Loop ms \|[^]*\| app .*\| +20 \|/);
    assert.match(report, /\| Event-loop delay \| +10 ms \| +20 ms \| +\+100\.0 %/);
  }));
