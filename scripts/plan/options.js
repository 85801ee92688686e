/**
 * The one table of options. The flags of the command line, the inputs of the action and the keys of perf.yml are made
 * from it or checked against it.
 */

/**
 * What an option's text means; plan/kinds.js reads each.
 * @typedef {'text' | 'names' | 'versions' | 'count' | 'counts' | 'seed' | 'duration' | 'pause' | 'percent' | 'factor' | 'switches'
 *   | 'shard' | 'method' | 'failOn' | 'list' | 'boolean'} Kind
 */

/**
 * name: the flag and the input; key: its place in perf.yml, absent where a file cannot say it; default: as one would
 * write it. A list may be given several times; a boolean takes no value.
 * @typedef {{ name: string, key?: string, kind: Kind, default?: string, help: string }} Option
 */

/** @type {Option[]} */
export const OPTIONS = [
  {
    name: 'config',
    kind: 'text',
    help: 'the configuration file; where none is named, ./perf.yml is used if it exists',
  },
  {
    name: 'profile',
    key: 'profile',
    kind: 'text',
    help: 'a ready experiment, see perf-action list; quick is the demo',
  },
  {
    name: 'servers',
    key: 'servers',
    kind: 'names',
    help: 'what is measured: names from perf.yml or perf-action list, or folders with a server.yml',
  },
  {
    name: 'node',
    key: 'node',
    kind: 'versions',
    help: 'runs every Node server under each of these versions, side by side: 22,24; the Node on the PATH where not given',
  },
  {
    name: 'tool',
    key: 'load.tool',
    kind: 'names',
    default: 'autocannon',
    help: 'the load tool, or several to measure with each',
  },
  {
    name: 'connections',
    key: 'load.connections',
    kind: 'counts',
    default: '100',
    help: 'open connections, or a list to measure with each: 50,100',
  },
  {
    name: 'duration',
    key: 'load.duration',
    kind: 'duration',
    default: '10s',
    help: 'how long one boot is measured',
  },
  {
    name: 'warmup',
    key: 'load.warmup',
    kind: 'pause',
    default: '2s',
    help: 'load before the measurement; 0 for none',
  },
  {
    name: 'windows',
    key: 'load.windows',
    kind: 'count',
    help: 'the duration is measured in this many parts, each a run of the tool; a second each where not given, and one part where nothing else is alive',
  },
  {
    name: 'keep-alive',
    key: 'load.keepAlive',
    kind: 'switches',
    default: 'true',
    help: 'false opens a connection for every request; true,false measures both',
  },
  {
    name: 'pipelining',
    key: 'load.pipelining',
    kind: 'counts',
    default: '1',
    help: 'requests under way on a connection, or a list',
  },
  {
    name: 'rate',
    key: 'load.rate',
    kind: 'counts',
    help: 'requests a second over all connections, or a list; as fast as it goes where not given',
  },
  {
    name: 'threads',
    key: 'load.threads',
    kind: 'counts',
    default: '1',
    help: 'threads of the load tool, or a list',
  },
  {
    name: 'method',
    key: 'request.method',
    kind: 'method',
    help: 'replaces the method of the measured routes',
  },
  {
    name: 'header',
    key: 'request.headers',
    kind: 'list',
    help: 'replaces the headers of the measured routes: "name: value", once for each',
  },
  {
    name: 'body',
    key: 'request.body',
    kind: 'text',
    help: 'replaces the body of the measured routes',
  },
  {
    name: 'routes',
    key: 'routes',
    kind: 'names',
    help: "which routes are measured; where not given, all of every server's own",
  },
  {
    name: 'rounds',
    key: 'rounds',
    kind: 'count',
    default: '3',
    help: 'how often every case is booted and measured; with budget and something to compare with: until it is decided',
  },
  {
    name: 'budget',
    key: 'budget',
    kind: 'duration',
    help: 'a bound for the whole run, like 5m; 5m with against where no rounds are given',
  },
  {
    name: 'alive',
    key: 'alive',
    kind: 'count',
    help: 'how many servers are alive at the same time at most, the reference among them; as many as the memory bears where not given',
  },
  {
    name: 'seed',
    key: 'seed',
    kind: 'seed',
    help: 'repeats the order of an earlier run; random where not given',
  },
  {
    name: 'shard',
    kind: 'shard',
    help: 'measures a part only, like 2/3: cases are dealt out evenly, the reference to each; needs a seed, see merge',
  },
  {
    name: 'reference',
    key: 'reference',
    kind: 'text',
    help: 'the server measured in every run as a gauge of the machine, or off; the built-in one where not given',
  },
  {
    name: 'relative-to',
    key: 'relativeTo',
    kind: 'text',
    help: 'the server the others are set against ("4.9x Express")',
  },
  {
    name: 'baseline',
    key: 'baseline',
    kind: 'text',
    help: 'the stored run to compare with, or a folder of such runs',
  },
  {
    name: 'against',
    key: 'against',
    kind: 'text',
    help: 'the commit measured in the same rounds, like main; base: where the branch began; same: the noise floor; or off',
  },
  {
    name: 'out',
    key: 'out',
    kind: 'text',
    default: 'perf-results',
    help: 'the folder for the results',
  },
  {
    name: 'margin',
    key: 'margin',
    kind: 'percent',
    default: '5%',
    help: 'changes inside it count as the same',
  },
  {
    name: 'fail-on',
    key: 'failOn',
    kind: 'failOn',
    default: 'regressed',
    help: 'regressed, unsure or never: what makes the exit code 1',
  },
  {
    name: 'scale',
    kind: 'factor',
    default: '1',
    help: 'multiplies duration and warm-up, to whole seconds: 0.1 shortens them to a tenth',
  },
  {
    name: 'title',
    key: 'title',
    kind: 'text',
    default: 'Load test',
    help: 'the heading of the report',
  },
  {
    name: 'json',
    kind: 'boolean',
    help: 'print JSON instead of text',
  },
];
