/**
 * The data dictionary: every shape that passes from one station to the next.
 * Base units: seconds, bytes, requests a second; anything else carries its unit in its name.
 * What was not measured is absent, never 0.
 */

// ---------------------------------------------------------------- what is asked for

/** One command: a line for the shell (sh), or an argument vector, which no shell sees. */
export type Command = string | string[];

export interface Route {
  /** The path, or "METHOD /path" where the method is not GET. */
  id: string;
  method: string;
  path: string;
  /** Values, path and body may hold `${NAME}`: the caller's variable, read when the request is sent. */
  headers: Record<string, string>;
  /** Headers whose values are secret although their names do not say so. */
  secretHeaders?: string[];
  body?: string;
  /** Replaces `body`. */
  bodyFile?: BodyFile;
  /** Services that the route needs in addition to its server's. */
  needs?: string[];
  /** The correct answer; checked before any load. */
  expect: { status: number; type?: string; body?: string; json?: unknown };
}

/** A file that is sent as a request body. */
export interface BodyFile {
  /** Its path as written in the configuration. */
  name: string;
  bytes: number;
  sha256: string;
  /** Never stored or printed. */
  base64?: string;
}

/** The process that reads a configuration, as plain data. */
export interface Caller {
  environment: NodeJS.ProcessEnv;
  /** Its working directory, absolute. */
  folder: string;
  /** The cores that it may use. */
  cores: number;
}

/** A manifest with its defaults filled in, of a built-in server or the user's own. */
export interface Server {
  /** The folder's name, or the name of the inline definition. */
  id: string;
  /** Its display name. */
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
  /** The heap limit of each of its processes. */
  heapBytes?: number;
  /** The number of processors that its runtime is told to use. */
  processors?: number;
  /** Files that the server needs although git ignores them, relative to its folder. */
  copy?: string[];
  /** The caller's variables that the server gets although their names look secret. */
  passEnv?: string[];
  /** The build directory that contains `folder`, where the engine copied the sources; everything is installed and built there. */
  buildDir?: string;
  /** The user's folder that `folder` is a copy of. */
  origin?: string;
  /** The version of its runtime, like "24" or "24.9.0"; absent: the one installed. */
  version?: string;
  /** Exact versions of packages, by name, that are installed in place of the locked ones. Even with none, it gets its own copy. */
  packages?: Record<string, string>;
  /** Globs, as in a workflow file, of the files that affect it; absent: all of the repository. */
  paths?: string[];
  reference?: true;
}

/** The load on a server. */
export interface Load {
  tool: string;
  connections: number;
  /** Measured time after each start, all windows together; with `requests`, the time limit. */
  durationSeconds: number;
  /** Requests after each start, all windows together; absent: as many as fit into the duration. */
  requests?: number;
  warmupSeconds: number;
  /** The duration is measured in this many windows, each its own run of the tool; absent: as the conductor splits it. */
  windows?: number;
  keepAlive: boolean;
  pipelining: number;
  /** Requests per second over all connections; absent: unlimited. */
  rate?: number;
  threads: number;
  /** Processes of the load tool; absent: one. */
  processes?: number;
  /** Workers of the load tool, on any machine, that must join first; absent: it sends the load itself. */
  workers?: number;
  /** The address at which workers on other machines reach this one; absent: all run here. */
  host?: string;
  /** A script of the load tool, relative to the working directory; absent: one request, repeated. */
  script?: string;
}

/** How a server is deployed while it is measured. */
export interface Deployment {
  /** Processes of the server. */
  instances: number;
  /** What runs them: a row of deploy/topology/managers.js; absent: the usual one. */
  manager?: string;
  /** How requests reach the server: a row of deploy/topology/proxies.js; absent: directly. */
  proxy?: string;
}

/** Everything that tells cases of one route apart: its fields are rows of dimensions.js. */
export type Conditions = Load & Deployment;

/** The verdicts that make the exit code 1. */
export type FailOn = 'regressed' | 'unsure' | 'never';

