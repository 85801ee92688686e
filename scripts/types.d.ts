/**
 * The data dictionary: every shape that passes from one station to the next. Base units: seconds, bytes,
 * requests a second; anything else carries its unit in its name. What was not measured is absent, never 0.
 * The types of stored files are generated from the schemas in `store`.
 */

import type {
  Bisection,
  CaseRequest,
  Latencies,
  Load,
  Published,
  Run,
  RunCase,
  Shard,
  Soak,
  Startup,
  Verdict,
  Window,
} from './generated/stored.js';

export * from './generated/stored.js';

/** Fields that are never stored. */
declare module './generated/stored.js' {
  interface BodyFile {
    base64?: string;
  }
  interface RequestData {
    rows?: Row[];
  }
  interface Window {
    /** One per process, of a profiled start. */
    profiles?: Profile[];
  }
}

// ---------------------------------------------------------------- what is asked for

/** One command: a line for the shell (sh), or an argument vector, which no shell sees. */
export type Command = string | string[];

/** What one request is filled with, by name. */
export type Row = Record<string, unknown>;

/** Values, path and body may hold `${NAME}`: the caller's variable, read when the request is sent. */
export interface Route extends Omit<CaseRequest, 'expectedStatus'> {
  /** The path, or "METHOD /path" where the method is not GET. */
  id: string;
  /** Headers whose values are secret although their names do not say so; absent once they hide themselves. */
  secretHeaders?: string[];
  /** Services that the route needs in addition to its server's. */
  needs?: string[];
  /** The correct answer; checked before any load. */
  expect: { status: number; type?: string; body?: string; json?: unknown };
}

/** A request whose answer gives `${token}`: at a place in its JSON, like `data.token`, or in a header. */
export type Login = Route & { token: { json?: string; header?: string } };

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
  /** Runs once on each side, after its services and before its first start. */
  setup?: Command;
  start: Command;
  /** isAny: whatever is answered there will do. */
  ready: { path: string; timeoutSeconds: number; isAny?: true };
  routes: Route[];
  /** Asked once after each start. */
  before?: Login;
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
  /** Contains `folder`: the engine copied the sources there, and everything is installed and built there. */
  buildDir?: string;
  /** The user's folder that `folder` is a copy of. */
  origin?: string;
  /** The version of its runtime, like "24" or "24.9.0"; absent: the one installed. */
  version?: string;
  /** Exact versions of packages in place of the locked ones, by name. Even with none, it gets a copy. */
  packages?: Record<string, string>;
  /** Packages that replace the installed ones of their names. With them, it gets its own copy. */
  library?: Library;
  /** Globs, as in a workflow file, of the files that affect it; absent: all of the repository. */
  paths?: string[];
  reference?: true;
}

/** Packages of one state of a repository, or of a tarball, in a build directory. */
export interface Library {
  buildDir: string;
  /** Those that others depend on come first. */
  packages: LibraryPackage[];
  /** The library of the other side: dependencies keep its versions where their ranges allow it. */
  like?: Library;
}

export interface LibraryPackage {
  name: string;
  /** Relative to the tree; absent for a tarball. */
  folder?: string;
  /** Absolute. */
  tarball?: string;
  /** It is installed only inside of the packages that depend on it. */
  beside?: true;
}

/** How a server is deployed while it is measured: rows of deploy/topology/managers.js and proxies.js. */
export type Deployment = Pick<RunCase, 'instances' | 'manager' | 'proxy'>;

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
  /** An id; absent: any but the reference. */
  server?: string;
  /** As reports name it; absent: any. */
  route?: string;
}

/** Options by name, as given: several texts where an option may be repeated. */
export type Asked = Record<string, string | boolean | (string | boolean)[] | undefined>;

