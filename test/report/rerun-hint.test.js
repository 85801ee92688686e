/** The option that an unsure report suggests: from the rounds that would decide it and the time of a round. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderReport } from '../../scripts/report/render/markdown.js';
import { rerunOption } from '../../scripts/report/document/rerun-hint.js';
import { sampleComparison, sampleRun } from './sample.js';

/** Ten rounds that took 300 s, and a case that 14 more would settle. */
function unsure() {
  const run = sampleRun();
  const cases = run.cases.map((runCase) => ({
    ...runCase,
    trials: runCase.trials.flatMap((trial) =>
      Array.from({ length: 10 }, (_, round) => ({
        ...trial,
        round,
        windows: trial.windows.map((window) => ({ ...window, at: 30 * round + 28, seconds: 2 })),
      })),
    ),
  }));
  const comparison = sampleComparison();
  const open = comparison.cases.map((runCase) => ({
    ...runCase,
    metrics: runCase.metrics.map((change) => ({
      ...change,
      ...(change.why.code === 'open' && { why: { ...change.why, moreRounds: 14 } }),
    })),
  }));
  return {
    run: { ...run, cases, looks: [0.5] },
    comparison: {
      ...comparison,
      method: /** @type {const} */ ('side-by-side'),
      against: 'main',
      cases: open,
    },
  };
}

test('an unsure report suggests the budget that would settle it, in whole minutes', () => {
  const { run, comparison } = unsure();
  assert.equal(rerunOption(run, comparison).option, '--budget 12m');
  assert.match(
    renderReport(run, { comparison }),
    /\n- `--budget 12m` would probably decide what is unsure\n/,
  );
});

test('a run with a number of rounds gets a hint in rounds', () => {
  const { run, comparison } = unsure();
  const { looks, ...counted } = run;
  assert.deepEqual(looks, [0.5]);
  assert.equal(rerunOption(counted, comparison).option, '--rounds 24');
});

test('without anything known to help there is no hint', () => {
  const { run, comparison } = unsure();
  /** @param {number | undefined} moreRounds */
  const needing = (moreRounds) => ({
    ...comparison,
    cases: comparison.cases.map((runCase) => ({
      ...runCase,
      metrics: runCase.metrics.map((change) => ({
        ...change,
        why:
          change.why.code === 'open' && moreRounds !== undefined
            ? { ...change.why, moreRounds }
            : /** @type {const} */ ({ code: 'one-start' }),
      })),
    })),
  });
  assert.equal(rerunOption(run, needing(undefined)).option, undefined);
  assert.equal(rerunOption(run, needing(1000)).option, undefined, 'hours');
  assert.equal(rerunOption(run, { ...comparison, method: 'stored' }).option, undefined);
});

test('where a budget ended the run, the budget is what would settle it, and the report says that it did', () => {
  const { run, comparison } = unsure();
  const { looks: _, ...counted } = run;
  const ended = {
    ...counted,
    warnings: [{ code: /** @type {const} */ ('budget-ended'), seconds: 300, rounds: 10 }],
  };
  assert.equal(rerunOption(ended, comparison).option, '--budget 12m');
  assert.match(
    renderReport(ended, { comparison }),
    /the budget of 5 min ended the measurement after 10 rounds/,
  );
});

test('where no budget would do, the report says what would', () => {
  const { run, comparison } = unsure();
  const cases = comparison.cases.map((runCase) => ({
    ...runCase,
    metrics: runCase.metrics.map((change) => ({
      ...change,
      ...(change.why.code === 'open' && { why: { ...change.why, moreRounds: 5000 } }),
    })),
  }));
  const text = renderReport(run, { comparison: { ...comparison, cases } });
  assert.match(
    text,
    /takes more than 2 hours; fewer cases, a quieter machine or a larger margin shorten it\n/,
  );
  assert.doesNotMatch(text, /would probably decide|reasonable budget/);
});

test('of several unsure cases, the hint is about those that a run of two hours would decide', () => {
  const { run, comparison } = unsure();
  const [open] = comparison.cases.filter(({ verdict }) => verdict === 'unsure');
  assert.ok(open);
  const needing = (/** @type {string} */ id, /** @type {number} */ moreRounds) => ({
    ...open,
    id,
    metrics: open.metrics.map((change) => ({
      ...change,
      why: { code: /** @type {const} */ ('open'), moreRounds },
    })),
  });
  const cases = [needing('a', 43), needing('b', 245), needing('c', 300)];
  const text = renderReport(run, { comparison: { ...comparison, cases } });
  assert.match(
    text,
    /`--budget 27m` would probably decide 1 of the 3 unsure cases; the rest takes more than 2 hours\n/,
  );
});