/** A bound that every case it names must keep, whatever it is compared with. */
export interface LimitRule {
  metric: MetricId;
  /** In the figure's unit: the most, or the least of a figure of which more is better. */
  bound: number;
  /** It applies to cases with this fixed rate, in requests per second. */
  rate?: number;
  /** An id, with or without the version of its runtime; absent: any but the reference. */
  server?: string;
  /** As reports name it; absent: any. */
  route?: string;
}

/** The settings of a run: perf.yml, the preset and the flags, merged and checked. */
/** Options by name, as given: several texts where an option may be repeated. */
export type Asked = Record<string, string | boolean | (string | boolean)[] | undefined>;

export interface Config {
  /** The options that it was read from: the command that repeats the run has them, and another checkout is read with them. */
  asked: Asked;
  title: string;
  /** The language of the reports; absent: English. */
  language?: string;
  /** The preset's id, where one was used. */
  preset?: string;
  /** The perf.yml that was read, absolute. */
  file?: string;
  /** In the order given; without the reference, unless it was named. */
  servers: Server[];
  reference?: Server;
  /** The server that ratios are relative to ("4.9x Express"). */
  relativeTo?: string;
  /** Replaces method, headers or body of every route. */
  request: Partial<Pick<Route, 'method' | 'headers' | 'secretHeaders' | 'body'>>;
  /** All measured cases, and the reference under every load. */
  cases: Case[];
  /** Absent: until every case is decided, or the budget is used up. */
  rounds?: number;
  /** Limit for measuring and explaining. */
  budgetSeconds?: number;
  seed: number;
  /** The most servers that run at the same time; absent: as many as fit in memory. */
  maxRunning?: number;
  /** Servers are also observed from inside, where their runtime has such an observer. */
  runtimeMetrics?: true;
  /** Servers that got slower are profiled. */
  explain?: true;
  /** The part of the cases that this machine measures, from 1. */
  shard?: { index: number; of: number };
  baseline?: string;
  against?: string;
  /** The commit that is measured in place of the working tree. */
  commit?: string;
  out: string;
  /** Finishes the interrupted run in `out`. */
  resume?: true;
  /** The share within which a change counts as the same. */
  margin: number;
  /** Margins of single metrics. */
  margins?: Partial<Record<MetricId, number>>;
  failOn: FailOn;
  /** Gates of single metrics; failOn applies to the others. */
  gates?: Partial<Record<MetricId, FailOn>>;
  limits?: LimitRule[];
  /** Globs, as in a workflow file, of files whose changes affect no server. */
  ignore: string[];
  /** Figures that others published for this experiment. */
  published?: Published;
}

export interface Published {
  source: string;
  conditions: string;
  /** One server under several loads; `load` holds the fields that differ. Requests per second; a range as from and to. */
  loads?: { load: Partial<Conditions>; throughput: number | [number, number] }[];
  /** By server id, or by server id and route ("webman /db"), which takes precedence. */
  servers?: Record<string, { throughput: number | [number, number] }>;
}

// ---------------------------------------------------------------- the plan

export interface Case extends Deployment {
  /** Stable over runs: server, route, tool and every part of the load that is not the default. */
  id: string;
  server: string;
  serverName: string;
  route: string;
  /** Its server has other routes. */
  oneOfRoutes?: true;
  /** Stored without its secrets, see secrets/secrets.js. */
  request: Pick<Route, 'method' | 'path' | 'headers' | 'secretHeaders' | 'body' | 'bodyFile'> & {
    /** Outside 2xx: the only status that is no error. Absent: any 2xx is none. */
    expectedStatus?: number;
  };
  load: Load;
  /** Cores that the load tool can keep busy; absent: its threads. */
  clientCores?: number;
  /** Cores that the server can keep busy; absent: one. */
  serverCores?: number;
  reference?: true;
  /** The warm-up lasts until throughput levels off. */
  untilLevel?: true;
  /** The warm-up lasts until this many requests were answered, at most three times its duration. */
  warmupRequests?: number;
}

