/**
 * The conductor with dependencies that measure nothing: what it does, in which order, and what it makes of
 * failures.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MeasureError } from '../../scripts/model/errors.js';
import { conductFakes, configOf, serverOf } from './fakes.js';

const BOTH = { sides: ['base', 'head'] };
const GAUGE = { reference: serverOf('gauge', { reference: true }) };
const fails = (/** @type {string} */ message) => {
  throw new MeasureError('exited-at-start', message);
};
/**
 * @param {string[]} words
 * @param {string} verb
 */
const only = (words, verb) =>
  words.filter((word) => word.startsWith(verb)).map((word) => word.slice(verb.length + 1));

test('both sides start before either is loaded, are loaded alternately in short windows, and then stop', async () => {
  const config = configOf(['api'], { rounds: 2 });
  const { words, trialsOf, alive } = await conductFakes(config, BOTH);
  const [first = '', second = ''] = only(words, 'start');
  const round = (/** @type {string} */ a, /** @type {string} */ b) => [
    `start ${a}`,
    `start ${b}`,
    `load ${a} 1`,
    `load ${b} 1`,
    `load ${a} 1`,
    `load ${b} 1`,
    `load ${b} 1`,
    `load ${a} 1`,
    `stop ${a}`,
    `stop ${b}`,
    'keep',
  ];
  assert.deepEqual(words.slice(2), [...round(first, second), ...round(second, first)]);
  assert.deepEqual(alive, []);
  for (const side of [0, 1]) {
    const windows = trialsOf('api', side).map((trial) => trial.windows.map(({ at }) => at));
    assert.equal(windows.length, 2);
  }
  const all = [0, 1].flatMap((side) => trialsOf('api', side).flatMap(({ windows }) => windows));
  const times = all.flatMap(({ at }) => at ?? []).sort((a, b) => a - b);
  assert.deepEqual(times, [3, 4, 5, 6, 10, 11, 12, 13], 'two starts and two warm-ups before the first');
});

test('when a comparison ends, both sides of a quick server start again, together on one core', async () => {
  const config = configOf(['api'], { rounds: 6 });
  const startsOfRounds = async (/** @type {number} */ startMs, gates = {}) => {
    const { trialsOf, words, alive } = await conductFakes(config, { ...BOTH, gates }, { startMs });
    assert.deepEqual(alive, []);
    assert.equal(only(words, 'start').length, only(words, 'stop').length);
    const together = 'start api-base,start api-head,stop api-base,stop api-head';
    const rounds = trialsOf('api', 1).map(({ startups = [] }) => [
      startups.filter(({ sharesCore }) => !sharesCore).length,
      startups.filter(({ sharesCore }) => sharesCore).length,
    ]);
    return { rounds, isTogether: words.join().endsWith(Array(8).fill(together).join()) };
  };
  assert.deepEqual(await startsOfRounds(400), {
    rounds: [[0, 2], [1, 2], ...Array(4).fill([1, 1])],
    isTogether: true,
  });
  assert.deepEqual(await startsOfRounds(3000), {
    rounds: [0, 1, 1, 1, 1, 1].map((first) => [first, 0]),
    isTogether: false,
  });
  const gated = await startsOfRounds(3000, { startupCpu: 'regressed' });
  assert.deepEqual(gated, await startsOfRounds(400), 'a gate lets slow servers start again, too');
});

test('pairs of starts that a gate asks for leave half of the budget to the rounds', async () => {
  const config = configOf(['api'], { rounds: 9, budgetSeconds: 60 });
  const gates = { startupCpu: /** @type {const} */ ('regressed') };
  const { trialsOf } = await conductFakes(config, { ...BOTH, gates }, { startMs: 3000 });
  assert.ok(trialsOf('api', 0).length > 2, `${trialsOf('api', 0).length} rounds`);
});

test('after a single round, both sides start again twice', async () => {
  const { trialsOf } = await conductFakes(configOf(['api'], { rounds: 1 }), BOTH, { startMs: 400 });
  assert.equal(trialsOf('api', 0)[0]?.startups?.length, 2);
});

