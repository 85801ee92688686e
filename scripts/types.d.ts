/**
 * The data dictionary: every shape that passes from one station to the next.
 * Base units: seconds, bytes, requests a second; anything else carries its unit in its name.
 * What was not measured is absent, never 0.
 */

// ---------------------------------------------------------------- what is asked for

/** One command: a line for the shell (sh), or an argument vector, which no shell sees. */
export type Command = string | string[];

export interface Route {
  /** What configurations and tables call it: the path, or "METHOD /path" where the method is not GET. */
  id: string;
  method: string;
  path: string;
  /** Values may hold `${NAME}`, like path and body: the caller's variable, looked up when it is sent. */
  headers: Record<string, string>;
  /** Names of headers that are secret beside those that are by their names. */
  secretHeaders?: string[];
  body?: string;
  /** In the place of `body`. */
  bodyFile?: BodyFile;
  /** Services that it needs beside its server's. */
  needs?: string[];
  /** What a right answer looks like; checked before any load. */
  expect: { status: number; type?: string; body?: string; json?: unknown };
}

/** The bytes of a file, as they are sent. */
export interface BodyFile {
  /** As the configuration calls it. */
  name: string;
  bytes: number;
  sha256: string;
  /** Absent from what is stored and printed. */
  base64?: string;
}

/** A manifest with its defaults filled in. Built-in servers and the user's own are the same thing. */
export interface Server {
  /** The folder's name, or the name of the inline definition. */
  id: string;
  /** What people read. */
  name: string;
  runtime: string;
  /** Absolute; commands run here. */
  folder: string;
  install?: Command;
  build?: Command;
  start: Command;
  ready: { path: string; timeoutSeconds: number };
  routes: Route[];
  needs: string[];
  env: Record<string, string>;
  /** The largest heap of each of its processes. */
  heapBytes?: number;
  /** As many as its runtime counts, whatever the machine has. */
  processors?: number;
  /** Files that git ignores and the server needs, relative to its folder. */
  copy?: string[];
  /** Names of the caller's variables that are passed although they look secret. */
  passEnv?: string[];
  /** Where the folder is in a place of ours, see boot/homes: that place. Nothing is installed or built anywhere else. */
  home?: string;
  /** The user's own folder, where `folder` is another. */
  origin?: string;
  /** The version of its runtime that it runs on, like "24" or "24.9.0"; absent: the machine's own. */
  version?: string;
  /** Globs, as in a workflow file, of what it is made of; absent: of anything in the repository. */
  paths?: string[];
  reference?: true;
}

/** What a load tool is told. Its fields are rows of dimensions.js. */
export interface Load {
  tool: string;
  connections: number;
  /** Measured of one boot, all windows together; with `requests`, the most it may take. */
  durationSeconds: number;
  /** Sent to one boot, all windows together; absent: as many as fit into the duration. */
  requests?: number;
  warmupSeconds: number;
  /** The duration is measured in this many windows, each its own run of the tool; absent: as the conductor splits it. */
  windows?: number;
  keepAlive: boolean;
  pipelining: number;
  /** Requests per second over all connections; absent: unlimited. */
  rate?: number;
  threads: number;
  /** Processes of the load tool; absent in older files: one. */
  processes?: number;
  /** Of the load tool, on whatever machines: so many are waited for; absent: it loads by itself. */
  workers?: number;
  /** The address at which workers on other machines reach this one; absent: they are on it. */
  host?: string;
  /** Of the load tool, relative to the working directory; absent: one request over and over. */
  script?: string;
  /** Processes of the server; absent in older files: one. */
  instances?: number;
  /** What runs them, where there are several: a row in boot/managers. */
  manager?: string;
  /** How requests reach the server: a row in boot/fronts; absent in older files: directly. */
  front?: string;
}

/** What makes the exit code 1. */
export type FailOn = 'regressed' | 'unsure' | 'never';

