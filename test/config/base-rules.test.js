/** What decides where base and head have different rules: the base's, and stricter ones where it has none. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rulesWithBase } from '../../scripts/config/base-rules.js';
import { readRules } from '../../scripts/config/rules.js';
import { defined } from '../../scripts/model/defined.js';
import { CALLER, inFolder, ROOT } from '../plan/sources.js';

/**
 * @param {string} perfYml
 * @param {import('../../scripts/types.js').Asked} [options]
 */
const rulesOf = (perfYml, options = {}) =>
  inFolder(perfYml, (cwd) => readRules({ options, cwd, root: ROOT, caller: CALLER }));

/**
 * @param {string} base
 * @param {string} head
 * @param {import('../../scripts/types.js').Asked} [options]
 */
const both = (base, head, options) => {
  const { file: _, written: __, ...own } = rulesOf(head, options);
  return rulesWithBase(own, rulesOf(base, options));
};

/** @type {[what: string, base: string, head: string, rules: object, looser: string[]][]} */
const CASES = [
  [
    'a looser failOn and margin',
    'failOn: unsure\nmargin: 2%',
    'failOn: never\nmargin: 20%',
    { failOn: 'unsure', margin: 0.02 },
    ['failOn unsure -> never', 'margin 2% -> 20%'],
  ],
  [
    'looser ones than the defaults',
    '',
    'failOn: never\nmargin: 20%',
    { failOn: 'regressed', margin: 0.05 },
    ['failOn regressed -> never', 'margin 5% -> 20%'],
  ],
  [
    'stricter ones where the base has none',
    '',
    'failOn: unsure\nmargin: 1%\ngates: { memory: regressed }\nmargins: { p99: 2% }\nlimits: { memory: 1MB }',
    {
      failOn: 'unsure',
      margin: 0.01,
      gates: { memory: 'regressed' },
      margins: { p99: 0.02 },
      limits: [{ metric: 'memory', bound: 1e6 }],
    },
    [],
  ],
  [
    'stricter ones than the base has',
    'failOn: regressed',
    'failOn: unsure',
    { failOn: 'regressed', margin: 0.05 },
    [],
  ],
  [
    'gates: one that opens, one that is gone, one that is open already',
    'gates: { memory: regressed, answer: regressed }',
    'gates: { p99: never, answer: never, startupCpu: never }',
    {
      failOn: 'regressed',
      margin: 0.05,
      gates: { memory: 'regressed', answer: 'regressed', startupCpu: 'never' },
    },
    ['gates.memory regressed -> never', 'gates.answer regressed -> never', 'gates.p99 regressed -> never'],
  ],
  [
    'margins: a wider one, one that is gone, and a new one',
    'margins: { p99: 2%, memory: 1% }',
    'margins: { p99: 12.5%, throughput: 50%, p50: 1% }',
    { failOn: 'regressed', margin: 0.05, margins: { p99: 0.02, memory: 0.01, p50: 0.01 } },
    ['margins.p99 2% -> 12.5%', 'margins.memory 1% -> 5%', 'margins.throughput 5% -> 50%'],
  ],
  [
    'limits: looser in either direction, gone, tighter, new',
    'limits: [{ p99: 50ms, at: 500/s, route: /items }, { throughput: 900 }, { memory: 256MB, errors: 0% }]',
    'limits: [{ p99: 2s, at: 500/s, route: /items }, { throughput: 800 }, { memory: 200MB }, { cpuPerRequest: 2ms }]',
    {
      failOn: 'regressed',
      margin: 0.05,
      limits: [
        { metric: 'p99', bound: 50, rate: 500, route: '/items' },
        { metric: 'throughput', bound: 900 },
        { metric: 'memory', bound: 256e6 },
        { metric: 'errors', bound: 0 },
        { metric: 'cpuPerRequest', bound: 2000 },
      ],
    },
    ['limits.p99 at 500/s /items 50ms -> 2s', 'limits.throughput 900/s -> 800/s', 'limits.errors 0% -> none'],
  ],
];

for (const [what, base, head, rules, looser] of CASES)
  test(`${what}: the base's rules decide, and what is looser is listed`, () => {
    const found = both(base, head);
    assert.deepEqual(defined(found.rules), rules);
    assert.deepEqual(
      found.looser.map((each) => `${each.setting} ${each.base} -> ${each.head ?? 'none'}`),
      looser,
    );
  });

test('a flag decides over both', () => {
  const { rules, looser } = both('failOn: unsure\nmargin: 2%', 'failOn: regressed\nmargin: 20%', {
    'fail-on': 'never',
    margin: '50%',
  });
  assert.deepEqual([defined(rules), looser], [{ failOn: 'never', margin: 0.5 }, []]);
});
