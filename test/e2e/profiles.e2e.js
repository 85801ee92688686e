/** Each published experiment is one command, and its table comes filled. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from './tools.js';

/** What each one's tables must have a figure under, in every row; and what its sentences must tell. */
const PROFILES = {
  ladder: { rows: 4, columns: ['Req/s', 'p50', 'p95', 'Errors'], says: [/throughput (stops growing|grows)/] },
  keepalive: {
    rows: 4,
    columns: ['Req/s', 'Errors'],
    says: [/ab, 200 connections: .* a factor/, /wrk, 200 connections: .* a factor/],
  },
};

for (const [id, { rows, columns, says }] of Object.entries(PROFILES)) {
  test(`scripts/bench --profile ${id} --scale 0.1 fills its table`, async () => {
    const out = mkdtempSync(join(tmpdir(), `perf-profile-${id}-`));
    try {
      const args = ['--profile', id, '--scale', '0.1', '--rounds', '2', '--baseline', '', '--out', out];
      const { stdout } = await promisify(execFile)(join(ROOT, 'scripts/bench'), args, { cwd: tmpdir() });
      const report = readFileSync(join(out, 'report.md'), 'utf8');
      const filled = tableRows(report);
      assert.equal(filled.length, rows, report);
      for (const column of columns)
        for (const row of filled)
          assert.match(row[column] ?? '', /^[\d,.]/, `${column} of ${JSON.stringify(row)}`);
      for (const sentence of says) assert.match(stdout, sentence);
      const { cases } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
      for (const { trials } of cases)
        for (const { failure } of trials) assert.equal(failure, null, JSON.stringify(failure));
    } finally {
      rmSync(out, { recursive: true });
    }
  });
}

/**
 * @param {string} report
 * @returns {Record<string, string>[]} the rows of its first table, by heading
 */
function tableRows(report) {
  const lines = report.split('\n');
  const first = lines.findIndex((line) => line.startsWith('| Server'));
  const last = lines.findIndex((line, index) => index > first && !line.startsWith('|'));
  const [heads = [], , ...cells] = lines
    .slice(first, last)
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return cells.map((row) => Object.fromEntries(heads.map((head, index) => [head, row[index] ?? ''])));
}