/** Everything a run was asked for: perf.yml, the preset and the flags, merged and checked. */
export interface Config {
  title: string;
  /** Of the reports; absent: English. */
  language?: string;
  /** The preset's id, where one was used. */
  preset?: string;
  /** In the order asked for; the reference is not among them unless it was asked for. */
  servers: Server[];
  reference?: Server;
  /** The server the reader's ratio is taken against ("4.9x Express"). */
  relativeTo?: string;
  /** Replaces method, headers or body of every chosen route. */
  request: Partial<Pick<Route, 'method' | 'headers' | 'secretHeaders' | 'body'>>;
  /** What is measured, and the reference under every load. */
  cases: Case[];
  /** Absent: as many as the budget allows, until every case is decided. */
  rounds?: number;
  /** Whole-run bound in seconds. */
  budgetSeconds?: number;
  seed: number;
  /** The most servers that run at the same time; absent: as many as fit in memory. */
  maxRunning?: number;
  /** Servers are also observed from inside, where their runtime has such an observer. */
  runtimeMetrics?: true;
  /** Servers that got slower are profiled. */
  explain?: true;
  /** The part that this machine measures, from 1. */
  shard?: { index: number; of: number };
  baseline?: string;
  against?: string;
  out: string;
  /** The share within which a change counts as the same. */
  margin: number;
  /** Metrics with a margin of their own. */
  margins?: Partial<Record<MetricId, number>>;
  failOn: FailOn;
  /** Metrics with a gate of their own; failOn is for the others. */
  gates?: Partial<Record<MetricId, FailOn>>;
  /** Globs, as in a workflow file, of what can change without mattering to any server. */
  ignore: string[];
  /** What other people published for this experiment, to set beside the measured. */
  published?: Published;
}

export interface Published {
  source: string;
  conditions: string;
  /** Of one server under several loads; `load` is what tells them apart. */
  loads?: {
    load: Partial<Load>;
    throughput: number | [number, number];
    p50Ms?: number;
    p95Ms?: number;
  }[];
  /** Case figures by server id, or by server id and route ("webman /db"), which goes before. */
  servers?: Record<
    string,
    {
      throughput: number | [number, number];
      latencyAvgMs?: number;
      p99Ms?: number;
      requests?: number;
      readBytes?: number;
      errors?: number;
    }
  >;
}

// ---------------------------------------------------------------- the plan

export interface Case {
  /** Stable over runs: server, route, tool and whatever of the load is not default. */
  id: string;
  server: string;
  serverName: string;
  route: string;
  /** Stored without its secrets, see plan/secrets. */
  request: Pick<Route, 'method' | 'path' | 'headers' | 'secretHeaders' | 'body' | 'bodyFile'>;
  load: Load;
  /** How many cores the load tool can keep busy; absent in older files: its threads. */
  clientCores?: number;
  /** How many the server can keep busy beside it; absent in older files: one. */
  serverCores?: number;
  /** As its load has them; absent where requests reach it directly. */
  instances: number;
  front?: string;
  reference?: true;
  /** Nobody fixed its warm-up: it lasts until throughput levels off. */
  untilLevel?: true;
  /** Its warm-up goes on, at most three times as long, until so many requests were answered. */
  warmupRequests?: number;
}

/** One side of a comparison measured side by side; a plain run has one. */
export interface Side {
  label: string;
  /** By id; a case whose server or route is not here is not measured on this side. */
  servers: Record<string, Server>;
  /** Where it is no checkout of its own, that of the working directory counts. */
  revision?: Run['revision'];
}

export interface Plan {
  title: string;
  sides: Side[];
  cases: Case[];
  /** How many rounds there are, or are expected where the budget and the verdicts end the run. */
  rounds: number;
  untilDecided?: true;
  /** order[round] lists groups of what is alive together; a budget may end it early. */
  order: Step[][][];
  seed: number;
  maxRunning?: number;
  /** Where this is the part of one machine of several; cases: the ids of the whole plan's. */
  shard?: { index: number; of: number; cases: string[] };
  /** How long servers took to boot in earlier runs, by id. */
  bootSeconds?: Record<string, number>;
  /** Boot + warm-up + load of every trial, in seconds; no more than the budget. */
  estimateSeconds: number;
  budgetSeconds?: number;
}