test('pairs of starts take what whole rounds leave of a budget; a gate keeps time for all of them', async () => {
  const config = configOf(['api'], { rounds: 9, budgetSeconds: 25 });
  const countsOf = async (/** @type {import('../../scripts/types.js').Config['gates']} */ gates) => {
    const { trialsOf } = await conductFakes(config, { ...BOTH, gates }, { startMs: 400 });
    const trials = trialsOf('api', 0);
    const pairs = trials.flatMap(({ startups = [] }) => startups.filter(({ sharesCore }) => sharesCore));
    return { rounds: trials.length, pairs: pairs.length };
  };
  assert.deepEqual(await countsOf({ p99: 'regressed' }), { rounds: 3, pairs: 3 });
  assert.deepEqual(await countsOf({ startupCpu: 'regressed' }), { rounds: 2, pairs: 8 });
});

test('servers of one load run at the same time, are loaded equally often, and each follows each other one', async () => {
  const config = configOf(['a', 'b', 'c'], { ...GAUGE, load: { durationSeconds: 4 } });
  const { words } = await conductFakes(config);
  const windows = only(words, 'load').slice(4);
  assert.equal(windows.length, 16);
  const followed = windows.map((name, index) => `${windows[index - 1]} ${name}`).slice(1);
  for (const name of ['a', 'b', 'c', 'gauge'])
    assert.equal(windows.filter((word) => word === `${name} 1`).length, 4, name);
  const pairs = [0, 1, 2, 3].flatMap((row) => followed.slice(4 * row, 4 * row + 3));
  assert.equal(new Set(pairs).size, 12, 'within the rows, no pair twice');
});

test('times that the user fixed are kept; a server that runs alone is measured in one window', async () => {
  const seconds = async (/** @type {object} */ changes, /** @type {string[]} */ servers) => {
    const config = configOf(servers, { load: { warmupSeconds: 0, ...changes } });
    return only((await conductFakes(config)).words, 'load');
  };
  assert.deepEqual(await seconds({ durationSeconds: 6 }, ['a']), ['a 6']);
  assert.deepEqual(await seconds({ durationSeconds: 6, windows: 2 }, ['a']), ['a 3', 'a 3']);
  assert.deepEqual((await seconds({ durationSeconds: 6, windows: 2 }, ['a', 'b'])).sort(), [
    'a 3',
    'a 3',
    'b 3',
    'b 3',
  ]);
  assert.equal((await seconds({ durationSeconds: 6 }, ['a', 'b'])).length, 12);
});

test('if a member fails, it stops and the others go on', async () => {
  let loads = 0;
  const { words, trialsOf, alive } = await conductFakes(configOf(['api'], { rounds: 1 }), BOTH, {
    load: (name) => {
      if (name === 'api-head' && ++loads === 2) throw new MeasureError('load-tool-crashed', 'broken');
    },
  });
  assert.equal(trialsOf('api', 1)[0]?.failure?.kind, 'load-tool-crashed');
  assert.equal(trialsOf('api', 0)[0]?.failure, null);
  assert.equal(trialsOf('api', 0)[0]?.windows.length, 2);
  assert.ok(words.indexOf('stop api-head') < words.lastIndexOf('load api-base 1'), 'stopped at once');
  assert.deepEqual(alive, []);
});

test('servers that cannot start next to each other are measured separately, with one warning', async () => {
  const { words, trialsOf, warnings } = await conductFakes(configOf(['api'], { rounds: 3 }), BOTH, {
    start: (_name, alive) => (alive.length > 0 ? fails('EADDRINUSE 3000') : undefined),
  });
  assert.deepEqual(
    warnings.map((warning) => [warning.code, warning.case]),
    [['measured-alone', 'api / wrk c1']],
  );
  assert.match(/** @type {any} */ (warnings[0]).beside, /EADDRINUSE 3000/);
  for (const side of [0, 1])
    assert.deepEqual(
      trialsOf('api', side).map(({ round, failure, alone }) => [round, failure, alone]),
      // In the first round, one side went on after the other had failed beside it.
      [0, 1, 2].map((round) => [round, null, round > 0 || side === 0 ? true : undefined]),
    );
  assert.deepEqual(
    only(words, 'load').slice(-4),
    ['1', '2', '1', '2'].map(
      (seconds, index) => `${only(words, 'start').slice(-2)[Math.floor(index / 2)]} ${seconds}`,
    ),
  );
});