/** One side of a comparison measured side by side; a plain run has one. */
export interface Side {
  label: string;
  /** By id; a case whose server or route is missing is not measured on this side. */
  servers: Record<string, Server>;
  /** Absent: that of the working directory. */
  revision?: Run['revision'];
  /** Exact versions of packages, and versions of runtimes, by name, that differ from those of the revision. */
  versions?: Record<string, string>;
}

export interface Plan {
  title: string;
  sides: Side[];
  cases: Case[];
  /** The number of rounds, or the number expected where budget and verdicts end the run. */
  rounds: number;
  untilDecided?: true;
  /** order[round] lists the groups of servers that run together; a budget may end it early. */
  order: Step[][][];
  seed: number;
  maxRunning?: number;
  /** The part of one machine of several. */
  shard?: {
    index: number;
    of: number;
    /** The case ids of the whole plan, without the reference's, which every machine measures. */
    cases: string[];
  };
  /** Start times in earlier runs, by server id. */
  startupSeconds?: Record<string, number>;
  /** Start, warm-up and load of every trial; at most the budget. */
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

/** Distribution of a per-second series, as autocannon prints it. */
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
  /** Requests whose connection was closed before they were answered. */
  resets?: number;
  /** Requests that had no answer when the window ended, after waiting for most of it. */
  stalls?: number;
  /** Requests that the load tool or its script reports as failed, without a reason. */
  failed?: number;
  /** Failed checks of a script. */
  checks?: number;
}

export interface Cpu {
  /** CPU seconds (user + system) of the server's whole process group during the window. */
  serverSeconds: number;
  /** CPU seconds of the load tool. */
  clientSeconds: number;
  /** Share (0 to 1) of the machine's CPU capacity that other programs used. */
  foreignShare: number;
  stealShare: number;
  /** CPU seconds of the proxy before the server; not part of serverSeconds. */
  proxySeconds?: number;
  /** CPU seconds of the services that the engine started for the server. */
  servicesSeconds?: number;
  /** CPU seconds of the servers that waited for their turn. */
  waitingSeconds?: number;
}

/** One run of the load tool. `seconds` and `requests` alone are enough to compare. */
export interface Window {
  /** Start of the window: seconds since the measurement began. */
  at?: number;
  seconds: number;
  requests: number;
  bytes?: number;
  latencyMs?: LatencyMs;
  errors?: Partial<Errors>;
  /** Of answers whose status was not the expected one: how many had which. */
  wrongStatuses?: Record<string, number>;
  /** The rate of this window, in requests per second, where a search for the capacity sets it. */
  rate?: number;
  /** The highest rate of a single second. */
  peakRequestsPerSecond?: number;
  /** A script's thresholds that were crossed: "http_req_duration: p(95)<200". */
  thresholdsMissed?: string[];
  /** Workers of the load tool that were gone before its end. */
  workersLost?: number;
  requestsPerSecond?: PerSecond;
  bytesPerSecond?: PerSecond;
  cpu?: Cpu;
  /** Names of the busiest other processes, where they used too much of the machine; busiest first. */
  others?: string[];
  /** CPU seconds of each process of a server with several, without their manager; busiest first. */
  instanceSeconds?: number[];
  /** Highest resident memory of the server's process group in the window. */
  rssBytes?: number;
  /** One per process, of a profiled start; never stored. */
  profiles?: Profile[];
  /** Delay of timers in a Node server's event loop; of several busy processes, the longest. */
  eventLoopDelayMs?: { p50: number; p99: number; max: number };
  /** Share (0 to 1) of the window in which the busiest process's event loop was active. */
  eventLoopUtilisation?: number;
  /** Garbage collections of all processes. */
  gc?: {
    count: number;
    /** The sum of all pauses. */
    pauseMs: number;
    longestMs: number;
  };
  /** Heap in use, all processes together: of Node at the end of the window, of Java the highest seen in it. */
  heapBytes?: number;
  /** A Java server's figures at the end of the window, all JVMs together. */
  jvm?: {
    metaspaceBytes: number;
    threads: number;
    classes: number;
    /** Time that the JIT compilers worked during the window. */
    compileMs: number;
  };
  /** Mean resident memory over the window. */
  rssMeanBytes?: number;
  /** Growth of resident memory: the median slope between samples; negative where it shrank. */
  rssBytesPerSecond?: number;
}

