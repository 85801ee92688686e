/**
 * Repositories of every shape through their first minutes, and a table of what happened; exit code 1 where
 * one needs an edit. The budget is that of comparisons whose servers warm up in seconds.
 * `npm run bench:repositories -- [--only express-routers,next] [--budget 1m]`
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { firstMinutes, SHAPES } from './first-minutes.js';

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, budget: { type: 'string', default: '1m' } },
});
const names = options.only?.split(',') ?? Object.keys(SHAPES);
const unknown = names.find((name) => !SHAPES[name]);
if (unknown !== undefined) {
  console.error(`--only: no repository "${unknown}"; there are ${Object.keys(SHAPES).join(', ')}`);
  process.exit(2);
}

console.log('| repository | shape | step | exit | outcome | seconds |');
console.log('| --- | --- | --- | ---: | --- | ---: |');
const failed = [];
for (const name of names) {
  const { shape, budget = options.budget } = SHAPES[name] ?? {};
  const scratch = mkdtempSync(join(tmpdir(), 'perf-repositories-'));
  try {
    const steps = await firstMinutes(name, {
      scratch,
      run: ['--rounds', '1', '--duration', '2s'],
      against: ['--budget', budget, '--fail-on', 'never'],
    });
    for (const { step, code, outcome, seconds } of steps) {
      const cells = [name, shape, step, code, outcome, seconds.toFixed(0)];
      console.log(`| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`);
    }
    if (steps.some(({ code }) => code !== 0)) failed.push(name);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
console.log(`\n${names.length - failed.length} of ${names.length} without an edit.`);
if (failed.length > 0) console.log(`Not: ${failed.join(', ')}.`);
process.exitCode = failed.length > 0 ? 1 : 0;