test('a server that starts neither next to others nor alone has failed, and is given up', async () => {
  const { words, trialsOf, warnings } = await conductFakes(
    configOf(['bad', 'good'], { rounds: 4 }),
    {},
    {
      start: (name) => (name === 'bad' ? fails('no database') : undefined),
    },
  );
  assert.deepEqual(warnings, []);
  assert.equal(
    only(words, 'start').filter((name) => name === 'bad').length,
    3,
    'beside, beside once more, and alone',
  );
  assert.deepEqual(
    trialsOf('bad').map(({ failure }) => failure?.message),
    Array(3).fill('no database'),
  );
  assert.equal(trialsOf('good').length, 4);
});

test('a start that fails once is repeated beside the others, counted, and blamed on no neighbour', async () => {
  const hint =
    'it runs, but listens on no port; does it listen on PORT from its environment, or need a longer `ready.timeout`?';
  let starts = 0;
  const { words, trialsOf, warnings } = await conductFakes(configOf(['api'], { rounds: 3 }), BOTH, {
    // The first, and then two in a row.
    start: (name) => {
      if (name === 'api-head' && [1, 3, 4].includes(++starts)) throw new MeasureError('never-ready', hint);
    },
  });
  assert.deepEqual(warnings, []);
  assert.deepEqual(
    trialsOf('api', 1).map(({ round, failure, windows }) => [round, failure?.message, windows.length]),
    [
      [0, 'it runs, but listens on no port, although it did after other starts', 0],
      [0, undefined, 2],
      [1, 'it runs, but listens on no port, although it did after other starts', 0],
      [1, 'it runs, but listens on no port, although it did after other starts', 0],
      [2, undefined, 2],
    ],
  );
  assert.deepEqual(
    trialsOf('api', 0).map(({ round, failure }) => [round, failure]),
    [0, 1, 2].map((round) => [round, null]),
  );
  assert.equal(only(words, 'start').filter((name) => name === 'api-head').length, starts);
});

test('a server that was measured starts in every round, however often it fails', async () => {
  let starts = 0;
  const { trialsOf } = await conductFakes(
    configOf(['api'], { rounds: 6 }),
    {},
    { start: () => (++starts > 1 && starts < 6 ? fails('segmentation fault') : undefined) },
  );
  assert.deepEqual(
    trialsOf('api').map(({ failure }) => failure?.kind),
    [undefined, ...Array(4).fill('exited-at-start'), undefined],
  );
});

test('the start of a pair that fails is a start that failed, and a second one ends the pairs', async () => {
  const failing = async (/** @type {(pair: number) => boolean} */ isFailing) => {
    let starts = 0;
    const { trialsOf, words } = await conductFakes(configOf(['api'], { rounds: 4 }), BOTH, {
      startMs: 400,
      start: (name) => {
        if (name === 'api-head' && isFailing(++starts - 4)) throw new MeasureError('never-ready', 'hangs');
      },
    });
    assert.equal(only(words, 'start').length - only(words, 'stop').length, trialsOf('api', 1).length - 4);
    const pairs = trialsOf('api', 0).flatMap(({ startups = [] }) =>
      startups.filter((each) => each.sharesCore),
    );
    return [trialsOf('api', 1).filter(({ failure }) => failure).length, pairs.length, starts - 4];
  };
  assert.deepEqual(await failing((pair) => pair === 3), [1, 7, 8]);
  assert.deepEqual(await failing((pair) => pair > 2), [2, 2, 4]);
});

test('a server that cannot start next to others is not started in pairs', async () => {
  const { trialsOf } = await conductFakes(configOf(['api'], { rounds: 4 }), BOTH, {
    startMs: 400,
    start: (_name, alive) => (alive.length > 0 ? fails('the database is locked') : undefined),
  });
  for (const side of [0, 1])
    assert.deepEqual(
      trialsOf('api', side).map(({ failure, startups }) => [failure, startups?.length]),
      [0, 1, 1, 1].map((count) => [null, count]),
    );
});

