/** What all cases say together of the code that they share. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from '../../scripts/judge/compare.js';
import { failedCases, outcomeOf } from '../../scripts/judge/gate.js';
import { wordsIn } from '../../scripts/report/text/words.js';
import { documentOf } from '../../scripts/report/document/document.js';
import { judgeGate } from '../../scripts/github/action/gate-step.js';
import { caseOf, runOf, seededNormal, startsOf } from './runs.js';

/** @import { RunCase } from '../../scripts/types.js' */

const SHARED = { slower: 0.05, noise: 0.03, starts: 1, number: 20, seed: 3 };

/**
 * Cases of one server; only: which of them are slower.
 * @param {Partial<typeof SHARED> & { only?: number, facts?: (place: number) => Partial<RunCase> }} [truth]
 */
function sides({ only = Infinity, facts = () => ({}), ...truth } = {}) {
  const { slower, noise, starts, number, seed } = { ...SHARED, ...truth };
  const random = seededNormal(seed);
  const side = (/** @type {number} */ by) =>
    runOf(
      Array.from({ length: number }, (_, place) => {
        const level = place < only ? 1000 * (1 - by) : 1000;
        return { ...caseOf(`c${place}`, startsOf({ level, noise, starts, random })), ...facts(place) };
      }),
    );
  return { base: side(0), head: side(slower) };
}

/** @param {Parameters<typeof sides>[0]} [truth] */
function judged(truth) {
  const { base, head } = sides(truth);
  return { run: head, comparison: compare(base, head) };
}

test('twenty cases show a slowdown that all share after one start each, and none of them alone', () => {
  const { run, comparison } = judged();
  assert.deepEqual(new Set(comparison.cases.map(({ verdict }) => verdict)), new Set(['unsure']));
  assert.equal(comparison.together?.cases, 20);
  assert.equal(comparison.together?.verdict, 'regressed');
  assert.equal(comparison.verdict, 'regressed');
  assert.deepEqual(comparison.promise?.outside, []);
  assert.deepEqual(failedCases(comparison, { failOn: 'regressed' }), []);
  assert.equal(outcomeOf({ run, comparison }, { failOn: 'regressed' }), 1);
  assert.equal(outcomeOf({ run, comparison }, { failOn: 'never' }), 0);
});

/** Cases of starts that they share: `apart` is how far the sides of one start lie apart by chance. */
function shared({ slower = 0, apart = 0.02, rounds = 13, seed = 1 }) {
  const random = seededNormal(seed);
  const starts = Array.from({ length: rounds }, () => Math.exp(apart * random()));
  const side = (/** @type {number[]} */ levels) =>
    runOf(
      Array.from({ length: 20 }, (_, place) => {
        const trials = levels.flatMap((level, round) =>
          startsOf({ level: 1000 * level, noise: 0.01, starts: 1, random }).map((trial) => ({
            ...trial,
            round,
          })),
        );
        return { ...caseOf(`c${place}`, trials), sharedSeconds: 0.5 };
      }),
    );
  return compare(side(starts.map(() => 1)), side(starts.map((start) => start * (1 - slower)))).together;
}

test('cases that share starts say nothing by what a start has of its own', () => {
  const seeds = Array.from({ length: 60 }, (_, seed) => seed + 1);
  const called = seeds.filter((seed) => shared({ seed })?.verdict === 'regressed');
  assert.ok(called.length <= 1, `${called.length} of 60`);
  assert.equal(shared({ slower: 0.06 })?.verdict, 'regressed');
  assert.equal(shared({ slower: 0.06, apart: 0, rounds: 3 }), undefined, 'three rounds show no spread');
});

test('a gate of its own takes a figure out of what all cases together decide', () => {
  const { run, comparison } = judged();
  const gates = { throughput: /** @type {const} */ ('never'), cpuPerRequest: /** @type {const} */ ('never') };
  assert.equal(outcomeOf({ run, comparison }, { failOn: 'regressed', gates }), 0);
});

test('one case that is much slower is not a change of all', () => {
  assert.notEqual(judged({ slower: 0.6, only: 1 }).comparison.together?.verdict, 'regressed');
  assert.notEqual(judged({ slower: 0.3, only: 4 }).comparison.together?.verdict, 'regressed');
});

test('controls are no part of it, and fewer than five cases say nothing together', () => {
  const facts = (/** @type {number} */ place) =>
    place < 4 ? {} : { role: /** @type {const} */ ('control') };
  assert.equal(judged({ facts, slower: 0.3, noise: 0.001, starts: 4 }).comparison.together, undefined);
  assert.equal(judged({ number: 4, slower: 0.3, noise: 0.001 }).comparison.together, undefined);
  assert.equal(judged({ number: 5, slower: 0.3, noise: 0.001 }).comparison.together?.verdict, 'regressed');
});

test('routes that were counted without clocks say nothing of speed together', () => {
  const { comparison } = judged({ facts: () => ({ counted: true }) });
  assert.deepEqual([comparison.verdict, comparison.together], ['same', undefined]);
});

test('runs of different days say nothing together, since a day moves all cases', () => {
  const { base, head } = sides();
  assert.equal(compare({ ...base, session: 'earlier' }, head).together, undefined);
});

test('unchanged cases are rarely called changed together', () => {
  const seeds = Array.from({ length: 300 }, (_, index) => 1000 + 7919 * index);
  const alarms = seeds.filter((seed) => {
    const { comparison } = judged({ slower: 0, seed });
    return ['regressed', 'improved'].includes(comparison.together?.verdict ?? '');
  });
  assert.ok(alarms.length <= 2, `${alarms.length} of 300`);
});

test('a failing job is annotated with what all cases show together, and one that may not fail is, too', () => {
  const { run, comparison } = judged();
  for (const code of [1, 0]) {
    const { level, lines } = judgeGate(code, { run, comparison });
    assert.equal(level, code === 1 ? 'error' : 'warning');
    assert.match(lines[0]?.message ?? '', /^All 20 cases together: Throughput regressed/);
  }
});

test('a report says in its headline and first line what all cases show together', () => {
  for (const language of /** @type {const} */ (['en', 'ko'])) {
    const { run, comparison } = judged();
    const { headline, parts } = documentOf({ ...run, language }, { comparison });
    const name = wordsIn(language).changes.together(20);
    assert.ok(headline.includes(`${name}: `), headline);
    const changes = JSON.stringify(parts.find(({ name: part }) => part === wordsIn(language).parts.changes));
    assert.ok(changes.includes(name), changes);
  }
});