/** Latencies: `counts[n]` requests took `us[n]` microseconds; `us` ascends. */
export interface Latencies {
  us: number[];
  counts: number[];
}

/** A window as the load tool reports it; a trial keeps the latencies of all its windows together. */
export interface LoadedWindow extends Window {
  /** Absent where the tool gives only percentiles. */
  latencies?: Latencies;
  /** The load tool's CPU seconds for this server, where it loads several alternately. */
  clientSeconds?: number;
  /** How long each request had waited that had no answer when the window ended; the runner decides which of them stalled. */
  unansweredMs?: number[];
}

export type FailureKind =
  | 'install-failed'
  | 'build-failed'
  | 'service-failed'
  | 'exited-at-start'
  | 'port-taken'
  | 'never-ready'
  | 'wrong-answer'
  | 'died-under-load'
  | 'too-slow'
  | 'load-tool-crashed'
  | 'load-tool-hung'
  | 'clock-stepped'
  | 'cancelled';

export interface Failure {
  kind: FailureKind;
  message: string;
  /** The first lines that report an error, where `logTail` does not contain them. */
  logHead?: string[];
  /** The last lines the server (or the tool) printed. */
  logTail?: string[];
  /** The command that reproduces it, from the working directory of the run. */
  command?: string;
}

/** The warm-up of a trial, in windows. */
export interface Warmup {
  /** Throughput no longer rose at its end. */
  level: boolean;
  windows: Pick<Window, 'at' | 'seconds' | 'requests' | 'jvm'>[];
}

/** What a server took until it was ready. */
export interface Startup {
  ms: number;
  /** CPU time: of the processes' first threads where the runtime works in one thread, else of all. */
  cpuMs: number;
  rssBytes: number;
  /** It started together with the other sides, on one core: only its CPU time is compared. */
  sharesCore?: true;
}

/** What an answer is, apart from what it says. */
export interface Answer {
  status: number;
  /** The media type, without parameters. */
  type?: string;
  /** The content encoding. */
  encoding?: string;
  /** Of the body, decoded. */
  bytes: number;
  /** It ends its connection, and says so by a header or by having no length. */
  closes?: 'announced' | 'undelimited';
}

/** One start of a server, and the windows measured after it. */
export interface Trial {
  /** Trials of one session with equal rounds ran together, or one after the other where that was impossible. */
  round: number;
  /** The shard of a merged run, or the stored run of a pooled base: trials with equal numbers shared a machine. */
  shard?: number;
  startupMs?: number;
  /** The start that is measured under load, unless it was the first of a run, and those after it. */
  startups?: Startup[];
  /** The port that the server used instead of the one it was given. */
  fixedPort?: number;
  failure: Failure | null;
  /** What was answered on the measured route before and after the load, and how often. */
  answers?: (Answer & { times: number })[];
  /** Present where the warm-up lasted until throughput levelled off. */
  warmup?: Warmup;
  windows: Window[];
  /** All requests of all windows, to three digits. */
  latencies?: Latencies;
  /** The server was still at work when a window had waited so long for it to be idle. */
  busySeconds?: number;
  /** Mean share of a core that the server used while it waited for its turn. */
  waitingShare?: number;
  /** Its first thread and those of the servers it was compared with used one core. */
  sharesCore?: true;
}