test('a server that does not rest while it waits is measured separately from then on', async () => {
  const { words, warnings } = await conductFakes(
    configOf(['busy', 'calm'], { rounds: 2 }),
    {},
    {
      restless: { busy: 0.2, calm: 0.02 },
    },
  );
  assert.deepEqual(
    warnings.map((/** @type {any} */ warning) => [
      warning.case,
      Math.round(100 * Number(warning.share)) === 20,
    ]),
    [['busy / wrk c1', true]],
  );
  assert.deepEqual(only(words, 'load').slice(-4).sort(), ['busy 1', 'busy 2', 'calm 1', 'calm 2']);
});

test("a load tool that can pause loads all servers in slices; each gets its share of the tool's CPU", async () => {
  const { words, trialsOf } = await conductFakes(
    configOf(['a', 'b'], { load: { durationSeconds: 2 } }),
    {},
    { interleaves: true },
  );
  assert.deepEqual(only(words, 'load').toSorted(), ['a 1', 'b 1'], 'to warm up');
  assert.deepEqual(only(words, 'interleave').toSorted(), ['a b', 'b a']);
  const [{ windows = [] } = {}] = trialsOf('b');
  assert.deepEqual(
    windows.map(({ seconds }) => seconds),
    [1, 1],
  );
});

test('observers inside that are read at both ends of a turn leave slices, and others need whole windows', async () => {
  const interleaved = async (/** @type {object} */ observer) => {
    const { words } = await conductFakes(
      configOf(['a', 'b'], { load: { durationSeconds: 2 } }),
      {},
      { interleaves: true, inside: [{ env: {}, stop: async () => {}, ...observer }] },
    );
    return only(words, 'interleave').length;
  };
  assert.equal(await interleaved({ counts: true }), 2);
  assert.equal(await interleaved({}), 0);
});

test('if one server dies during a turn, the other repeats it and goes on alone', async () => {
  let turns = 0;
  const { words, trialsOf } = await conductFakes(
    configOf(['a', 'b'], { load: { durationSeconds: 3 } }),
    {},
    { interleaves: true, dies: (name) => name === 'a' && ++turns === 2 },
  );
  assert.equal(only(words, 'interleave').length, 2);
  assert.equal(trialsOf('a')[0]?.failure?.kind, 'died-under-load');
  assert.equal(trialsOf('b')[0]?.failure, null);
  assert.deepEqual([trialsOf('a')[0]?.windows.length, trialsOf('b')[0]?.windows.length], [1, 3]);
});

test('servers that do not fit into memory together are measured in parts, each with the reference', async () => {
  const config = configOf(['a', 'b', 'c'], { ...GAUGE, rounds: 2 });
  const { words } = await conductFakes(config, {}, { rssBytes: 4, roomBytes: 12 });
  const second = words.slice(words.indexOf('keep') + 1);
  assert.equal(only(second, 'start').length, 5);
  assert.equal(only(second, 'start').filter((name) => name === 'gauge').length, 2);
});

test('a server that finds no memory at its start is measured after the others', async () => {
  let most = 0;
  const config = configOf(['a', 'b', 'c'], GAUGE);
  const { words, trialsOf } = await conductFakes(
    config,
    {},
    {
      start: (_name, alive) => void (most = Math.max(most, alive.length + 1)),
      roomFor: (alive) => (alive.length < 2 ? 1 : 0),
    },
  );
  assert.equal(most, 2);
  for (const id of ['a', 'b', 'c', 'gauge']) assert.equal(trialsOf(id)[0]?.failure, null, id);
  assert.ok(only(words, 'start').length >= 4);
});

test('maxRunning limits how many servers run at the same time', async () => {
  const aliveMost = async (/** @type {number | undefined} */ maxRunning) => {
    let most = 0;
    const config = configOf(['a', 'b', 'c'], { ...GAUGE, ...(maxRunning && { maxRunning }) });
    await conductFakes(
      config,
      {},
      { start: (_name, others) => void (most = Math.max(most, others.length + 1)) },
    );
    return most;
  };
  assert.deepEqual([await aliveMost(undefined), await aliveMost(2), await aliveMost(1)], [4, 2, 1]);
});

