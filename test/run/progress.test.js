import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { outputOn } from '../../scripts/system/terminal-output.js';
import { progressOn } from '../../scripts/run/record/progress.js';

/** @typedef {import('../../scripts/run/conduct.js').Progress} Progress */

const CASE = /** @type {import('../../scripts/types.js').Case} */ ({ id: 'hello / autocannon c10' });
const [BASE, HEAD] = [
  { label: 'base', servers: {} },
  { label: 'head', servers: {} },
];
const AT = { side: HEAD, case: CASE, round: 0, total: 4 };
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

const SERVER = /** @type {import('../../scripts/types.js').Server} */ ({ name: 'api' });
const LOG = {};
const TERMINAL = { isTTY: true, columns: 80 };

/**
 * @param {{ isTTY?: boolean, columns?: number }} kind
 * @param {Progress[]} events
 * @param {boolean} [isCompared]
 */
function shown(kind, events, isCompared = false) {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const progress = progressOn(outputOn(Object.assign(stream, kind)), isCompared);
  for (const event of events) progress.show(event);
  progress.end();
  return text;
}

const FAILURE = '[2/4] round 1 hello / autocannon c10: exited-at-start: exited with code 1';
for (const [title, events, expected] of /** @type {[string, Progress[], string][]} */ ([
  [
    'a line a trial, with the time left',
    [START, TRIAL],
    '[1/4] round 1 hello / autocannon c10: 2,500 req/s, 1 min 0 s left\n',
  ],
  [
    'the last lines that a failed server printed, and only once where it repeats them',
    [FAILED, FAILED],
    `${FAILURE}\n    boom\n${FAILURE} (it printed the same as before)\n`,
  ],
  [
    'what a long preparation runs and since when, and how to skip a profile',
    [
      { type: 'prepare', side: HEAD, server: SERVER },
      { type: 'prepare', side: HEAD, server: SERVER, command: 'npm ci', seconds: 20 },
      { type: 'explain', cases: ['api / autocannon c10'], seconds: 41.2 },
    ],
    'preparing api\npreparing api: npm ci, 20 s\n' +
      'slower: api / autocannon c10; profiling both sides to find the functions, at most 41 s (--no-explain skips this)\n',
  ],
]))
  test(`a log gets ${title}`, () => assert.equal(shown(LOG, events), expected));

test('a terminal gets one line that rewrites itself and is gone at the end; a failure stays', () => {
  const text = shown(TERMINAL, [START, TRIAL]);
  assert.ok(!text.includes('\n'));
  assert.match(text, /\[1\/4\] hello \/ autocannon c10 · 1 min 15 s left/);
  assert.ok(/\x1b\[1G\x1b\[0J$/.test(text), 'the cursor is back at the line’s start');
  assert.match(shown(TERMINAL, [FAILED]), /exited with code 1\n {4}boom\n/);
});

test('a line of a terminal is cut to its width', () => {
  const wide = /** @type {Progress} */ ({
    ...START,
    members: [{ ...AT, case: { ...CASE, id: '성능'.repeat(20) } }],
  });
  const [, drawn = ''] = shown({ isTTY: true, columns: 20 }, [wide]).split('\x1b[0J');
  assert.equal(drawn.replace(/\x1b.*/, ''), '[1/4] 성능성능성능…');
});

test('with two sides a line names its side, or both where they run at the same time', () => {
  assert.match(shown(LOG, [TRIAL], true), /c10 \(head\): /);
  const members = [BASE, HEAD].map((side) => ({ side, case: CASE }));
  assert.match(
    shown(TERMINAL, [{ ...START, members }], true),
    /\[1\/4\] hello \/ autocannon c10 \(base, head\) · 1 min 15 s left/,
  );
});

test('a check is printed where it decides further cases', () => {
  const look = (/** @type {number} */ round, /** @type {number} */ decided) =>
    /** @type {const} */ ({ type: 'look', round, decided });
  assert.equal(
    shown(LOG, [look(3, 0), look(4, 1), look(5, 1), look(6, 2)]),
    'checked after 5 rounds: 1 case decided\nchecked after 7 rounds: 2 cases decided\n',
  );
});

test('a start that only counts names no time: it lasts as long as bytes take to settle', () => {
  const counted = /** @type {const} */ ({ serverName: 'api', counted: true });
  const steps = ['/a', '/b'].map((id) => ({ side: HEAD, case: { ...CASE, ...counted, id } }));
  const events = [{ ...START, members: steps }, ...steps.map((step) => ({ ...TRIAL, ...step }))];
  assert.equal(shown(LOG, events), 'counting api: 2 routes\n');
});

test('controls take a line of the log together, unless one fails', () => {
  const facts = { serverName: 'api', role: /** @type {const} */ ('control'), sharedSeconds: 0.25 };
  const controls = ['/a', '/b'].map((id) => ({ ...CASE, ...facts, id }));
  const steps = [BASE, HEAD].flatMap((side) => controls.map((planned) => ({ side, case: planned })));
  const [step] = steps;
  assert.ok(step);
  const log = shown(LOG, [
    { type: 'scout', members: steps },
    { type: 'start', members: steps, done: 0, left: 75 },
    { ...TRIAL, ...step },
    {
      ...FAILED,
      ...step,
      trial: { round: 0, windows: [], failure: { kind: 'too-slow', message: 'no answer' } },
    },
  ]);
  assert.deepEqual(log.trim().split('\n'), [
    'starting api to see which routes execute changed code (--no-controls skips this)',
    '[1] api: 2 routes · 1 min 15 s left',
    '[2/4] round 1 /a: too-slow: no answer',
  ]);
});
