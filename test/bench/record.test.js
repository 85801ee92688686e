import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readJsonLines } from '../../bench/json-lines.js';
import { adviceText, casesTable, machinesTable, mostOften } from '../../bench/record/tables.js';

/** @param {Partial<import('../../bench/record/one-report.js').Row>} row */
const made = (row) => ({
  name: 'fastify autocannon unchanged',
  date: '2026-11-25T08:00:00.000Z',
  machine: '2 cores, made up',
  version: '0.1.0',
  planted: 0,
  verdict: 'same',
  metrics: { startupCpu: 'same' },
  others: [],
  changePct: 0.1,
  seconds: 30,
  othersShare: 0,
  ...row,
});
const SLOWER = { name: 'fastify autocannon +5%', planted: 0.05, changePct: 5 };

test('the most that a rate is likely to be is the upper end of Clopper and Pearson', () => {
  // For none of n it is 1 - 0.05^(1/n); for 3 of 100, R: binom.test(3, 100, alternative = "less").
  assert.ok(Math.abs(mostOften(0, 100) - (1 - 0.05 ** 0.01)) < 1e-9);
  assert.ok(Math.abs(mostOften(3, 100) - 0.0757) < 1e-4);
  assert.equal(mostOften(2, 2), 1);
});

test('a false alarm is any verdict of a change in a report about unchanged servers', () => {
  const rows = [
    ...Array.from({ length: 7 }, () => made({})),
    made({ verdict: 'improved' }),
    made({ verdict: 'unsure', others: ['same', 'regressed'] }),
    made({ metrics: { startupCpu: 'regressed' } }),
    made({ ...SLOWER, verdict: 'improved' }),
  ];
  const table = machinesTable(rows);
  assert.match(table, /\| 2 cores, made up \| nothing +\| +10 \| +2 \| +50\.7 % \| +\| +\|/);
  assert.match(table, /\| 2 cores, made up \| nothing, startup judged +\| +10 \| +1 \| +39\.4 % \|/);
});

test('finds are counted by what was planted, with the time they took and those missed', () => {
  const rows = [
    made({ ...SLOWER, verdict: 'regressed', seconds: 55 }),
    made({ ...SLOWER, verdict: 'regressed', seconds: 65 }),
    made({ ...SLOWER, verdict: 'same' }),
    made({ ...SLOWER, name: 'start of fastify autocannon +5%' }),
  ];
  assert.match(machinesTable(rows), /\| 5 % +\| +3 \| +2 \| +\| +1 \| +60 \|/);
});

test('a case is in time only with the wanted verdict within its goal', () => {
  const rows = [
    made({ ...SLOWER, verdict: 'regressed', seconds: 55 }),
    made({ ...SLOWER, verdict: 'regressed', seconds: 65 }),
    made({ ...SLOWER, verdict: 'unsure', seconds: 50 }),
  ];
  assert.match(
    casesTable(rows),
    /\| fastify autocannon \+5% \| +5% \| +2 \| +0 \| +1 \| +0 \| +1 of 3 in 60 s \| +55 \| +65 \| +5\.0 % \|/,
  );
});

test('what is planted in a start is judged by the start', () => {
  const name = 'start of fastify autocannon +5%';
  const rows = [made({ ...SLOWER, name, metrics: { startupCpu: 'regressed' } })];
  assert.match(casesTable(rows), /\| start of fastify autocannon \+5% \| +5% \| +1 \| +0 \|/);
});

test('the README has the table that the rows make', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const rows = readJsonLines(new URL('../../bench/record/rows.jsonl', import.meta.url));
  assert.ok(readme.includes(machinesTable(rows)), 'npm run record -- --table');
});

test('the advice of unsure reports is counted by what it led to', () => {
  const advised = (/** @type {string} */ verdict) =>
    made({ verdict: 'unsure', advised: { minutes: 9, verdict } });
  const rows = [made({}), advised('same'), advised('unsure'), made({ advised: { minutes: 9 } })];
  assert.equal(adviceText(rows), '1 of 2 advised budgets decided what was unsure.');
});