test('a cancelled run stops everything and keeps what was measured', async () => {
  let [keeps, loads] = [0, 0];
  const { trialsOf, alive, words } = await conductFakes(
    configOf(['a', 'b'], { rounds: 9 }),
    {},
    {
      onEvent: (word, controller) => {
        if (word === 'keep') keeps++;
        if (keeps === 1 && word.startsWith('load')) loads++;
        if (loads === 4) controller.abort();
      },
    },
  );
  assert.deepEqual(alive, []);
  const [a, b] = [trialsOf('a'), trialsOf('b')];
  assert.equal(a[0]?.failure, null);
  assert.equal(b[0]?.failure, null);
  assert.equal(a.length + b.length, 3, 'a start with a finished window is kept, one without is not');
  assert.equal(words.at(-1), 'keep');
});

test('a run that is cancelled during preparation or between rounds starts no more servers', async () => {
  const cancelledAt = async (/** @type {string} */ moment) =>
    (
      await conductFakes(
        configOf(['a'], { rounds: 3 }),
        { services: ['redis'] },
        { onEvent: (word, controller) => word === moment && controller.abort() },
      )
    ).words;
  assert.deepEqual(await cancelledAt('prepare a'), ['prepare a']);
  assert.deepEqual(await cancelledAt('keep'), [
    'prepare a',
    'serve redis',
    'start a',
    'load a 1',
    'load a 2',
    'stop a',
    'keep',
    'end redis',
  ]);
});

test('a server whose start was cancelled does not start alone', async () => {
  const { events, alive } = await conductFakes(
    configOf(['a', 'b']),
    {},
    { onEvent: (word, controller) => word.startsWith('start') && controller.abort() },
  );
  assert.equal(events.filter(({ type }) => type === 'start').length, 1);
  assert.deepEqual(alive, []);
});

test('services start once, after everything is prepared, and outlive every server', async () => {
  const { words } = await conductFakes(configOf(['a'], { rounds: 2 }), { services: ['redis', 'mysql'] });
  assert.deepEqual(words.slice(0, 4), ['prepare a', 'serve redis', 'serve mysql', 'start a']);
  assert.deepEqual(words.slice(-4), ['stop a', 'keep', 'end redis', 'end mysql']);
});

test('each side is set up once, after its services and before the first start, outside the budget', async () => {
  const stored = serverOf('stored', { needs: ['redis'], setup: 'migrate' });
  const servers = [stored, serverOf('twin', { ...stored, id: 'twin' }), serverOf('plain')];
  const config = configOf([], { servers, rounds: 2, budgetSeconds: 100 });
  const { words, trialsOf, events } = await conductFakes(config, { ...BOTH, services: ['redis'] });
  const order = words.filter((word) => /^(serve|set up|start)/.test(word));
  const once = `set up ${stored.folder}: migrate with services`;
  assert.deepEqual(order.slice(0, 3), ['serve redis', once, once]);
  assert.equal(words.filter((word) => word === once).length, 2);
  assert.equal(trialsOf('stored', 1).length, 2);
  const shown = events.flatMap((event) =>
    event.type === 'prepare' && event.command !== undefined ? [[event.side.label, event.command]] : [],
  );
  assert.deepEqual(shown, [
    ['base', 'migrate'],
    ['head', 'migrate'],
  ]);
});

test('a server whose setup fails is not started, and one that could not be built is not set up', async () => {
  const setup = 'migrate';
  const servers = ['broken', 'unbuilt', 'good'].map((id) => serverOf(id, { setup, folder: `/${id}` }));
  const { words, trialsOf, alive } = await conductFakes(
    configOf([], { servers }),
    {},
    {
      prepare: (name) => {
        if (name === 'unbuilt') throw new MeasureError('build-failed', 'no compiler');
      },
      setUp: (folder) => {
        if (folder === '/broken') throw new MeasureError('setup-failed', 'no such table', ['ERROR: 42P01']);
      },
    },
  );
  assert.deepEqual(only(words, 'set up'), ['/broken: migrate', '/good: migrate']);
  assert.deepEqual(new Set(only(words, 'start')), new Set(['good']));
  assert.deepEqual(
    ['broken', 'unbuilt'].map((id) => trialsOf(id).map(({ failure }) => failure?.kind)),
    [['setup-failed'], ['build-failed']],
  );
  assert.deepEqual(trialsOf('broken')[0]?.failure?.logTail, ['ERROR: 42P01']);
  assert.deepEqual(alive, []);
});