export interface Environment {
  cpuModel: string;
  cores: number;
  memoryBytes: number;
  os: string;
  kernel: string;
  /** "github-hosted", "self-hosted" or "local". */
  runner: string;
  /** Versions by name: { node: "24.1.0" }. */
  runtimes: Record<string, string>;
  tools: Record<string, string>;
  /** Equal where absolute figures may be compared. */
  fingerprint: string;
}

/** A code and its facts, which the report turns into a sentence. */
export interface Warning {
  code: string;
  /** Technical text, printed where no language knows the code. */
  message?: string;
  case?: string;
  [fact: string]: unknown;
}

/** A case's trials in one row: means over trials, weighted equally; counts are sums. */
export interface Summary {
  /** Trials without a failure, which the figures rest on. */
  trials: number;
  /** Trials with a failure. */
  failed: number;
  /** Requests per second: mean over trials. */
  throughput: number;
  /** Standard deviation over trials; absent with one trial. */
  throughputStdev?: number;
  throughputMin: number;
  throughputMax: number;
  latencyMs?: LatencyMs;
  /** The percentiles are means of the windows' percentiles, as the load tool gives no histogram. */
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
  /** The load tool, not the server, was the bottleneck: the figures describe the tool. */
  clientBound?: true;
}

export interface RunCase extends Case {
  trials: Trial[];
  /** The share (0 to 1) of the budget at whose look the case was decided and no longer measured. */
  decidedAt?: number;
  /** Of a joined run: the looks of the machine that measured it. */
  looks?: number[];
  /** Absent where no trial succeeded. */
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
  /** The language of its reports; absent: English. */
  language?: string;
  seed?: number;
  /** The part of a run that this is. */
  shard?: NonNullable<Plan['shard']>;
  preset?: string;
  relativeTo?: string;
  /** The base of a side-by-side run as the user named it; "self": the head itself. */
  against?: string;
  /** Shares (0 to 1) of the budget or the rounds after which the run was judged; each look spends part of the risk. */
  looks?: number[];
  /** The number of stored runs that a pooled base is made of. */
  pooled?: number;
  /** The stored runs of a pooled base, and those left out. */
  stored?: StoredRuns;
  /** The result of its gate; absent where it was compared with nothing. */
  gate?: Gate;
  /** Whether its cases keep the limits in perf.yml; absent where there are none. */
  limits?: LimitResult[];
  revision: {
    sha?: string;
    ref?: string;
    /** When `sha` was committed, ISO 8601; absent where the checkout lacks the commit. Stored runs have this order. */
    committedAt?: string;
    label?: string;
    /** The checkout had uncommitted changes. */
    dirty?: true;
    /** The commit that `sha` was merged into for the measurement. */
    mergedInto?: string;
    /** Packages and runtimes that were measured at other versions than it has: { fastify: "5.2.0" }. */
    versions?: Record<string, string>;
  };
  environment: Environment;
  warnings?: Warning[];
  /** The command that repeats this run locally. */
  command?: string;
  /** What `run --resume` needs to finish an interrupted run, see session/resume.js. */
  unfinished?: Unfinished;
  /** How often the run was resumed. */
  resumed?: number;
  published?: Published;
  cases: RunCase[];
}

export interface Unfinished {
  /** The number of planned trials. */
  planned: number;
  /** A digest of the plan. */
  plan: string;
  /** A digest of the sources, where git tracks them. */
  sources?: string;
  /** The options of `run`, as given. */
  options: Record<string, string | boolean | (string | boolean)[]>;
}

export interface Gate {
  /** Ids of the cases that failed it. */
  failed: string[];
  /** A regression that somebody accepted. */
  accepted?: {
    /** Who set the label or pushed the commit, where GitHub says so. */
    who?: string;
    /** The commit whose message accepts it. */
    where?: string;
    /** The reason given. */
    why?: string;
  };
}