/** Indices into a plan's sides and cases. */
export interface Step {
  side: number;
  case: number;
}

// ---------------------------------------------------------------- what was measured

export interface LatencyMs {
  avg?: number;
  stdev?: number;
  min?: number;
  p2_5?: number;
  p50?: number;
  p75?: number;
  p90?: number;
  p95?: number;
  p97_5?: number;
  p99?: number;
  p99_9?: number;
  max?: number;
}

/** Spread of a per-second series, as autocannon prints it. */
export interface PerSecond {
  p1: number;
  p2_5: number;
  p50: number;
  p97_5: number;
  avg: number;
  stdev: number;
  min: number;
  max?: number;
}

export interface Errors {
  timeouts: number;
  connect: number;
  read: number;
  write: number;
  non2xx: number;
  /** Requests whose connection the server closed before it answered anything. */
  resets?: number;
  /** Requests that had no answer when the window ended, after waiting for most of it. */
  stalls?: number;
  /** What the load tool or its script calls failed, where it does not tell why. */
  failed?: number;
  /** Of a script's checks, those that were not so. */
  checks?: number;
}

export interface Cpu {
  /** CPU seconds (user + system) of the server's whole process group during the window. */
  serverSeconds: number;
  /** The same of the load tool. */
  clientSeconds: number;
  /** Share (0 to 1) of the machine's CPU capacity that went to neither of them nor to us. */
  foreignShare: number;
  stealShare: number;
  /** The same of what stands before the server, which serverSeconds leave out. */
  frontSeconds?: number;
  /** The same of the databases that we started for it, where there are any. */
  servicesSeconds?: number;
  /** CPU seconds of the other servers that were alive and waited. */
  waitingSeconds?: number;
}

/** One run of the load tool. `seconds` and `requests` alone are enough to compare. */
export interface Window {
  /** Seconds from the start of the measurement to that of this window. */
  at?: number;
  seconds: number;
  requests: number;
  bytes?: number;
  latencyMs?: LatencyMs;
  errors?: Partial<Errors>;
  /** In the best of its seconds. */
  peakRequestsPerSecond?: number;
  /** A script's thresholds that were crossed: "http_req_duration: p(95)<200". */
  thresholdsMissed?: string[];
  /** Workers of the load tool that were gone before its end. */
  workersLost?: number;
  requestsPerSecond?: PerSecond;
  bytesPerSecond?: PerSecond;
  cpu?: Cpu;
  /** Where other processes took more of the machine than a figure bears: the names of the busiest, the first most. */
  others?: string[];
  /** Of a server of several processes: the CPU seconds of each, but for those that only manage others; the busiest first. */
  instanceSeconds?: number[];
  /** Highest resident memory of the server's process group in the window. */
  rssBytes?: number;
  /** Of a profiled boot, one a process; never stored. */
  profiles?: Profile[];
  /** How much later than asked the event loop of a Node server came to a timer; of several busy processes, the latest. */
  eventLoopDelayMs?: { p50: number; p99: number; max: number };
  /** Share (0 to 1) of the window that the busiest process's event loop worked. */
  eventLoopUtilisation?: number;
  /** Garbage collections of all its processes: how many, their pauses together, the longest. */
  gc?: { count: number; pauseMs: number; longestMs: number };
  /** Heap in use, all processes together: of Node at the end of the window, of Java the most that was seen in it
   * (its counters of Serial and Parallel, since Java 24, are those of the last collection). */
  heapBytes?: number;
  /** Of a Java server, all its JVMs together: at the end of the window, and how long its compilers worked in it. */
  jvm?: { metaspaceBytes: number; threads: number; classes: number; compileMs: number };
  /** Its mean over the window. */
  rssMeanBytes?: number;
  /** How resident memory grew over the window: the median of the slopes between its samples; negative where it shrank. */
  rssBytesPerSecond?: number;
}

/** How long requests took: `counts[n]` of them `us[n]` microseconds, which ascend. */
export interface Latencies {
  us: number[];
  counts: number[];
}