test('a server whose service does not start is not started; the others are measured', async () => {
  const config = configOf([], { servers: [serverOf('plain'), serverOf('stored', { needs: ['redis'] })] });
  const { words, trialsOf } = await conductFakes(config, { services: ['redis'] }, { service: 'no disk' });
  assert.deepEqual(only(words, 'start'), ['plain']);
  assert.deepEqual(
    trialsOf('stored').map(({ failure }) => [failure?.kind, failure?.message]),
    [['service-failed', 'no disk']],
  );
});

test('a server of two services that do not start has failed once, and not at all where they were cancelled', async () => {
  const config = configOf([], { servers: [serverOf('stored', { needs: ['redis', 'mysql'] })] });
  const conducted = (/** @type {import('./fakes.js').Behaviour} */ behaviour) =>
    conductFakes(config, { services: ['redis', 'mysql'] }, { service: 'no disk', ...behaviour });
  const failed = await conducted({});
  assert.equal(failed.trialsOf('stored').length, 1);
  const cancelled = await conducted({
    onEvent: (word, controller) => word === 'serve redis' && controller.abort(),
  });
  assert.deepEqual(cancelled.trialsOf('stored'), []);
});

// Two starts of 0.5 s, two warm-ups of 1 s and four windows of 1 s: 7 s a round. Preparation takes 100 s
// each.
for (const [budgetSeconds, rounds] of /** @type {const} */ ([
  [13.9, 1],
  [14, 2],
  [30, 4],
  [1000, 9],
]))
  test(`a budget of ${budgetSeconds} s has time for ${rounds} whole rounds of 7 s, without the preparation`, async () => {
    const { trialsOf, warnings } = await conductFakes(configOf(['a', 'b'], { rounds: 9, budgetSeconds }));
    assert.deepEqual([trialsOf('a').length, trialsOf('b').length], [rounds, rounds]);
    assert.deepEqual(warnings, rounds < 9 ? [{ code: 'budget-ended', seconds: budgetSeconds, rounds }] : []);
  });

test('the time of the next round is learned from earlier rounds', async () => {
  let starts = 0;
  const config = configOf(['a', 'b'], { rounds: 9, budgetSeconds: 40 });
  // 16 s a round: a third would end at 48 s.
  const { trialsOf } = await conductFakes(config, {}, { start: () => (starts++, 5) });
  assert.deepEqual([starts, trialsOf('a').length, trialsOf('b').length], [4, 2, 2]);
});

test('the time that is left is the same for all servers that ran together', async () => {
  const { events } = await conductFakes(configOf(['a', 'b'], { rounds: 2 }));
  const told = events.flatMap((event) => (event.type === 'trial' ? [[event.done, event.left]] : []));
  const round = told[0]?.[1];
  assert.deepEqual(told, [
    [1, round],
    [2, round],
    [3, 0],
    [4, 0],
  ]);
});

test('a look is taken after the last round that ends in time for it, one a round, and may end cases', async () => {
  /** @type {number[]} */
  const shares = [];
  const config = configOf(['a', 'b'], { rounds: 10, ...GAUGE });
  const { trialsOf, words } = await conductFakes(config, {
    looks: {
      shares: [0.1, 0.15, 0.2, 0.5],
      leastRounds: 1,
      look: (_measured, share) => {
        shares.push(share);
        return { decided: new Set(share < 0.5 ? ['a / wrk c1'] : ['a / wrk c1', 'b / wrk c1']) };
      },
    },
  });
  assert.deepEqual(shares, [0.1, 0.15, 0.2, 0.5]);
  assert.deepEqual([trialsOf('a').length, trialsOf('b').length], [1, 5]);
  assert.equal(only(words, 'start').filter((name) => name === 'gauge').length, 5, 'only beside something');
});

test('a look that is due before there are enough rounds is taken as soon as there are', async () => {
  /** @type {[number, number][]} */
  const seen = [];
  const config = configOf(['a', 'b'], { rounds: 99, budgetSeconds: 70 });
  // Rounds of 7 s: the third would end after 20 s.
  await conductFakes(config, {
    looks: {
      shares: [0.12, 0.285, 0.5],
      leastRounds: 2,
      look: ({ trials }, share) => {
        seen.push([share, [...trials.values()][0]?.length ?? 0]);
        return { decided: new Set() };
      },
    },
  });
  assert.deepEqual(seen, [
    [0.12, 2],
    [0.285, 3],
    [0.5, 5],
    [1, 10],
  ]);
});