/** Whether a case keeps a limit, judged by an interval over its starts. */
export interface LimitResult extends Pick<LimitRule, 'metric' | 'bound' | 'rate'> {
  case: string;
  /** In the figure's unit; absent where it was not measured. */
  value?: number;
  interval?: [number, number];
  /** passes: the whole interval is within the limit; fails: it is wholly beyond. */
  verdict: 'passes' | 'fails' | 'unsure';
  why?: LimitReason;
}

/** Why a limit is unsure. */
export type LimitReason =
  | { code: 'not-measured' }
  | { code: 'one-start' }
  /** The limit lies inside the interval. */
  | { code: 'open' }
  /** The load tool, and not the server, was the bottleneck. */
  | { code: 'client-bound' }
  /** Other programs used much of the machine in most windows. */
  | { code: 'disturbed' }
  | { code: 'rate-missed'; asked: number; achieved: number };

/** Why a stored run is not part of the base. */
export type LeftOut =
  /** It has none of the cases, or another preset. */
  | 'other-cases'
  /** Its gate failed, nobody accepted it, and later runs did not confirm it. */
  | 'gate-failed'
  | 'other-machine'
  /** There are enough later runs. */
  | 'older'
  /** It was measured in another way than the latest. */
  | 'before-a-change'
  /** It lacks the reference, so it cannot be pooled. */
  | 'no-reference';

export interface StoredRun {
  id: string;
  startedAt: string;
  sha?: string;
}

/** Latest first. */
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
  read: (window: Window) => number | undefined;
  /** Its value for a start, of which windows say nothing. */
  readStart?: (startup: Partial<Startup>) => number | undefined;
  /** Several windows have the quotient of the sums of `read` and `per`; absent: the highest `read`. */
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
    /** A key of the charts' words; the figure's label where they have no such key. */
    name: string;
    fromZero?: true;
    /** The figure that says how fast this one grows. */
    slope?: string;
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
   * resource: what the server uses. error: what went wrong, by kind and count. startup: what it takes until it is ready.
   */
  role: 'speed' | 'tail' | 'resource' | 'error' | 'startup';
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
  /** When its first window began, in seconds since the run began. */
  at?: number;
  /** Of all windows together, by figure. */
  whole: Partial<Record<MetricId, number>>;
  /** Of each window in order of time: equal places of one round are a pair. */
  windows: Partial<Record<MetricId, number>>[];
  /** Of each start, in order. */
  startups: Partial<Record<MetricId, number>>[];
}

export interface MetricComparison {
  metric: MetricId;
  /** The requested rate of an open loop, in requests per second. */
  rate?: number;
  base?: number;
  head?: number;
  /** Head relative to base, with its sign as measured: throughput -5 is 5 % slower. */
  effectPct?: number;
  ciPct?: [number, number];
  /** The standard error of its logarithm. */
  errorPct?: number;
  /** Changes up to this, in either direction, count as the same. */
  marginPct?: number;
  verdict: Verdict;
  why: Reason;
}

/**
 * Why a metric has its verdict: a code, and the numbers of its sentence. `moreRounds` would settle it, approximately; `asked` and
 * `achieved` are requests per second, `achieved` on the slower side; `kinds` are errors that only the head has.
 */
export type Reason =
  | { code: 'inside-margin' }
  | { code: 'changed'; byPct: number; givePct: number }
  | { code: 'tenfold'; byPct: number }
  | { code: 'open'; moreRounds: number }
  | { code: 'one-start' }
  | { code: 'one-run' }
  | { code: 'few-rounds'; least: number; moreRounds: number }
  | { code: 'too-coarse'; stepPct: number }
  | { code: 'other-machine' }
  | { code: 'crowded' }
  | { code: 'client-bound' }
  | { code: 'rate-missed'; asked: number; achieved: number }
  | { code: 'no-errors' }
  | { code: 'new-errors'; kinds: string[] }
  | { code: 'rare-errors' }
  | { code: 'too-slow'; side: 'base' | 'head'; message: string }
  | { code: 'error-rate'; rounds: number; moreRounds?: number }
  | { code: 'failed'; kind: FailureKind; message: string }
  | { code: 'not-measured' };