/** As the load tool gives it; a trial keeps the latencies of all its windows together. */
export interface LoadedWindow extends Window {
  /** Absent where the tool gives only percentiles. */
  latencies?: Latencies;
  /** What the tool used for this server, where it took several in turn. */
  clientSeconds?: number;
}

export type FailureKind =
  | 'install-failed'
  | 'build-failed'
  | 'service-failed'
  | 'exited-at-boot'
  | 'port-taken'
  | 'never-ready'
  | 'wrong-answer'
  | 'died-under-load'
  | 'load-tool-crashed'
  | 'load-tool-hung'
  | 'clock-stepped'
  | 'cancelled';

export interface Failure {
  kind: FailureKind;
  message: string;
  /** The first lines that told of trouble, where the last do not show them. */
  logHead?: string[];
  /** The last lines the server (or the tool) printed. */
  logTail?: string[];
  /** What repeats it by hand, from the working directory of the run. */
  command?: string;
}

/** The warm-up of a boot, as far as it was watched: level where throughput no longer rose at its end. */
export interface Warmup {
  level: boolean;
  windows: Pick<Window, 'at' | 'seconds' | 'requests' | 'jvm'>[];
}

/** One boot. */
export interface Trial {
  /** What has equal rounds in one session was alive together, or one after the other where that could not be. */
  round: number;
  /** In a joined run: the shard that measured it. Boots of one shard shared a machine. */
  shard?: number;
  bootMs?: number;
  /** The port that the server insisted on, where it did not listen on the one it was given. */
  fixedPort?: number;
  failure: Failure | null;
  /** Where it lasted until throughput levelled off. */
  warmup?: Warmup;
  windows: Window[];
  /** Of all requests of its windows, to three digits. */
  latencies?: Latencies;
  /** Of a core, in the mean: what the server used while another one was loaded and it was not. */
  waitingShare?: number;
}

export interface Environment {
  cpuModel: string;
  cores: number;
  memoryBytes: number;
  os: string;
  kernel: string;
  /** What kind of place it is: "github-hosted", "self-hosted", "local". */
  runner: string;
  /** Versions by name: { node: "24.1.0" }. */
  runtimes: Record<string, string>;
  tools: Record<string, string>;
  /** Equal where absolute figures may be compared. */
  fingerprint: string;
}

/** Said in words by its code and its facts; by its message, technical text, where no language has the code. */
export interface Warning {
  code: string;
  message?: string;
  case?: string;
  [fact: string]: unknown;
}

/** A case's trials in one row. Means over boots, weighted alike; counts are sums. */
export interface Summary {
  /** The boots that the figures rest on: those without a failure. */
  trials: number;
  /** The others. */
  failed: number;
  /** Requests a second: mean over boots. */
  throughput: number;
  /** Spread over boots, absent with one boot. */
  throughputStdev?: number;
  throughputMin: number;
  throughputMax: number;
  latencyMs?: LatencyMs;
  /** The percentiles are means of the windows' own: a window's load tool gave no more. */
  meanPercentiles?: true;
  requests: number;
  bytes?: number;
  errors?: Partial<Errors>;
  requestsPerSecond?: PerSecond;
  bytesPerSecond?: PerSecond;
  cpuPerRequestUs?: number;
  rssBytes?: number;
  foreignShare?: number;
  stealShare?: number;
  /** The load tool had used up its CPU while the server had not: the figure says nothing of the server. */
  clientBound?: true;
}

export interface RunCase extends Case {
  trials: Trial[];
  /** The share (0 to 1) of the budget after whose look it was decided, and got no more boots. */
  decidedAt?: number;
  /** Absent while no trial succeeded. */
  summary?: Summary;
}