test('no round takes the time of an explanation while a case looks slower, and all of it once none does', async () => {
  const more = { explain: /** @type {const} */ (true), against: 'main' };
  const config = configOf(['a', 'b'], { rounds: 99, budgetSeconds: 100, ...more });
  const roundsWith = async (/** @type {boolean[]} */ answers) => {
    const { trialsOf } = await conductFakes(config, {
      ...BOTH,
      looks: {
        shares: [0.15, 0.6],
        leastRounds: 1,
        look: () => ({ decided: new Set(), looksSlower: answers.shift() }),
      },
    });
    return trialsOf('a').length;
  };
  // Rounds take 14 s; a quarter of the budget is kept.
  assert.equal(await roundsWith([true, true]), 5);
  assert.equal(await roundsWith([true, false]), 7);
  assert.equal(await roundsWith([false, false]), 7);
});

test('a load at a rate is warmed up without it, since a JIT needs many requests', async () => {
  const { words } = await conductFakes(configOf(['api'], { load: { tool: 'autocannon', rate: 500 } }));
  const loads = only(words, 'load');
  assert.equal(loads[0], 'api 1');
  assert.ok(loads.length > 1 && loads.slice(1).every((load) => load.endsWith(' at 500')), loads.join());
});

test('the last round in time for a look depends on what the next round measures', async () => {
  /** @type {number[]} */
  const seen = [];
  const config = configOf(['api'], { rounds: 40, budgetSeconds: 200, ...GAUGE });
  // Rounds of 7 s, and of 14 s where the reference is measured, too: in the sixteenth, which ends after 119
  // s.
  await conductFakes(config, {
    ...BOTH,
    looks: {
      shares: [0.58],
      leastRounds: 1,
      look: ({ trials }) => {
        seen.push([...trials].find(([step]) => !step.case.reference)?.[1].length ?? 0);
        return { decided: new Set() };
      },
    },
  });
  assert.deepEqual(seen, [15, 27], 'then at the end');
});

test('the reference is not loaded next to servers that never start, and those are not started again', async () => {
  const start = (/** @type {string} */ name) => {
    if (name !== 'gauge') throw new MeasureError('never-ready', 'not ready');
  };
  const { words, trialsOf } = await conductFakes(configOf(['api'], { ...GAUGE, rounds: 4 }), {}, { start });
  assert.deepEqual(only(words, 'load'), []);
  assert.deepEqual(
    trialsOf('api').map(({ failure }) => failure?.kind),
    ['never-ready', 'never-ready'],
  );
  assert.deepEqual(trialsOf('gauge'), []);
});

test('if one side fails for good, the other is measured once', async () => {
  const start = (/** @type {string} */ name) => {
    if (name === 'api-base') throw new MeasureError('never-ready', 'not ready');
  };
  const { trialsOf } = await conductFakes(configOf(['api'], { rounds: 4 }), BOTH, { start });
  assert.deepEqual([trialsOf('api', 0).length, trialsOf('api', 1).length], [3, 1]);
});

test('a warm-up until level goes step by step, and the trial keeps the steps', async () => {
  const config = configOf(['api', 'shop']);
  const cases = config.cases.map((planned) =>
    planned.server === 'shop' ? { ...planned, untilLevel: /** @type {const} */ (true) } : planned,
  );
  const { words, trialsOf } = await conductFakes({ ...config, cases });
  assert.equal(words.filter((word) => word === 'load shop 1').length, 6 + 2);
  assert.equal(words.filter((word) => word === 'load api 1').length, 1 + 2);
  const [{ warmup }] = /** @type {any} */ (trialsOf('shop'));
  assert.deepEqual([warmup.level, warmup.windows.length], [true, 6]);
  assert.equal(trialsOf('api')[0]?.warmup, undefined);
});

/** @param {string[]} names of servers that are warmed up until they are level */
function growing(names) {
  const config = configOf(names);
  const untilLevel = /** @type {const} */ (true);
  return { ...config, cases: config.cases.map((planned) => ({ ...planned, untilLevel })) };
}

