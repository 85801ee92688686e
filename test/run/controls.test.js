/** Controls in a run: they share starts and a part of the time, and may become full cases. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MeasureError } from '../../scripts/model/errors.js';
import { withRoles } from '../../scripts/plan/roles.js';
import { conductFakes, configOf, planOf, routesOf, serverOf } from './fakes.js';

/** @import { Window } from '../../scripts/types.js' */
/** @typedef {NonNullable<Parameters<typeof conductFakes>[2]>} Behaviour */

const ROUTES = ['/', '/b', '/c', '/d'];

/**
 * A server with these routes on both sides, of which the first executes changed code.
 * @param {Behaviour} [behaviour]
 * @param {{ touched?: string[], rounds?: number, budgetSeconds?: number, promote?: (rounds: number) =>
 *   string[], looks?: NonNullable<Parameters<typeof conductFakes>[1]>['looks'] }} [options]
 */
async function conductRoutes(
  behaviour = {},
  { touched = ['/'], promote = () => [], looks, ...changes } = {},
) {
  const config = configOf(['api'], {
    rounds: 2,
    servers: [serverOf('api', { routes: routesOf(ROUTES) })],
    ...changes,
  });
  const [planned] = config.cases;
  const cases = planned ? ROUTES.map((id) => ({ ...planned, id: `api ${id}`, route: id })) : [];
  let rounds = 0;
  const { trials, ...conducted } = await conductFakes(
    { ...config, cases },
    {
      sides: ['base', 'head'],
      touched: {
        routes: ROUTES.map((id) => ({
          server: 'api',
          route: id,
          touched: touched.includes(id),
          functions: [],
        })),
        reasons: [],
      },
      looks,
      promote: () => new Set(promote((rounds += 1))),
    },
    behaviour,
  );
  const roundsOf = (/** @type {string} */ id, side = 0) => {
    const own = [...trials].filter(([step]) => step.case.route === id);
    return own[side]?.[1] ?? [];
  };
  return { ...conducted, roundsOf };
}

/** loadsOf: what was checked and loaded in each start, after its warm-up. */
function notingLoads() {
  /** @type {string[]} */
  const words = [];
  const noting = {
    interleaves: true,
    onEvent: (/** @type {string} */ word) => void words.push(word.replace(/ api-.*/, '')),
    verify: (/** @type {string} */ _, /** @type {string[]} */ [route]) => void words.push(`check ${route}`),
  };
  return { noting, loadsOf: () => words.join(',').split('share,') };
}

const secondsOf = (/** @type {Window} */ window) => window.seconds;
/** @param {string[]} words */
const startsIn = (words) => words.filter((word) => word.startsWith('start api-'));

test('controls share a start of each side with a changed route, and are loaded alternately for a short time', async () => {
  const { words, roundsOf } = await conductRoutes({ interleaves: true }, { rounds: 1 });
  const [scouted, ...measured] = words
    .join(',')
    .split('stop api-base,stop api-head')
    .map((part) => part.split(','));
  assert.equal(startsIn(scouted ?? []).length, 2, 'to see what routes execute');
  const loads = measured[0]?.filter((word) => word.startsWith('interleave')) ?? [];
  assert.equal(startsIn(measured.flat()).length, 2);
  assert.equal(loads.length, 2 + 3, 'two windows of the changed route, then the controls');
  assert.deepEqual(
    ROUTES.map((route) => roundsOf(route).map(({ windows }) => windows.map(secondsOf))),
    [[[1, 1]], [[0.25]], [[0.25]], [[0.25]]],
  );
});

test('the rounds of controls keep to a fifth of the time', async () => {
  const { roundsOf } = await conductRoutes({ interleaves: true, checkSeconds: () => 1 }, { rounds: 20 });
  assert.equal(roundsOf('/').length, 20);
  // Both checks and the load of three controls take 13.5 s on the fake clock.
  assert.equal(roundsOf('/b').length, 5);
});