export interface Run {
  schema: 'perf-action/run@1';
  id: string;
  /** Runs of one session were interleaved: equal rounds are neighbours in time. */
  session: string;
  startedAt: string;
  finishedAt: string;
  title?: string;
  /** Of its reports; absent: English. */
  language?: string;
  seed?: number;
  /** Which part of a run this is. */
  shard?: NonNullable<Plan['shard']>;
  preset?: string;
  relativeTo?: string;
  /** Of two sides: what the base is, by the name it was asked for; "self": the head itself. */
  against?: string;
  /** After which shares (0 to 1) of its budget or its rounds it was judged, and could have ended; each spent of the risk. */
  looks?: number[];
  /** Of a base made of stored runs: how many. A trial's `shard` then tells which one measured it. */
  pooled?: number;
  /** Of the same base: which they are, and what became of the others. */
  stored?: StoredRuns;
  /** What its gate said when it was measured; absent where it was compared with nothing. */
  gate?: Gate;
  /** mergedInto: the commit that `sha` was merged into for the measurement. */
  revision: { sha?: string; ref?: string; label?: string; dirty?: true; mergedInto?: string };
  environment: Environment;
  warnings?: Warning[];
  /** What repeats this run at home. */
  command?: string;
  /** Of a run that still goes on, or was interrupted: what finishes it; see session/resume.js. */
  unfinished?: Unfinished;
  /** How often it was interrupted and resumed. */
  resumed?: number;
  published?: Published;
  cases: RunCase[];
}

/** planned: boots; plan, sources: short digests of what is measured, sources where git knows them; options: of `run`, as given. */
export interface Unfinished {
  planned: number;
  plan: string;
  sources?: string;
  options: Record<string, string | boolean | (string | boolean)[]>;
}

export interface Gate {
  /** The cases that closed it; none where it stayed open. */
  failed: string[];
  /** Who set the label or pushed, where the site tells it; the commit, where its message says so; what it says. */
  accepted?: { who?: string; where?: string; why?: string };
}

/**
 * Why a stored run is no part of the base: it has none of the cases, or another preset; it failed its gate, and nobody
 * accepted it nor did later runs confirm it; it is of another kind of machine; enough later ones are there; it was
 * measured otherwise than the latest; it lacks the reference, so that it cannot be pooled.
 */
export type LeftOut =
  'other-cases' | 'gate-failed' | 'other-machine' | 'older' | 'before-a-change' | 'no-reference';

export interface StoredRun {
  id: string;
  startedAt: string;
  sha?: string;
}

/** The latest first. */
export interface StoredRuns {
  used: StoredRun[];
  left: (StoredRun & { why: LeftOut })[];
}

// ---------------------------------------------------------------- what it means

export type Verdict = 'regressed' | 'improved' | 'same' | 'unsure' | 'failed';

/** The id of a judged figure. */
export type MetricId = string;

/** A row of the registry of figures, samples/figures.js. */
export interface Figure {
  id: string;
  /** In English, as a sentence begins. Other languages name it by its id. */
  label: string;
  /** Its heading in the table of the noise floor; absent: it has no column there. */
  short?: string;
  /** Its heading in the table of all figures; absent: it has none, or one that every load test has. */
  column?: string;
  /** "share" is a number from 0 to 1; empty for a count. */
  unit: string;
  better?: 'more' | 'less';
  /** What one window adds to it; undefined where the window did not measure it. */
  of: (window: Window) => number | undefined;
  /** Several windows have the quotient of the sums of `of` and `per`; absent: the highest `of`. */
  per?: (window: Window) => number;
  /** Turns the quotient into the unit. */
  scale?: number;
  /** Windows that lack it are left out. Without this, one of them leaves the figure of all unknown. */
  partial?: true;
  /** How changes of it are judged; absent: it is shown only. */
  judged?: Judged;
  /** A value above this is worth a note. */
  notable?: number;
  /** Its lane in the chart over time. */
  lane?: {
    /** A key of the charts' words. */
    name: string;
    fromZero?: true;
  };
  /** Its column in the table of runtime metrics. */
  runtime?: {
    /** A key of the words of that table. */
    name: string;
  };
}

export interface Judged {
  /**
   * speed: a load test is about it, and a case is measured until one of these is decided. tail: how long single requests take.
   * resource: what the server uses. error: what went wrong, by kind and count.
   */
  role: 'speed' | 'tail' | 'resource' | 'error';
  /** Whether a change of it may fail the gate by default. */
  gate: boolean;
  /** At a fixed rate, a case is measured until this is decided. */
  decidesOpen?: true;
  /** Its part of a case's risk of a false alarm. */
  weight: number;
  /** A change up to this, in its unit, does not matter. */
  floor?: number;
  /** The step, in its unit, of tools that count it coarsely. */
  grain?: number;
  /** Lower values count as this one, since changes are quotients. */
  least?: number;
  /** Whether a faster machine has a better value of it. */
  scales: boolean;
  /** How far it moves from run to run of an unchanged server before that is learned: standard deviations of its logarithm. */
  spread: { besideReference: number; alone: number };
}

