/**
 * Starts both sides of each server again, together on one core, so that a comparison shows whether the
 * startup changed. One core is faster than another for seconds at a time, which moves a start by tens of
 * percent; on one core both sides have the same moments. These figures end no run, so the pairs of starts
 * come last, in what is left of a budget. One that fails is counted.
 * @import { Config, Plan, Server, Startup, Step, Trial, Trials } from '../types.js'
 * @import { Dependencies } from './dependencies.js'
 * @import { Trees } from './isolation.js'
 * @import { Service } from '../deploy/services/start-services.js'
 */

import { groups, mean, sum } from 'd3-array';
import { isControl } from '../model/is-control.js';
import { failureOf, MeasureError } from '../model/errors.js';
import { PAIRS, PAIRS_OF_A_ROUND, QUICK_MS, TIMES_OF_A_START } from '../model/times.js';
import { arePairsGated } from '../samples/figures.js';
import { servicesOf } from './server-run.js';
import { unlikeOthers } from '../deploy/start/startup-errors.js';

/**
 * @typedef {{ services: Service[], trees: Pick<Trees, 'restore'>, dependencies: Dependencies,
 *   signal: AbortSignal }} Surroundings
 */

/** A start that hangs takes half a minute, so the pairs of a server end with the second that fails. */
const FAILURES = 2;

/**
 * Seconds of the budget that are kept for the pairs: none, unless a figure of pairs has a gate.
 * @type {(plan: Plan, trials: Trials, gates?: Config['gates']) => number}
 */
export function reservedSeconds(plan, trials, gates) {
  if (!arePairsGated(gates)) return 0;
  const seconds = sum(startedAgain(plan, trials, gates), ({ startSeconds }) => startSeconds);
  return PAIRS * TIMES_OF_A_START * seconds;
}

/**
 * @param {Plan} plan
 * @param {Trials} trials those of one round get the startups of a pair, or a failed start of its own
 * @param {Surroundings & { isSeparate: (step: Step) => boolean, secondsLeft: () => number,
 *   gates?: Config['gates'] }} context isSeparate: whether it cannot start next to others
 */
export async function compareStarts(plan, trials, context) {
  const servers = context.dependencies.isInside ? [] : startedAgain(plan, trials, context.gates);
  let open = servers.filter(({ steps: [first] }) => first && !context.isSeparate(first));
  /** @type {typeof open} once for each failed pair */
  const failed = [];
  for (let pair = 0; pair < PAIRS; pair++)
    for (const each of open) {
      if (pair >= PAIRS_OF_A_ROUND * each.rounds.length && !arePairsGated(context.gates)) continue;
      const isTime = context.secondsLeft() > TIMES_OF_A_START * each.startSeconds;
      const started = isTime ? await startTogether(each.steps, context) : [];
      context.trees.restore();
      const round = each.rounds[pair % each.rounds.length] ?? [];
      const errors = started.flatMap(({ error }) => error ?? []);
      if (errors.length > 0) failed.push(each);
      for (const [place, step] of each.steps.entries()) {
        const { error, startup } = started[place] ?? {};
        const failure = error && failureOf(error, context.dependencies.conceal);
        if (failure) failure.message = unlikeOthers(failure.message);
        if (failure) trials.get(step)?.push({ round: round[place]?.round ?? 0, failure, windows: [] });
        // Only pairs are compared.
        else if (startup && errors.length === 0)
          round[place]?.startups?.push({ ...startup, sharesCore: true });
      }
      const isOver = failed.filter((other) => other === each).length >= FAILURES;
      if (started.length === 0 || isOver) open = open.filter((other) => other !== each);
    }
}

/**
 * By their first case, quick servers, or all that started where a gate asks for it; steps: of that case, one
 * a side; rounds: in which all sides started, a trial a side.
 * @type {(plan: Plan, trials: Trials, gates: Config['gates']) =>
 *   { steps: Step[], rounds: Trial[][], startSeconds: number }[]}
 */
function startedAgain({ sides }, trials, gates) {
  if (sides.length < 2) return [];
  const servers = groups(trials, ([step]) => step.case.server);
  return servers.flatMap(([, all]) => {
    // A server all of whose routes are controls starts as before.
    const cases = all.map(([step]) => step.case);
    // One that was a control may have had no starts of its own.
    const full = cases.find(({ role }) => !role) ?? cases.find((each) => !isControl(each));
    const measured = all.filter(([step]) => step.case === full);
    const [first = [], ...others] = measured.map(([, own]) =>
      own.filter(({ failure, startups }) => !failure && startups),
    );
    const rounds = first.flatMap((trial) => {
      const same = others.flatMap((ofSide) => ofSide.find(({ round }) => round === trial.round) ?? []);
      return same.length === others.length ? [[trial, ...same]] : [];
    });
    const startMs = mean(rounds.flat(), ({ startupMs }) => startupMs) ?? Infinity;
    const steps = measured.map(([step]) => step);
    const isPair = steps.length === sides.length && !steps[0]?.case.reference;
    const isAgain = isPair && startMs < (arePairsGated(gates) ? Infinity : QUICK_MS);
    return isAgain ? [{ steps, rounds, startSeconds: startMs / 1000 }] : [];
  });
}

/**
 * Of each; none where the run was cancelled, or a neighbour has the port.
 * @type {(steps: Step[], context: Surroundings) => Promise<{ startup?: Startup, error?: MeasureError }[]>}
 */
async function startTogether(steps, { services, dependencies, signal }) {
  if (signal.aborted) return [];
  const outcomes = await Promise.allSettled(
    steps.map(({ side, case: planned }, place) => {
      const server = /** @type {Server} */ (side.servers[planned.server]);
      return dependencies.startServer(server, {
        deployment: planned,
        services: servicesOf(server, services, place).env,
        onOneCore: true,
        signal,
      });
    }),
  );
  await Promise.all(outcomes.map((outcome) => outcome.status === 'fulfilled' && outcome.value.stop()));
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  for (const error of errors) if (!(error instanceof MeasureError)) throw error;
  if (errors.some(({ kind }) => ['cancelled', 'port-taken'].includes(kind))) return [];
  return outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? { startup: outcome.value.startup } : { error: outcome.reason },
  );
}