test('controls that a round has no time for are measured in a later one, before the run ends', async () => {
  // Checks take so long that a start has time for two of them in 20 s.
  const checkSeconds = () => 6;
  const options = { touched: [], rounds: 500 };
  const { roundsOf } = await conductRoutes({ interleaves: true, checkSeconds }, options);
  const first = ROUTES.map((route) => roundsOf(route).map(({ round }) => round)[0] ?? NaN);
  assert.deepEqual(first.toSorted(), [0, 0, 1, 1]);
});

test('where no route executes changed code, the run ends after the controls', async () => {
  const { words, roundsOf } = await conductRoutes({ interleaves: true }, { touched: [], rounds: 500 });
  assert.ok(startsIn(words).length > 2 * 4);
  assert.ok(roundsOf('/b').length < 20, `${roundsOf('/b').length} rounds`);
  assert.ok(ROUTES.every((route) => roundsOf(route).length === roundsOf('/').length));
});

test('a promoted control is loaded as long as full cases in starts that they share, from the next round on', async () => {
  const promote = (/** @type {number} */ rounds) => (rounds === 1 ? ['api /c'] : []);
  const { roundsOf, cases } = await conductRoutes({ interleaves: true }, { rounds: 3, promote });
  assert.deepEqual(
    roundsOf('/c').map(({ round, windows }) => [round, windows.map(secondsOf)]),
    [
      [0, [0.25]],
      [1, [1]],
      [2, [1]],
    ],
  );
  assert.deepEqual(
    cases.map(({ promotedAt }) => promotedAt),
    [undefined, undefined, 1, undefined],
  );
});

test('changed routes are loaded before what was promoted, also once they are decided', async () => {
  const { noting, loadsOf } = notingLoads();
  const promote = (/** @type {number} */ rounds) => (rounds === 1 ? ['api /c'] : []);
  const look = () => ({ decided: new Set(['api /', 'api /d']), looksSlower: false });
  const looks = { shares: [0.5, 1], leastRounds: 2, look };
  /** @type {number[]} */
  const lengths = [];
  const load = (/** @type {string} */ _, /** @type {number} */ seconds) => void lengths.push(seconds);
  await conductRoutes({ ...noting, load }, { touched: ['/', '/d'], rounds: 4, promote, looks });
  const loaded = (/** @type {string} */ route) =>
    `check ${route},check ${route},interleave,check ${route},check ${route}`;
  const starts = loadsOf();
  const beside = `interleave,interleave,check /,check /,${loaded('/d')},${loaded('/c')}`;
  assert.ok(
    starts.some((part) => part.startsWith(beside)),
    starts.join('\n'),
  );
  const after = `${loaded('/')},${loaded('/d')},interleave,check /c,check /c`;
  assert.ok(starts.at(-1)?.startsWith(after), starts.at(-1));
  // On both sides, for half of the time of a start of their own.
  assert.deepEqual(lengths.slice(-8), [1.5, 1.5, 1.5, 1.5, 1, 1, 0.25, 0.25]);
});

test('a control during which a server ends fails alone, and the others come in a later round', async () => {
  let loads = 0;
  const dies = (/** @type {string} */ name) => name === 'api-head' && (loads += 1) === 2;
  const { roundsOf } = await conductRoutes({ interleaves: true, dies }, { touched: [], rounds: 500 });
  const failed = ROUTES.filter((route) => roundsOf(route, 1).some(({ failure }) => failure));
  assert.equal(failed.length, 1);
  assert.ok(ROUTES.every((route) => roundsOf(route, 1).some(({ windows }) => windows.length > 0)));
});

test('a server that does not start fails all of its controls', async () => {
  const start = (/** @type {string} */ name) => {
    if (name === 'api-head') throw new MeasureError('exited-at-start', 'it ended with 1');
  };
  const { roundsOf } = await conductRoutes({ start }, { touched: [], rounds: 500 });
  for (const route of ROUTES) {
    const failures = roundsOf(route, 1).map(({ failure }) => failure?.kind);
    assert.ok(failures.length > 0 && failures.every((kind) => kind === 'exited-at-start'), String(failures));
  }
});