/** Why the promised rate of false alarms may not hold for a comparison. */
export type Limit =
  { code: 'few-rounds'; least: number } | { code: 'few-runs'; runs: number } | { code: 'crowded' };

export interface CaseComparison {
  id: string;
  verdict: Verdict;
  /** The figure that decided it; absent where a side lacks the case. */
  decisive?: MetricId;
  metrics: MetricComparison[];
  /** A server against itself: the slowdown, in percent, that this many starts find in 95 of 100 runs. */
  findsPct?: number;
  /** What differs between the sides' answers, of what each side's have in common; absent: nothing. */
  answer?: Record<'base' | 'head', Partial<Answer>>;
  /** The only side that has the case. */
  only?: 'base' | 'head';
  /** Functions of a slower Node or Java server whose cost changed, largest change first. */
  functions?: FunctionChange[];
  /** The call tree of both sides, without the smallest calls; present with `functions`. */
  calls?: CallFrame[];
}

export interface Comparison {
  schema: 'perf-action/comparison@1';
  verdict: Verdict;
  /** Of a pooled base, the latest run. */
  base: {
    id: string;
    label?: string;
    sha?: string;
    ref?: string;
    /** Packages and runtimes that had other versions than in that commit: { fastify: "5.2.0" }. */
    versions?: Record<string, string>;
    startedAt: string;
    /** The number of stored runs that it is made of, where there are several. */
    runs?: number;
    /** Which stored runs of a folder were used. */
    stored?: StoredRuns;
  };
  head: { id: string; label?: string; sha?: string; ref?: string; startedAt: string };
  /** One session; another run on this kind of machine; or a run of another kind, which decides nothing. */
  method: 'side-by-side' | 'stored' | 'other-machine';
  /** The base as the user named it. */
  against?: string;
  /** What differs between the machines or the days of two runs that were measured apart. */
  differs?: { fact: string; base: string; head: string }[];
  /** The change of the reference, which no commit affects: the noise of the run. */
  reference?: { id: string; effectPct: number; ciPct: [number, number] };
  promise?: {
    /** The highest share of reports that raise a false alarm. */
    falseAlarms: number;
    /** Why that may not hold here. */
    outside: Limit[];
  };
  warnings: Warning[];
  cases: CaseComparison[];
}

/** A search for the commit that made a case slower: bisection.json. */
export interface Bisection {
  schema: 'perf-action/bisection@1';
  /** A full SHA, as `bad`. */
  good: string;
  bad: string;
  /** Present where packages are searched: what moved in each commit, in order. */
  packages?: Record<string, string>;
  /** The results folder, relative to where the search was started. */
  out: string;
  /** The options of each of its runs, as given. */
  options: Record<string, string | boolean | (string | boolean)[]>;
  /** The language of the report; absent: English. */
  language?: string;
  /** The case that changed most between good and bad. */
  wanted?: {
    id: string;
    /** The end of the interval of its change that is nearer to zero. */
    leastPct: number;
  };
  /** In the order they were measured; the last compares the commit with its parent. */
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
  /** The metric that decided the verdict. */
  change?: MetricComparison;
  promise?: Comparison['promise'];
}

export type BisectOutcome =
  /** Whether the commit is slower than its parent when both are measured side by side. */
  | { code: 'found' | 'not-confirmed'; commit: string; parent: string }
  /** The commits that could not be measured or distinguished. */
  | { code: 'one-of'; commits: string[] }
  /** The two ends do not differ. */
  | { code: 'nothing-to-find'; verdict: Verdict };

/** The memory of a server after a forced garbage collection, over all its processes. */
export interface MemoryReading {
  /** Seconds since the first load began. */
  at: number;
  /** Requests answered since then. */
  requests: number;
  heapBytes: number;
  /** Memory of objects outside the heap, such as buffers. */
  externalBytes: number;
  rssBytes: number;
}