/** The settings of a run: perf.yml, the preset and the flags, merged and checked. */
export interface Config {
  /** Options it was read from, as the command that repeats a run has; another checkout is read with them. */
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
  /** All measured cases, and the reference under every load. */
  cases: Case[];
  /** As somebody set them, or the default. */
  rounds: number;
  /** Limit for measuring and explaining. */
  budgetSeconds?: number;
  /** Times that nobody set, with their defaults: the plan may change them. */
  free?: {
    rounds?: true;
    warmupSeconds?: number;
    /** Absent also where windows, requests or a scale are set. */
    durationSeconds?: number;
  };
  seed: number;
  /** The most servers that run at the same time; absent: as many as fit in memory. */
  maxRunning?: number;
  /** Servers are also observed from inside, where their runtime has such an observer. */
  runtimeMetrics?: true;
  /** What costs something to count is counted, too. */
  counts?: true;
  /** Servers that got slower are profiled. */
  explain?: true;
  controls?: true;
  /** The part of the cases that this machine measures, from 1. */
  shard?: { index: number; of: number };
  baseline?: string;
  /** The preset's folder of stored runs, absolute: shown last, they decide nothing. */
  presetRuns?: string;
  against?: string;
  /** The commit that is measured in place of the working tree. */
  commit?: string;
  out: string;
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
  /** Folders of packages that replace the installed ones of their names, absolute. */
  library?: string[];
  /** Figures that others published for this experiment. */
  published?: Published;
}

// ---------------------------------------------------------------- the plan

export type Case = Omit<RunCase, 'trials' | 'decidedAt' | 'looks' | 'summary'>;

/** One side of a comparison measured side by side; a plain run has one. */
export interface Side {
  label: string;
  /** By id; a case whose server or route is missing is not measured on this side. */
  servers: Record<string, Server>;
  /** Absent: that of the working directory. */
  revision?: Run['revision'];
  /** Exact versions of packages and runtimes, by name, that differ from those of the revision. */
  versions?: Record<string, string>;
}

export interface Plan {
  title: string;
  sides: Side[];
  cases: Case[];
  /** The number of rounds, or the number expected where budget and verdicts end the run. */
  rounds: number;
  untilDecided?: true;
  /** What gets slower is profiled, within the budget. */
  explains?: true;
  /** Somebody, a default (its windows may be fitted into a budget), or the verdict a budget waits for. */
  roundsBy: 'set' | 'default' | 'limits' | 'fitted' | 'verdict';
  /** order[round] lists the groups of servers that run together; a budget may end it early. */
  order: Step[][][];
  seed: number;
  maxRunning?: number;
  /** What routes execute, asked before the first load, makes some cases controls; false: no Node server. */
  isScouted?: boolean;
  /** The part of one machine of several. */
  shard?: Shard;
  /** Seconds of a start beside its load in an earlier run, by case id. */
  besideSeconds?: Record<string, number>;
  /** Start, warm-up and load of every trial; at most the budget. */
  estimateSeconds: number;
  /** Infinity without a budget. */
  budgetSeconds: number;
  timetable: Timetable;
}

/** When everything happens; what no budget limits is Infinity. */
export interface Timetable {
  roundSeconds: number;
  /** By case id; mostSeconds: of one window of a slow server, 0 where its windows are set. */
  windows: Record<string, { count: number; seconds: number; mostSeconds: number }>;
  /** Of a round's controls, which later rounds go on with. */
  mostControlsSeconds: number;
  /** Of a slow server; 0 without a budget: no longer than all of its windows together. */
  longestWindowSeconds: number;
  /** Of servers that warm up until they are level. */
  longestWarmUpSeconds: number;
  /** For the pairs of starts that a gate asks for. */
  mostReservedSeconds: number;
  /** Kept for the profiled run while a case looks slower; 0 where nothing is explained, or it cannot fit. */
  explainSeconds: number;
}

/** A case on a side: one object, however often a plan starts it. */
export interface Step {
  side: Side;
  case: Case;
}

/** What was measured of each step of a plan, in the order of its cases and sides. */
export type Trials = Map<Step, Trial[]>;

// ---------------------------------------------------------------- what was measured

/** A window as the load tool reports it; a trial keeps the latencies of all its windows together. */
export interface LoadedWindow extends Window {
  /** Absent where the tool gives only percentiles. */
  latencies?: Latencies;
  /** The load tool's CPU seconds for this server, where it loads several alternately. */
  clientSeconds?: number;
  /** How long requests without an answer had waited at the window's end; the runner decides which stalled. */
  unansweredMs?: number[];
  /** Its streams were still running when it ended, and were ended, too. */
  outlasted?: true;
}

/** Whether memory that a collection leaves grows, and with what. */
export type FinishedBisection = Bisection & Required<Pick<Bisection, 'outcome'>>;