test('servers that compile are warmed up together in slices, or alternately if the tool cannot pause', async () => {
  const interleaved = await conductFakes(growing(['a', 'b']), {}, { interleaves: true });
  assert.equal(only(interleaved.words, 'interleave').length, 5 + 2, 'once it is known that they answer fast');
  assert.equal(interleaved.trialsOf('a')[0]?.warmup?.windows.length, 6);
  const turns = await conductFakes(growing(['a', 'b']), {});
  const order = only(turns.words, 'load').slice(0, 12);
  assert.equal(order.length, 12);
  assert.deepEqual(
    order.filter((word, place) => place > 0 && word === order[place - 1]),
    [],
    'never one of them twice in a row',
  );
});

test('a warm-up of many servers that never levels off leaves time for their windows', async () => {
  let answers = 1000;
  const names = [...'abcdefghijklmnop'];
  const config = { ...growing(names), budgetSeconds: 600 };
  const { trialsOf } = await conductFakes(config, {}, { answers: () => (answers *= 1.1) });
  // A step takes 16 s, since the servers take turns: forty of them would take all of the budget.
  for (const name of names) {
    const [trial] = trialsOf(name);
    assert.deepEqual([trial?.failure, trial?.warmup?.level, trial?.windows.length], [null, false, 2]);
  }
});

test('where nothing was measured, a budget is named that the starts would need', async () => {
  const config = configOf(['a'], { rounds: 9, budgetSeconds: 10 });
  const { trialsOf, warnings } = await conductFakes(config, BOTH, { start: () => 50 });
  for (const side of [0, 1]) assert.equal(trialsOf('a', side)[0]?.failure?.kind, 'cancelled');
  const [{ code, rounds, needed }] = /** @type {any} */ (warnings);
  assert.deepEqual([code, rounds], ['budget-ended', 0]);
  assert.ok(needed >= 50, `${needed} s for starts of 50 s`);
});

test('a server that dies while it is warmed up next to another fails alone', async () => {
  let turns = 0;
  const { trialsOf } = await conductFakes(
    growing(['a', 'b']),
    {},
    { interleaves: true, dies: (name) => name === 'a' && ++turns === 2 },
  );
  const [a, b] = ['a', 'b'].map((name) => trialsOf(name)[0]);
  assert.equal(a?.failure?.kind, 'died-under-load');
  assert.deepEqual([b?.failure, b?.warmup?.level, b?.windows.length], [null, true, 2]);
});

test('an error of our own ends a common warm-up', async () => {
  const load = () => {
    throw new Error('ours');
  };
  await assert.rejects(conductFakes(growing(['a', 'b']), {}, { load }), /ours/);
});

test('the measured route is checked again after the load, unless there were errors', async () => {
  const run = async (/** @type {Record<string, number> | undefined} */ errors) => {
    /** @type {Record<string, number>} */
    const checks = {};
    const verify = (/** @type {string} */ name) => {
      checks[name] = (checks[name] ?? 0) + 1;
      if (name === 'b' && checks[name] === 5)
        throw new MeasureError('wrong-answer', '/: status 500 instead of 200');
    };
    const { trialsOf } = await conductFakes(configOf(['a', 'b']), {}, { verify, ...(errors && { errors }) });
    return [checks, trialsOf('a')[0]?.failure, trialsOf('b')[0]?.failure?.message];
  };
  assert.deepEqual(await run(undefined), [
    { a: 5, b: 5 },
    null,
    'after the load: /: status 500 instead of 200',
  ]);
  assert.deepEqual(await run({ non2xx: 3 }), [{ a: 4, b: 4 }, null, undefined]);
});

test('a round after which the tree of a side that did not run has changed says nothing', async () => {
  let groups = 0;
  const behaviour = {
    restore: () => [
      { buildDir: '/a', changed: ['db.json'], lost: [] },
      { buildDir: '/base', changed: ++groups === 1 ? ['hidden-pw.js'] : [], lost: [] },
    ],
  };
  const config = { ...configOf(['a'], { rounds: 2 }), servers: [serverOf('a', { buildDir: '/a' })] };
  const { trialsOf } = await conductFakes(config, {}, behaviour);
  assert.deepEqual(
    trialsOf('a').map(({ failure }) => failure && [failure.kind, failure.message]),
    [
      [
        'tree-changed',
        'a server changed ${PW}.js of the other side, which did not run; let it write to its own folder alone',
      ],
      null,
    ],
  );
});
