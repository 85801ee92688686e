/** How long everything lasts, how often it happens, and why: plan/timetable.js makes a timetable of these. */

// Where nobody sets it.
export const SIDE_BY_SIDE = { 'load.duration': '2s', 'load.warmup': '1s' }; // many short starts find more
export const CLOSED_CONNECTIONS = 10; // a slice ends with its last answers: those of 100 make it coarse
export const UNBOUNDED = { budget: '5m' }; // for a first table, or for a verdict after unknown rounds
export const LIMITED = { rounds: '6' }; // an interval over three is 4 standard errors each way, over six 2.5
export const REQUESTS_SECONDS = 60; // the time limit of a number of requests

// A start and its warm-up.
export const START_SECONDS = 0.7; // with its checks and its stop, where no earlier run shows it
export const WARMUP_REQUESTS = 6000; // V8 compiles most of a framework; more only takes time, since sides are equally warm
export const LONGER_WARM_UP = 3; // times as long for these, as a server of 5,000 a second needs
export const LEVEL_SECONDS = 20; // the usual warm-up of a JVM
export const MOST_LEVEL_SECONDS = 60; // some never level off (Barrett et al., Virtual machine warmup, 2017)
export const GRACE_SECONDS = 30; // a start on a crowded machine takes several times as long; then it ends

// Windows.
export const WINDOW_SECONDS = 1; // enough for every load tool, and much shorter than a moment of the machine
export const WINDOW_EXTRA_SECONDS = 0.1; // beside its load
export const LEAST_DURATION_SECONDS = 2; // of a start that a budget shortens, as in a comparison
export const GROWN_SECONDS = 6; // a JVM takes half a minute to be warm, so its starts last longer
export const LONGEST_WINDOW_SECONDS = 30; // of a slow server
export const REQUESTS_A_SECOND = 6000; // of a load that ends after a number of requests

// Rounds.
export const LEAST_ROUNDS = 4; // with fewer, the mean has too few degrees of freedom to spend alpha on it
export const OF_BUDGET = 1 / LEAST_ROUNDS / 2; // for a round's windows, or its warm-ups; half is left
export const MOST_PLANNED = 500; // nobody waits for more rounds
export const MOST_STARTS = 200_000; // a week of the shortest
export const BUSY = 3; // times as long an earlier run may have taken, beside other programs
export const REFERENCE_EVERY = 16; // rounds: between two sides it only shows the noise of the run
export const REFERENCE_SHARE = 1 / 4; // of the starts of a run that has to fit in a budget

// Controls: routes that execute the same code on both sides.
export const CONTROL_SHARE = 1 / 5; // of the time; what they promote has the rest
export const CONTROL_LOAD = { rounds: LEAST_ROUNDS, least: 0.1, most: 0.25 }; // five to twelve slices
export const SHARED_LOAD = { rounds: 12, least: CONTROL_LOAD.most, most: WINDOW_SECONDS }; // few long windows find less
export const PROMOTING_STARTS = 2; // of a control; a single one may have a state of its own
export const LEAST_DIFFERENCES = 8; // of all controls: with fewer, it is not known how far they lie apart by chance
export const CONTROLS_ALONE_SECONDS = 20; // where nothing else is measured; nobody waits for a folded line
export const WHOLE_SECONDS = 1; // of tools that cannot alternate: some take whole seconds of load

// What a budget keeps.
export const MOST_RESERVED = 0.5; // of it, for the pairs of starts of a gate
export const PAIRS = 8; // of starts find 5 % where starts scatter by 2 %; they take some eight seconds
export const PAIRS_OF_A_ROUND = 2; // after few rounds nobody waits so long
export const TIMES_OF_A_START = 3; // a pair takes: two starts on one core, and their ends
export const QUICK_MS = 1500; // a slower server starts none without a gate, since those take minutes
export const OF_EXPLAINING = 1 / 4; // of it: of a minute, the time of a profiled start of each side
export const PROFILED_ROUNDS = 10; // find a function that costs a twentieth of a request
/**
 * By runtime, as much load as a profiled start needs, and the fewest rounds that name a function: profiles of
 * Node come in parts, which differ more than starts do. A JVM has to compile what a request needs.
 * @typedef {{ load: { durationSeconds: number, warmupSeconds?: number }, leastRounds: number }} Profiled
 * @type {Map<string, Profiled>}
 */
export const PROFILED = new Map([
  ['node', { load: { durationSeconds: 3 }, leastRounds: 1 }],
  ['java', { load: { durationSeconds: 4, warmupSeconds: 6 }, leastRounds: LEAST_ROUNDS }],
]);