test('controls of other deployments have starts of their own', () => {
  const [planned] = configOf(['api']).cases;
  assert.ok(planned);
  const cases = [{ proxy: 'nginx' }, { instances: 2 }, {}, {}].map((deployment, place) => ({
    ...planned,
    ...deployment,
    id: `api ${place}`,
    route: String(place),
  }));
  const plan = planOf({ ...configOf(['api']), cases: [planned] }, ['base', 'head']);
  const order = [cases.map((each) => plan.sides.map((side) => ({ side, case: each })))];
  const routes = cases.map(({ route }) => ({ server: 'api', route, touched: false, functions: [] }));
  const {
    order: [groups = []],
  } = withRoles({ ...plan, cases, order }, { routes, reasons: [] });
  assert.deepEqual(groups.map(({ length }) => length).toSorted(), [2, 2, 4]);
});

test('controls are started until they can be promoted before a run ends as decided', async () => {
  const look = () => ({ decided: new Set(['api /']), looksSlower: false });
  const looks = { shares: [0.1, 1], leastRounds: 1, look };
  const { roundsOf } = await conductRoutes(
    { interleaves: true, checkSeconds: () => 1 },
    { rounds: 20, looks },
  );
  assert.deepEqual(
    ROUTES.map((route) => roundsOf(route).length),
    [2, 3, 3, 3],
  );
});

test('of routes that share a start, one that executes changed code is the first, before what was promoted', async () => {
  const { noting, loadsOf } = notingLoads();
  const promote = (/** @type {number} */ rounds) => (rounds === 1 ? ['api /'] : []);
  const free = { rounds: 3, durationSeconds: 2, warmupSeconds: 1 };
  const bounds = { against: 'main', budgetSeconds: 60, free };
  const { cases } = await conductRoutes(noting, { touched: ['/c', '/d'], promote, ...bounds });
  assert.ok(cases.every(({ sharedSeconds }) => sharedSeconds));
  const last = loadsOf().at(-1) ?? '';
  assert.match(last, /^interleave,check \/c,.*check \/,interleave/);
});

test('a single control is started until it is known how far its sides lie apart by chance', async () => {
  const look = () => ({ decided: new Set(['api /', 'api /b', 'api /c']), looksSlower: false });
  const looks = { shares: [0.1, 1], leastRounds: 1, look };
  const options = { touched: ['/', '/b', '/c'], rounds: 20, looks };
  const { roundsOf } = await conductRoutes({ interleaves: true, checkSeconds: () => 1 }, options);
  assert.equal(roundsOf('/d').length, 8);
});

test('the time of controls ends no round of changed routes that share its start', async () => {
  const free = { rounds: 3, durationSeconds: 2, warmupSeconds: 1 };
  const options = { touched: ROUTES, rounds: 1, against: 'main', budgetSeconds: 30, free };
  const { roundsOf, cases } = await conductRoutes({ interleaves: true, checkSeconds: () => 3 }, options);
  assert.ok(cases.every(({ sharedSeconds }) => sharedSeconds));
  const first = ROUTES.map((route) => roundsOf(route)[0]);
  assert.ok(first.every((trial) => trial?.round === 0 && trial.windows.length === 1));
});

test('both sides start again in pairs, for a changed route, also where a promoted control is planned before it', async () => {
  const promote = (/** @type {number} */ rounds) => (rounds === 1 ? ['api /'] : []);
  const behaviour = { interleaves: true, startMs: 400 };
  const { roundsOf } = await conductRoutes(behaviour, { touched: ['/c'], rounds: 4, promote });
  const startups = roundsOf('/c').flatMap((trial) => trial.startups ?? []);
  assert.ok(startups.some(({ sharesCore }) => sharesCore));
});
