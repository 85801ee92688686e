import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { outputOn } from '../../scripts/system/output.js';
import { progressOn } from '../../scripts/run/record/progress.js';

/** @typedef {import('../../scripts/run/conduct.js').Progress} Progress */

const CASE = /** @type {import('../../scripts/types.js').Case} */ ({ id: 'hello / autocannon c10' });
const AT = { side: 0, case: CASE, round: 0, total: 4 };
/** @type {Progress} */
const START = { type: 'start', total: 4, members: [AT], done: 0, left: 75 };
/** @type {Progress} */
const TRIAL = {
  type: 'trial',
  ...AT,
  done: 1,
  left: 59.6,
  trial: { round: 0, failure: null, windows: [{ seconds: 2, requests: 5000 }] },
};
/** @type {Progress} */
const FAILED = {
  type: 'trial',
  ...AT,
  done: 2,
  left: 30,
  trial: {
    round: 0,
    windows: [],
    failure: { kind: 'exited-at-start', message: 'exited with code 1', logTail: ['boom'] },
  },
};

/** @param {{ isTTY?: boolean, columns?: number }} kind */
function sink(kind) {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return { stream: Object.assign(stream, kind), text: () => text };
}

test('a log gets a line a trial, with the time left', () => {
  const { stream, text } = sink({});
  const progress = progressOn(outputOn(stream), ['head']);
  for (const event of [START, TRIAL]) progress.show(event);
  progress.end();
  assert.equal(text(), '[1/4] round 1 hello / autocannon c10: 2,500 req/s, 1 min 0 s left\n');
});

test('a failure shows the last lines that the server printed', () => {
  const { stream, text } = sink({});
  progressOn(outputOn(stream), ['head']).show(FAILED);
  assert.equal(
    text(),
    '[2/4] round 1 hello / autocannon c10: exited-at-start: exited with code 1\n    boom\n',
  );
});

test('a terminal gets one line that rewrites itself and is gone at the end', () => {
  const { stream, text } = sink({ isTTY: true, columns: 80 });
  const progress = progressOn(outputOn(stream), ['head']);
  progress.show(START);
  progress.show(TRIAL);
  progress.end();
  assert.ok(!text().includes('\n'));
  assert.match(text(), /\[1\/4\] hello \/ autocannon c10 · 1 min 15 s left/);
  assert.ok(/\x1b\[1G\x1b\[0J$/.test(text()), 'the cursor is back at the line’s start');
});

test('estimates stand below the line and are rewritten with it', () => {
  const { stream, text } = sink({ isTTY: true, columns: 20 });
  const progress = progressOn(outputOn(stream), ['head']);
  progress.show(START);
  progress.estimate(['one', '성능'.repeat(20)]);
  progress.show(TRIAL);
  progress.end();
  const drawn = text().split('\x1b[0J');
  assert.deepEqual(
    drawn[2]?.split('\n').map((line) => line.replace(/\x1b.*/, '')),
    ['[1/4] hello / auto…', 'one', '성능성능성능성능성…'],
  );
  assert.match(drawn[2] ?? '', /\x1b\[2A\x1b\[1G$/, 'the next goes up again');
  assert.match(text(), /\x1b\[2A\x1b\[1G\x1b\[0J$/, 'nothing is left');
});

test('a failure stays on a terminal', () => {
  const { stream, text } = sink({ isTTY: true, columns: 80 });
  progressOn(outputOn(stream), ['head']).show(FAILED);
  assert.match(text(), /exited with code 1\n {4}boom\n$/);
});

test('with two sides the line names the side', () => {
  const { stream, text } = sink({});
  progressOn(outputOn(stream), ['base', 'head']).show({ ...TRIAL, side: 1 });
  assert.match(text(), /c10 \(head\): /);
});

test('servers that run at the same time share a line', () => {
  const { stream, text } = sink({ isTTY: true, columns: 80 });
  const members = [0, 1].map((side) => ({ side, case: CASE }));
  const progress = progressOn(outputOn(stream), ['base', 'head']);
  progress.show({ ...START, members });
  assert.match(text(), /\[1\/4\] hello \/ autocannon c10 \(base, head\) · 1 min 15 s left/);
});

test('a long preparation shows what runs and since when, a profile also how to skip it', () => {
  const { stream, text } = sink({});
  const progress = progressOn(outputOn(stream), ['base', 'head']);
  const server = /** @type {import('../../scripts/types.js').Server} */ ({ name: 'api' });
  progress.show({ type: 'prepare', side: 1, server });
  progress.show({ type: 'prepare', side: 1, server, command: 'npm ci', seconds: 20 });
  progress.show({ type: 'explain', cases: ['api / autocannon c10'], seconds: 41.2 });
  assert.equal(
    text(),
    'preparing api (head)\npreparing api (head): npm ci, 20 s\n' +
      'slower: api / autocannon c10; profiling both sides to find the functions, at most 41 s (--no-explain skips this)\n',
  );
});

test('output that a server repeats at each failure is printed once', () => {
  const { stream, text } = sink({});
  const progress = progressOn(outputOn(stream), ['head']);
  for (const event of [FAILED, FAILED]) progress.show(event);
  assert.equal(text().match(/boom/g)?.length, 1);
  assert.match(text(), /exited with code 1 \(it printed the same as before\)\n$/);
});
