/**
 * Runs of a server of which few routes execute changed code, as they happen: the other routes are controls,
 * which share starts and have a short window each, until their sides differ.
 * @import { CaseComparison, Run, RunCase, Trial } from '../../scripts/types.js'
 * @import { World } from './worlds.js'
 */

import { alphasOfLooks, decidedCases, LOOKS } from '../../scripts/judge/alpha-spending.js';
import { isQuietControl } from '../../scripts/judge/case-verdict.js';
import { compare } from '../../scripts/judge/compare.js';
import { controlsToPromote } from '../../scripts/judge/control-cases.js';
import { isControl } from '../../scripts/model/is-control.js';
import * as times from '../../scripts/model/times.js';
import { lookDue } from '../../scripts/run/next-action.js';
import { runOf, seededRandom } from './recordings.js';
import { simulate, WORLDS } from './worlds.js';

/** Of one server. */
const ROUTES = { touched: 2, controls: 18 };
/** Both sides are loaded alternately, in starts of a touched route. */
const CONTROLS_SECONDS = 2 * ROUTES.controls * (times.CONTROL_LOAD.most + times.WINDOW_EXTRA_SECONDS);

/** @typedef {{ budgetSeconds: number, roundSeconds: number, tries: number }} How */

/** A table: false alarms, and what is found, by world. @param {How} how */
export function printControls({ tries, ...how }) {
  const { touched, controls } = ROUTES;
  console.log(
    `${tries} comparisons of ${touched} touched routes and ${controls} controls: % in which an unchanged one was called changed, a control was promoted, or 5 % were found\n`,
  );
  console.log('| noise | a touched one | a control | any | promoted | found |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
  for (const [name, world] of Object.entries(WORLDS)) {
    const found = { touched: 0, controls: 0, any: 0, promoted: 0, slower: 0 };
    const random = seededRandom(5);
    for (let i = 0; i < tries; i++) {
      const cases = play(world, { ...how, speed: 1, random });
      const alarms = cases.filter((each) => isChange(each) && !isQuietControl(each));
      if (alarms.some(({ role }) => !role)) found.touched++;
      if (alarms.some(({ role }) => role)) found.controls++;
      if (alarms.length > 0) found.any++;
      if (cases.some(({ promoted }) => promoted)) found.promoted++;
      const slower = play(world, { ...how, speed: 0.95, random });
      if (slower.some(({ role, verdict }) => !role && verdict === 'regressed')) found.slower++;
    }
    const shares = Object.values(found).map((count) => Number(((100 * count) / tries).toFixed(1)));
    console.log(`| ${[name, ...shares].join(' | ')} |`);
  }
}

/** @type {(compared: CaseComparison) => boolean} */
function isChange({ verdict }) {
  return verdict === 'regressed' || verdict === 'improved';
}

/**
 * @param {World} world
 * @param {Omit<How, 'tries'> & { speed: number, random: () => number }} how speed: of the head's touched
 *   routes
 * @returns {CaseComparison[]} each as the look says that decided it, or the last one
 */
function play(world, { budgetSeconds, roundSeconds, speed, random }) {
  const most = Math.ceil(budgetSeconds / roundSeconds);
  // As many as there can be, of which some are used: rounds depend on no earlier ones.
  const pairs = Array.from({ length: ROUTES.touched + ROUTES.controls }, (_, place) =>
    simulate(world, { rounds: most, windows: 2, random, speed: place < ROUTES.touched ? speed : 1 }),
  );
  // Half as long a window scatters more, and the next window of a start is the next control's.
  const short = { ...world, window: world.window / Math.sqrt(times.CONTROL_LOAD.most) };
  const shared = simulate(short, { rounds: most, windows: ROUTES.controls, random });
  const [base, head] = /** @type {[Run, Run]} */ ([0, 1].map(emptySide));
  /** @type {Map<string, CaseComparison>} */
  const decided = new Map();
  /** @type {number[]} */
  const looks = [];
  let [elapsed, ofControls] = [0, 0];
  for (let round = 0; ; round++) {
    const full = head.cases.filter((each) => !isControl(each) && !decided.has(each.id));
    const seconds = full.length * roundSeconds;
    const next = elapsed + seconds + CONTROLS_SECONDS;
    const isDue = round === 0 || ofControls + CONTROLS_SECONDS <= times.CONTROL_SHARE * next;
    for (const [side, { cases }] of [base, head].entries())
      for (const [place, each] of cases.entries()) {
        const trial = isControl(each) ? shared[side]?.[round] : pairs[place]?.[side]?.[round];
        if (!trial || decided.has(each.id) || (isControl(each) && !isDue)) continue;
        each.trials.push(isControl(each) ? onlyWindow(trial, place - ROUTES.touched) : trial);
      }
    elapsed += seconds + (isDue ? CONTROLS_SECONDS : 0);
    ofControls += isDue ? CONTROLS_SECONDS : 0;
    for (const id of controlsToPromote(base, head))
      for (const { cases } of [base, head])
        for (const each of cases) if (each.id === id) each.promotedAt = round + 1;
    const used = (elapsed + seconds) / budgetSeconds;
    const due = used > 1 ? 1 : lookDue(LOOKS, { lastLook: looks.at(-1) ?? 0, next: used });
    if (due === undefined || round + 1 < times.LEAST_ROUNDS) continue;
    looks.push(due);
    const alpha = alphasOfLooks({ looks, cases: head.cases }).at(-1);
    const comparison = compare(base, head, { alpha });
    const ids = decidedCases(comparison);
    for (const compared of comparison.cases)
      if (ids.has(compared.id) && !decided.has(compared.id)) decided.set(compared.id, compared);
    const open = head.cases.filter((each) => !isControl(each) && !decided.has(each.id));
    if (due === 1 || open.length === 0)
      return comparison.cases.map((compared) => decided.get(compared.id) ?? compared);
  }
}

/** Of both sides, before the first round. @returns {Run} */
function emptySide() {
  const run = runOf('side', []);
  const [like] = run.cases;
  return {
    ...run,
    cases: Array.from({ length: ROUTES.touched + ROUTES.controls }, (_, place) => ({
      .../** @type {RunCase} */ (like),
      ...{ id: `case /${place}`, route: `/${place}`, trials: [] },
      ...(place >= ROUTES.touched && { role: /** @type {const} */ ('control') }),
    })),
  };
}

/** @type {(trial: Trial, place: number) => Trial} */
function onlyWindow({ windows, ...trial }, place) {
  const scaled = (/** @type {number} */ value) => value * times.CONTROL_LOAD.most;
  return {
    ...trial,
    windows: windows.slice(place, place + 1).map(({ requests, seconds, cpu, ...window }) => ({
      ...window,
      ...{ seconds: scaled(seconds), requests: scaled(requests) },
      ...(cpu && {
        cpu: {
          ...cpu,
          serverSeconds: scaled(cpu.serverSeconds ?? 0),
          clientSeconds: scaled(cpu.clientSeconds ?? 0),
        },
      }),
    })),
  };
}