export type Leak = Omit<Soak, 'schema' | 'run' | 'case' | 'language' | 'leastBytesPerHour' | 'readings'>;

// ---------------------------------------------------------------- what it means

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
  /** A pull request gets this column, too. */
  few?: true;
  /** Only servers of these runtimes have it; absent: all. */
  runtimes?: string[];
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
  /** Of a count: how often which kind was counted. */
  kinds?: (window: Window) => Record<string, number> | undefined;
  /** A value above this is worth a note. */
  notable?: number;
  /** Its lane in the chart over time. */
  lane?: {
    /** Absent: the figure's heading. */
    name?: 'others';
    fromZero?: true;
    /** The figure that says how fast this one grows. */
    slope?: string;
  };
  /** Its column in the table of runtime metrics: a key of the words of that table. */
  runtime?: string;
}

export interface Judged {
  /**
   * speed: a load test is about it, and a case is measured until one of these is decided. tail: how long
   * single requests take. resource: what the server uses. count: what a request causes, whatever the machine
   * does. error: what went wrong, by kind and count. startup: what it takes until it is ready.
   */
  role: 'speed' | 'tail' | 'resource' | 'count' | 'error' | 'startup';
  /** Whether a change of it may fail the gate by default. */
  gate: boolean;
  /** A case at a fixed rate, or of streams, is measured until this is decided. */
  decides?: 'open' | 'stream';
  /** Its part of a case's risk of a false alarm. */
  weight: number;
  /** Pairs of starts on one core show it, which come after all rounds; rounds show the others. */
  inPairs?: true;
  /** A change up to this, in its unit, does not matter. */
  floor?: number;
  /** Its margin, where none is set for it; absent: that of all figures. */
  margin?: number;
  /**
   * What a start counted without load; undefined where it did not look. Where it is there, the figure is a
   * whole number of things: changes are differences instead of quotients, and it may be exact.
   */
  idle?: (trial: Trial) => number | undefined;
  /** The step, in its unit, of tools that count it coarsely. */
  grain?: number;
  /** Lower values count as this one, since changes are quotients. */
  least?: number;
  /** Whether a faster machine has a better value of it. */
  scales: boolean;
  /** How far runs of an unchanged server differ until it is learned: standard deviations of its logarithm. */
  spread: { besideReference: number; alone: number };
}

/** A figure that is judged. */
export type Metric = Figure & { better: 'more' | 'less'; judged: Judged };

/** The judged figures of one start. What was not measured is absent. */
export interface Sample {
  /** Samples of equal rounds in one session ran beside each other. */
  round: number;
  /** See Trial. */
  block?: number;
  /** When its first window began, in seconds since the run began. */
  at?: number;
  /** Of all windows together, by figure. */
  whole: Partial<Record<MetricId, number>>;
  /** Of each window in order of time: equal places of one round are a pair. */
  windows: Partial<Record<MetricId, number>>[];
  /** Of each start, in order. */
  startups: Partial<Record<MetricId, number>>[];
}

/** A case's metric over runs, oldest first. */
export interface Trend {
  id: string;
  server: string;
  metric: MetricId;
  points: TrendPoint[];
  steps: TrendStep[];
  /** Standard deviation of neighbouring runs of a level, in percent; absent where few show it, or a step. */
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

/** An answer of a server that `init` tries. */
export interface RouteAnswer {
  method: string;
  /** With values for its parameters, where lists have them. */
  path: string;
  body?: string;
  /** A function before it. */
  guard?: string;
  /** Absent where it was not asked. */
  status?: number;
  bytes: number;
  ms: number;
  /** form: a page with one; data: JSON with lists, or longer than a greeting; error: JSON of one. */
  shape: 'data' | 'page' | 'greeting' | 'form' | 'documentation' | 'error' | 'stream';
}

/** What a try of a server showed. */
export interface Found {
  /** Why it did not start. */
  failure?: Pick<Failure, 'kind' | 'message'>;
  /** Where it listens whatever PORT says. */
  fixedPort?: number;
  answers: RouteAnswer[];
  /** Whether it refuses a client that asks often. */
  isLimited?: boolean;
  /** Of its runtime. */
  version?: string;
  /** Its last lines. */
  log: string[];
}
