/** The conductor with toy servers that really start and autocannon that really loads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePlan } from '../../../scripts/plan/plan.js';
import { realDependencies } from '../../../scripts/run/dependencies.js';
import { measure } from '../../../scripts/run/measure.js';
import { toy } from '../../deploy/toys/toys.js';
import { configOf } from '../../run/fakes.js';

/** @typedef {import('../../../scripts/types.js').Run} Run */
/** @typedef {import('../../../scripts/run/conduct.js').Progress} Progress */

/**
 * @param {string[]} behaviours
 * @param {Partial<import('../../../scripts/types.js').Config>} [changes]
 */
function toysOf(behaviours, changes) {
  const one = { durationSeconds: 1, warmupSeconds: 0, windows: 1 };
  const load = {
    tool: 'autocannon',
    connections: 4,
    rate: 1000,
    ...one,
    keepAlive: true,
    pipelining: 1,
    threads: 1,
  };
  // On a crowded machine a start takes seconds; who never is ready need not be waited for as long.
  const servers = behaviours.map((behaviour) =>
    toy(behaviour, { ready: { path: '/', timeoutSeconds: behaviour === 'never-ready' ? 1 : 30 } }),
  );
  return configOf([], { servers, load, ...changes });
}

/**
 * @param {import('../../../scripts/types.js').Config} config
 * @param {(event: Progress, controller: AbortController) => void} [onProgress]
 */
async function run(config, onProgress = () => {}) {
  const controller = new AbortController();
  /** @type {Progress[]} */
  const events = [];
  /** @type {Run[][]} */
  const kept = [];
  const { runs } = await measure(
    { plan: makePlan(config), config, session: 's', command: 'perf-action run', cwd: process.cwd() },
    {
      env: process.env,
      dependencies: realDependencies(),
      signal: controller.signal,
      onProgress: (event) => {
        events.push(event);
        onProgress(event, controller);
      },
      onRuns: async (sofar) => {
        kept.push(structuredClone(sofar));
      },
    },
  );
  const [head] = runs;
  assert.ok(head);
  return { head, events, kept };
}

/**
 * @param {Run} head
 * @param {string} server
 */
const trialsOf = (head, server) => head.cases.find((measured) => measured.server === server)?.trials ?? [];

test('a run holds every start, its resources and its load tool', async () => {
  const { head, events, kept } = await run(toysOf(['good'], { rounds: 2 }));
  const trials = trialsOf(head, 'good');
  assert.deepEqual(
    trials.map(({ round, failure }) => [round, failure]),
    [
      [0, null],
      [1, null],
    ],
  );
  const [window] = trials[0]?.windows ?? [];
  assert.ok(window && window.requests > 0);
  assert.ok(window.cpu && window.cpu.serverSeconds > 0 && window.cpu.clientSeconds > 0);
  assert.ok(window.rssBytes && window.rssBytes > 10_000_000);
  assert.ok(head.environment.runtimes.node);
  assert.ok(head.environment.tools.autocannon);
  assert.equal(head.cases[0]?.summary?.trials, 2);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['prepare', 'start', 'trial', 'start', 'trial'],
  );
  assert.equal(kept[0]?.[0]?.cases[0]?.trials.length, 1, 'the first start is kept before the second begins');
});

test('a server that answers nothing under load is no server of 0 requests a second', async () => {
  const { head } = await run(toysOf(['hangs-under-load']));
  assert.equal(trialsOf(head, 'hangs-under-load')[0]?.failure?.kind, 'died-under-load');
  assert.equal(head.cases[0]?.summary, undefined);
});

test('a server that never gets ready is started once more, and the reference is not loaded beside it', async () => {
  const { head } = await run(toysOf(['never-ready'], { rounds: 4, reference: toy('good') }));
  assert.equal(trialsOf(head, 'never-ready').length, 2);
  assert.ok(trialsOf(head, 'good').length <= 1);
});

test('a server that does not build is reported once, and the rest is measured', async () => {
  const unbuildable = toy('unbuildable', { build: ['sh', '-c', 'echo no compiler; exit 3'] });
  const { head, events } = await run(toysOf([], { servers: [toy('good'), unbuildable], rounds: 2 }));
  const [trial, ...more] = trialsOf(head, 'unbuildable');
  assert.deepEqual(
    [trial?.failure?.kind, trial?.failure?.logTail, more.length],
    ['build-failed', ['no compiler'], 0],
  );
  assert.equal(events.filter(({ type }) => type === 'skip').length, 1);
  assert.equal(trialsOf(head, 'good').length, 2);
});

test('a cancelled run keeps what was measured, and says so', async () => {
  const { head } = await run(toysOf(['good', 'ignores-sigterm'], { rounds: 50 }), (event, controller) => {
    if (event.type === 'trial' && event.done === 2) setTimeout(() => controller.abort(), 300);
  });
  assert.equal(head.cases.flatMap(({ trials }) => trials).length, 2);
  assert.equal(head.warnings?.[0]?.code, 'cancelled');
});