/** An estimate with its 95 % interval. */
export interface Rate {
  value: number;
  ci: [number, number];
}

/** Whether memory that a collection leaves grows, and with what. */
export interface Leak {
  verdict: 'leaks' | 'does-not-leak' | 'unsure';
  /** Absent where nothing leaks for sure, or where neither requests nor time explain it for sure. */
  growsWith?: 'requests' | 'time' | 'both';
  /** Why it is unsure: too few readings, growth that gets slower, or an interval that is too wide. */
  why?: 'few-readings' | 'fading' | 'too-wide';
  /** The index of the first reading that counts; those before it are the warm-up. */
  from: number;
  /** Over phases of load and of rest. */
  bytesPerHour?: Rate;
  bytesPerRequest?: Rate;
  /** What each hour without a request adds. */
  idleBytesPerHour?: Rate;
}

/** The result of a soak: soak.json. */
export interface Soak extends Leak {
  schema: 'perf-action/soak@1';
  /** The id of the run in run.json beside it. */
  run: string;
  /** The id of the case. */
  case: string;
  /** The language of the report; absent: English. */
  language?: string;
  /** The growth per hour that counts as none. */
  leastBytesPerHour: number;
  /** Alternately after load and after rest. */
  readings: MemoryReading[];
}

/** A line of history.jsonl: the figures of a stored run that its trend needs, kept after the run itself is deleted. */
export interface PastRun {
  schema: 'perf-action/past-run@1';
  id: string;
  startedAt: string;
  /** See Run. */
  committedAt?: string;
  sha?: string;
  /** Identifies the kind of machine. */
  fingerprint: string;
  cpuModel?: string;
  cases: PastCase[];
}

export interface PastCase {
  id: string;
  server: string;
  /** Requests per second. */
  throughput: number;
  /** Per metric, the logarithm of its ratio to the reference in the same run, and the standard error of that. */
  beside: Partial<Record<MetricId, { log: number; error: number }>>;
}

/** A case's metric over runs, oldest first. */
export interface Trend {
  id: string;
  server: string;
  metric: MetricId;
  points: TrendPoint[];
  steps: TrendStep[];
  /** Standard deviation of neighbouring runs of one level, in percent; absent where too few runs show it, or a step. */
  spreadPct?: number;
}

export interface TrendPoint {
  run: string;
  at: string;
  sha?: string;
  fingerprint: string;
  /** The figure divided by the reference's. */
  ratio: number;
  /** The estimated level of its kind of machine at this point. */
  level: number;
}

/** The end of a level. */
export interface TrendStep {
  /** The index of the first point of the next level. */
  at: number;
  /** The first and the last index that it may have, at 95 % confidence. */
  within: [number, number];
  better: boolean;
  effectPct: number;
  ciPct: [number, number];
  /** All servers moved together, so the cause is not in one of them. */
  everywhere?: true;
}

/** The CPU time of a process during a window, as a call tree: each entry follows its parent. */
export type Profile = {
  /** The parent's index; -1 for none. */
  parent: number;
  name: string;
  /** Relative to the server's folder, or a name of the runtime's own code. */
  file: string;
  /** From 1; 0 where unknown. */
  line: number;
  /** Microseconds in the function itself. */
  us: number;
}[];

/** A function called from one place, in the profiles of both sides; shares are in percent of the base's cost of a request. */
export interface CallFrame {
  /** The parent's index, which is smaller; -1 for none. */
  parent: number;
  name: string;
  file: string;
  /** The line on the head's side. */
  line: number;
  /** With everything that it calls. */
  basePct: number;
  headPct: number;
  /** Without what it calls. */
  ownBasePct: number;
  ownHeadPct: number;
}

/** A function whose CPU time per request changed, in percent of the base's cost of a request. */
export interface FunctionChange {
  name: string;
  file: string;
  /** The line on the head's side, where it exists there. */
  line: number;
  basePct: number;
  headPct: number;
  effectPct: number;
  ciPct: [number, number];
}