/** A figure that is judged. */
export type Metric = Figure & { better: 'more' | 'less'; judged: Judged };

/** The judged figures of one start. What was not measured is absent. */
export interface Sample {
  /** Samples of equal rounds in one session ran beside each other. */
  round: number;
  /** The machine or the stored run that measured it, where there are several. */
  shard?: number;
  /** Of all windows together, by figure. */
  whole: Partial<Record<MetricId, number>>;
  /** Of each window in order of time: equal places of one round are a pair. */
  windows: Partial<Record<MetricId, number>>[];
}

export interface MetricComparison {
  metric: MetricId;
  /** Of a case in open load: the requests per second that were asked for. */
  rate?: number;
  base?: number;
  head?: number;
  /** Head against base, its sign as measured. */
  effectPct?: number;
  ciPct?: [number, number];
  /** Its standard error, of its logarithm. */
  errorPct?: number;
  /** A change up to this, either way, counts as the same. */
  marginPct?: number;
  verdict: Verdict;
  why: Reason;
}

/**
 * Why a metric has its verdict: a code, and the numbers and names of its sentence. changed, too-coarse: in percent; moreRounds:
 * about as many would settle it; asked, achieved: requests a second, of the side that achieved less; kinds: of errors that the base had none of; message: technical text.
 */
export type Reason =
  | { code: 'inside-margin' }
  | { code: 'changed'; byPct: number; givePct: number }
  | { code: 'open'; moreRounds: number }
  | { code: 'one-boot' }
  | { code: 'few-rounds'; least: number; moreRounds: number }
  | { code: 'too-coarse'; stepPct: number }
  | { code: 'other-machine' }
  | { code: 'crowded' }
  | { code: 'rate-missed'; asked: number; achieved: number }
  | { code: 'no-errors' }
  | { code: 'new-errors'; kinds: string[] }
  | { code: 'rare-errors' }
  | { code: 'error-rate'; rounds: number; moreRounds?: number }
  | { code: 'failed'; kind: FailureKind; message: string }
  | { code: 'not-measured' };

/** Where a comparison lies outside of what its promise was tried on. */
export type Limit =
  { code: 'few-rounds'; least: number } | { code: 'few-runs'; runs: number } | { code: 'crowded' };

export interface CaseComparison {
  id: string;
  verdict: Verdict;
  metrics: MetricComparison[];
  /** Of a server measured against itself: the slowdown, in percent, that as many boots find in 95 of 100 runs. */
  findsPct?: number;
  /** Where a side has no such case. */
  only?: 'base' | 'head';
  /** Of a Node or Java server that got slower: the functions whose cost changed, the largest change first. */
  functions?: FunctionChange[];
  /** Where some are: the calls of both sides, without the smallest. */
  calls?: CallFrame[];
}

export interface Comparison {
  schema: 'perf-action/comparison@1';
  verdict: Verdict;
  /** runs: of how many stored runs it is made, where of several; the rest is the latest's. stored: which, out of a folder. */
  base: {
    id: string;
    label?: string;
    sha?: string;
    ref?: string;
    startedAt: string;
    runs?: number;
    stored?: StoredRuns;
  };
  head: { id: string; label?: string; sha?: string; ref?: string; startedAt: string };
  /** "side-by-side": one session; "stored": another run on this kind of machine; "other-machine": of another kind, which decides nothing. */
  method: 'side-by-side' | 'stored' | 'other-machine';
  /** As the run has it. */
  against?: string;
  /** The reference arm's own change: the run's noise. */
  reference?: { id: string; effectPct: number; ciPct: [number, number] };
  /** falseAlarms: the share of reports that raise one, at most; outside: why that may not hold here. */
  promise?: { falseAlarms: number; outside: Limit[] };
  warnings: Warning[];
  cases: CaseComparison[];
}

/** A search for the commit that made a case slower: bisection.json. good, bad: full names of commits. */
export interface Bisection {
  schema: 'perf-action/bisection@1';
  good: string;
  bad: string;
  /** The folder of results, from where the search was started. */
  out: string;
  /** Of every run of it, as they were given. */
  options: Record<string, string | boolean | (string | boolean)[]>;
  /** Of the report; English where absent. */
  language?: string;
  /** The case that changed most between good and bad; leastPct: the nearer end of the interval of its change. */
  wanted?: { id: string; leastPct: number };
  /** In the order they were measured; the last one is that of the commit and its parent. */
  steps: BisectStep[];
  /** Absent while it goes on. */
  outcome?: BisectOutcome;
}

/** A commit measured beside another one. */
export interface BisectStep {
  commit: string;
  base: string;
  subject: string;
  verdict: Verdict;
  case?: string;
  /** What carries the verdict. */
  change?: MetricComparison;
  promise?: Comparison['promise'];
}

/**
 * found: measured beside its parent, it is slower; not-confirmed: it is not; one-of: the rest could not be measured or told
 * apart; nothing-to-find: the two ends are not apart.
 */
export type BisectOutcome =
  | { code: 'found' | 'not-confirmed'; commit: string; parent: string }
  | { code: 'one-of'; commits: string[] }
  | { code: 'nothing-to-find'; verdict: Verdict };

/** A stored run in a line of history.jsonl: what its trend needs, for good, where the runs themselves are kept for a while. */
export interface PastRun {
  schema: 'perf-action/past-run@1';
  id: string;
  startedAt: string;
  sha?: string;
  /** Of the kind of machine. */
  fingerprint: string;
  cpuModel?: string;
  cases: PastCase[];
}

/** beside: of each metric the logarithm of its quotient by the reference's in the same run, and the standard error of that. */
export interface PastCase {
  id: string;
  server: string;
  /** Requests a second. */
  throughput: number;
  beside: Partial<Record<MetricId, { log: number; error: number }>>;
}

/** A case's metric over runs, oldest first. */
export interface Trend {
  id: string;
  server: string;
  metric: MetricId;
  points: TrendPoint[];
  steps: TrendStep[];
  /** How far neighbouring runs of one level lie apart, in percent: a standard deviation. */
  spreadPct: number;
}

export interface TrendPoint {
  run: string;
  at: string;
  sha?: string;
  fingerprint: string;
  /** Quotient by the reference's figure. */
  ratio: number;
  /** The level that it is taken to lie on, for its kind of machine. */
  level: number;
}

/**
 * Where a level ends. at: of the first point behind it; within: of the first and the last that may be that one, at 95 % confidence;
 * everywhere: all servers moved with it, so that no one of them is meant.
 */
export interface TrendStep {
  at: number;
  within: [number, number];
  better: boolean;
  effectPct: number;
  ciPct: [number, number];
  everywhere?: true;
}

/**
 * Where a process's time went while a window ran: a tree of calls, each entry's parent before it. parent: its place in the list,
 * -1 for none; file: from the server's folder, or as the runtime calls its own; line: from 1, 0 where there is none; us:
 * microseconds in the function itself.
 */
export type Profile = { parent: number; name: string; file: string; line: number; us: number }[];

/**
 * A function as it was called from somewhere, in the profiles of both sides, a parent before its children; parent: its place in
 * the list, -1 for none. In percent of what a request costs the base: with all it calls, and on its own. line: the head's.
 */
export interface CallFrame {
  parent: number;
  name: string;
  file: string;
  line: number;
  basePct: number;
  headPct: number;
  ownBasePct: number;
  ownHeadPct: number;
}

/** A function whose CPU time per request changed. In percent of what a request costs the base. line: the head's, where it is there. */
export interface FunctionChange {
  name: string;
  file: string;
  line: number;
  basePct: number;
  headPct: number;
  effectPct: number;
  ciPct: [number, number];
}
