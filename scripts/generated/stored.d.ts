// Written by `npm run generate` from the schemas in scripts/store.

import type { Conditions } from '../types.js';

/** What was not measured is absent, never 0. Times are in seconds and sizes in bytes unless a name says otherwise. Fields that are not named here are allowed and kept. */
export interface Run {
  schema: 'perf-action/run@1';
  /** Unique. */
  id: string;
  /** Runs of one session were interleaved: windows next to each other in time are compared as pairs. Absent: the run's own id. */
  session: string;
  /** ISO 8601. */
  startedAt: string;
  /** ISO 8601. Absent: startedAt. */
  finishedAt: string;
  title?: string;
  /** The language of its reports. Absent: English. */
  language?: string;
  /** Of the order in which cases were measured. */
  seed?: number;
  /** The part of a run that this is, if several machines measured it. Absent: the run is complete. */
  shard?: Shard;
  preset?: string;
  /** The id of the server that ratios are relative to. */
  relativeTo?: string;
  /** The base of a comparison side by side, as it was asked for; self: the head itself. */
  against?: string;
  /** The shares of its budget or its rounds after which the run was judged and could have ended; each look spent part of the risk of a false alarm. Absent: it was judged once, at the end. */
  looks?: number[];
  /** The number of stored runs that a pooled base is made of. */
  pooled?: number;
  /** The stored runs of a pooled base, and those left out. */
  stored?: StoredRuns;
  /** The result of its gate. A stored run that failed is not a base until it is accepted or confirmed. Absent: it was compared with nothing. */
  gate?: Gate;
  /** Whether its cases keep the limits of its configuration. Absent: it has none. */
  limits?: LimitResult[];
  /** Which routes execute changed code, known before the first load. Of the head. Absent: nobody looked. */
  touched?: Touched;
  revision: {
    sha?: string;
    ref?: string;
    /** When sha was committed, ISO 8601, UTC. Stored runs are ordered by it. Absent: the checkout lacks the commit. */
    committedAt?: string;
    /** The page of the repository that has the commit. Absent: the checkout has no remote origin. */
    site?: string;
    /** The side of a comparison. */
    label?: string;
    /** The checkout had uncommitted changes. */
    dirty?: true;
    /** The commit that sha was merged into for the measurement. */
    mergedInto?: string;
    /** The packages that were measured in the servers. */
    library?: {
      packages: string[];
      /** Their folders in the repository, or their ids. */
      servers: string[];
      /** Where the packages come from, unless from the commit. */
      of?: string;
    };
    /** Packages and runtimes that were measured at other versions than this revision has. */
    versions?: Record<string, string>;
  };
  environment: Environment;
  warnings?: Warning[];
  /** Repeats this run locally. */
  command?: string;
  /** What it would have measured. Absent: it has finished. */
  unfinished?: Unfinished;
  /** Figures that others published for this experiment. */
  published?: Published;
  cases: RunCase[];
}

export type Verdict = 'regressed' | 'improved' | 'same' | 'unsure' | 'failed';

export interface Shard {
  /** From 1. */
  index: number;
  of: number;
  /** The ids of the whole run's cases, in order, without the reference's, which every machine measures. */
  cases: string[];
}

export interface StoredRun {
  id: string;
  startedAt: string;
  sha?: string;
}

/** Why a stored run is not part of the base. other-cases: it has none of the cases, or another preset; gate-failed: nobody accepted it, and later runs did not confirm it; older: there are enough later runs; before-a-change: it was measured in another way than the latest; no-reference: it cannot be pooled without. */
export type LeftOut =
  'other-cases' | 'gate-failed' | 'other-machine' | 'older' | 'before-a-change' | 'no-reference';

/** A setting of which the head's perf.yml asks for less. */
export interface Loosened {
  /** Like failOn, or gates.p99. */
  setting: string;
  /** As perf.yml says it. */
  base: string;
  /** Absent where the head has none. */
  head?: string;
}

/** Latest first. */
export interface StoredRuns {
  used: StoredRun[];
  left: (StoredRun & {
    why: LeftOut;
  })[];
}

export interface Gate {
  /** The ids of the cases that failed it. */
  failed: string[];
  /** A regression that somebody accepted. */
  accepted?: {
    /** The login that set the label or pushed the commit, where GitHub reports it. */
    who?: string;
    /** The commit whose message accepts it. */
    where?: string;
    /** The reason given. */
    why?: string;
  };
}

/** Whether a case keeps a limit, judged by an interval over its starts. */
export interface LimitResult {
  /** Its id. */
  case: string;
  metric: string;
  /** The most, or the least of a figure of which more is better, in the figure's unit: ms, requests per second, µs, bytes, a share of requests. */
  bound: number;
  /** The fixed rate at which it must be kept, in requests per second. */
  rate?: number;
  /** The mean over starts. Absent: not measured. */
  value?: number;
  /** The 95 % interval of the mean. */
  interval?: [number, number];
  /** passes: the whole interval is within the limit; fails: it is wholly beyond. */
  verdict: 'passes' | 'fails' | 'unsure';
  why?: LimitReason;
}

/** Why it is unsure. */
export type LimitReason =
  | { code: 'not-measured' }
  | { code: 'one-start' }
  | { code: 'open' }
  | { code: 'client-bound' }
  | { code: 'disturbed' }
  | {
      code: 'rate-missed'; /** Requests per second. */
      asked: number;
      /** Requests per second. */
      achieved: number;
    };

export interface Environment {
  cpuModel: string;
  cores: number;
  memoryBytes: number;
  os: string;
  kernel: string;
  /** "github-hosted", "self-hosted" or "local". */
  runner: string;
  /** Versions by name. */
  runtimes: Record<string, string>;
  /** Versions by name. */
  tools: Record<string, string>;
  /** Equal where absolute figures may be compared; any text will do. */
  fingerprint: string;
}

export interface Touched {
  routes: TouchedRoute[];
  /** Why all routes of a server count as touched. */
  reasons: TouchedReason[];
  /** That finding out took, before the first load. */
  seconds?: number;
}

export interface TouchedRoute {
  server: string;
  route: string;
  touched: boolean;
  /** The server's first reason; calls: it executes others, none of which changed; unknown: a side lacks it. */
  why?: TouchedWhy | 'calls' | 'unknown';
  /** The changed functions that it executes. */
  functions: Place[];
}

/** Why all routes of a server count as touched. */
export type TouchedWhy =
  | 'start'
  | 'first'
  | 'between'
  | 'unasked'
  | 'module'
  | 'generated'
  | 'assembly'
  | 'file'
  | 'setup'
  | 'server'
  | 'node'
  | 'worker'
  | 'program'
  | 'silent'
  | 'failed'
  | 'runtime';

export interface TouchedReason {
  server: string;
  why: TouchedWhy;
  places: Place[];
  message?: string;
}

/** A function, or a file without a name: from the server's folder, or node_modules/name/... */
export interface Place {
  name: string;
  file: string;
  /** Of the head. Absent: only the base has it. */
  line?: number;
}

/** A code and the facts of its sentence. */
export type Warning = {
  /** Shown in place of the code's sentence. */
  message?: string;
  /** Its id. */
  case?: string;
  /** In a comparison: a warning of the base. */
  isBase?: true;
} & (
  | { code: 'other-machine' }
  | { code: 'base-unfinished' }
  | { code: 'head-unfinished' }
  | { code: 'unsupervised' }
  | { code: 'baseline-unreadable' }
  | { code: 'disturbed'; share: number }
  | {
      code: 'outliers';
      rounds: number;
      outliers: {
        metric: string;
        /** From 0. */
        round: number;
        effectPct: number;
      }[];
    }
  | { code: 'failed-starts'; kinds: string[]; base: CountedStarts; head: CountedStarts }
  | { code: 'new-errors'; kinds: string[]; errors?: number; requests?: number }
  | {
      code: 'budget-ended';
      seconds: number;
      /** In which something was measured. */
      rounds: number;
      /** Seconds, at least, where nothing was measured. */
      needed?: number;
    }
  | { code: 'not-explained'; seconds: number }
  | { code: 'not-compared'; baseline?: string; left?: LeftOut[]; why?: string }
  | {
      code: 'skipped'; /** A commit. */
      since?: string;
      /** What names that commit, where it is the head, too. */
      itself?: string;
    }
  | { code: 'not-touched'; servers: string[] }
  | { code: 'described-by-head'; servers: string[] }
  | { code: 'new-in-head'; servers: string[] }
  | {
      code: 'looser-than-base';
      settings?: Loosened[];
      /** With their servers: "shop /items". */
      routes?: string[];
      /** Its changes no longer affect a server that they affect in the base. */
      file?: string;
      /** How many files that is true of. */
      files?: number;
    }
  | {
      code: 'same-versions';
      servers: string[];
      /** Of packages and runtimes. */
      names: string[];
    }
  | {
      code: 'not-installed';
      servers: string[];
      /** Of packages and runtimes. */
      names: string[];
    }
  | { code: 'commit-not-package'; ref: string }
  | {
      code: 'packages-moved'; /** The lock file. */
      lock?: string;
      packages: {
        name: string;
        from?: string;
        to?: string;
      }[];
      /** How many others moved with them. */
      indirect?: number;
    }
  | { code: 'lfs-missing'; side: string; files: string[] }
  | { code: 'connection-closed'; tool: string; closes: 'announced' | 'undelimited' }
  | {
      code: 'measured-alone'; /** What happened next to another server. */
      beside?: string;
      /** Of a core, while it should be idle. */
      share?: number;
    }
  | { code: 'machine-shared'; shared: number; windows: number; programs: string[] }
  | { code: 'rate-missed'; asked: number; achieved: number }
  | { code: 'does-not-add-up'; connections: number; pipelining: number; atOnce: number }
  | { code: 'long-queue'; connections: number; waitSeconds: number; enough: number; timeouts: number }
  | { code: 'still-busy'; seconds: number; starts: number; of: number }
  | { code: 'few-answers'; answers: number; wanted: number; seconds: number }
  | { code: 'no-latencies'; tool: string }
  | { code: 'unanswered'; answers: number; unanswered: number }
  | { code: 'mostly-waits'; answerSeconds: number; cpuSeconds: number }
  | { code: 'rising-cost'; pct: number; starts: number }
  | { code: 'thresholds-missed'; tool: string; thresholds: string[] }
  | { code: 'workers-lost'; lost: number; workers: number }
  | { code: 'not-warm'; starts: number; of: number }
  | { code: 'uncounted'; services: string[] }
  | { code: 'left-behind'; server: string; programs: string[] }
  | { code: 'cancelled'; measured: number; planned: number }
  | { code: 'unfinished'; measured: number; planned: number }
  | { code: 'never-started'; cases: string[] }
  | { code: 'shards-missing'; shards: number[]; of: number; cases?: string[] }
  | { code: 'machines-missing'; machines: string[] }
  | { code: 'mixed-machines'; machines: string[] }
  | { code: 'gate-closed'; metric: string; verdict: Verdict; rule: string }
  | { code: 'gate-open'; metric: string; verdict: Verdict; rule: string }
);

export interface Unfinished {
  /** The number of planned starts. */
  planned: number;
}

export interface Published {
  source: string;
  conditions: string;
  /** One server under several loads; `load` holds the fields that differ. */
  loads?: {
    load: Partial<Conditions>;
    throughput: number | [number, number];
  }[];
  /** By server id, or by server id and route ("webman /db"), which takes precedence. */
  servers?: Record<
    string,
    {
      throughput: number | [number, number];
    }
  >;
}

/** A file that is sent as a request body. */
export interface BodyFile {
  /** Its path as written in the configuration. */
  name: string;
  bytes: number;
  sha256: string;
}

/** Requests that vary, without their values. */
export interface RequestData {
  /** The file, as written in the configuration. */
  name?: string;
  /** Rows, each of which fills one request. */
  requests: number;
  /** Rows that differ. */
  different: number;
  /** Of the values that requests send, without secret ones. */
  sha256: string;
}

/** Stored without its secrets. */
export interface CaseRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Replaces `body`. */
  bodyFile?: BodyFile;
  /** What `${NAME}` stands for in each request. */
  data?: RequestData;
  /** Outside 2xx: the only right status. Absent: any 2xx is right. */
  expectedStatus?: number;
  /** The answer is a stream. */
  stream?: true;
}

/** The load on a server. */
export interface Load {
  tool: string;
  connections: number;
  /** Measured time after each start, all windows together; with `requests`, the time limit. Absent: the sum of the first trial's windows. */
  durationSeconds: number;
  /** Requests after each start, all windows together. Absent: as many as fit into the duration. */
  requests?: number;
  warmupSeconds: number;
  /** The duration is measured in this many windows, each its own run of the tool. Absent: as many as the first trial has. */
  windows?: number;
  keepAlive: boolean;
  pipelining: number;
  /** Requests per second over all connections. Absent: unlimited. */
  rate?: number;
  threads: number;
  /** Processes of the load tool. Absent: one. */
  processes?: number;
  /** Workers of the load tool, on any machine, that must join first. Absent: it sends the load itself. */
  workers?: number;
  /** The address at which workers on other machines reach this one. Absent: all run here. */
  host?: string;
  /** A script of the load tool, relative to the working directory. Absent: one request, repeated. */
  script?: string;
}

/** One server, route and load. */
export interface RunCase {
  /** Stable over runs: server, route, tool and every part of the load that is not the default. The cases of two runs are paired by it. */
  id: string;
  /** Absent: the id. */
  server: string;
  /** Its name in tables. Absent: server. */
  serverName: string;
  /** The path, or "METHOD /path" where the method is not GET. Absent: "/". */
  route: string;
  /** Its server has other routes, so reports name this one. Absent: they name it if several were measured. */
  oneOfRoutes?: true;
  request: CaseRequest;
  load: Load;
  /** Cores that the load tool can keep busy. Absent: its threads. */
  clientCores?: number;
  /** Cores that the server can keep busy beside the load tool: one with Node, all that are left with Java or Go. Absent: one. */
  serverCores?: number;
  /** The warm-up lasts until this many requests were answered, at most three times its duration. */
  warmupRequests?: number;
  /** The warm-up lasts until throughput levels off. */
  untilLevel?: true;
  /** It is loaded for so long in starts that it shares with its server's other routes, since few of its own fit into the budget. Absent: it has its own. */
  sharedSeconds?: number;
  /** Processes of the server. */
  instances: number;
  /** What runs them. Absent: Node's own cluster, where there are several. */
  manager?: string;
  /** How requests reach the server. Absent: directly. */
  proxy?: string;
  /** No change affects this server. */
  reference?: true;
  /** It executes the same code on both sides, shares the starts of its server's other controls, and has a smaller share of the risk. */
  role?: 'control';
  /** Counted without clocks, in a start that it shares with the other cases of its server. */
  counted?: true;
  /** The first round that judges a control whose sides differed too much before. Absent: none was promoted. */
  promotedAt?: number;
  /** The share of the budget at whose look the case was decided and no longer measured. */
  decidedAt?: number;
  /** In a joined run: the looks of the machine that measured it. Absent: those of the run. */
  looks?: number[];
  trials: Trial[];
  /** The trials in one row. Absent: computed from the trials; it needs one without a failure. */
  summary?: Summary;
}

/** One start of a server, and the windows measured after it. */
export interface Trial {
  /** Trials of one session with equal rounds ran together, or one after the other where that was impossible; from 0. Absent: the trial's place in the list. */
  round: number;
  /** Trials with equal blocks ran on one machine in one session: of a joined run a shard, of a pooled base a stored run. Absent: all did. */
  block?: number;
  /** From the start until the server was ready. */
  startupMs?: number;
  /** The start that is measured under load, unless it was the first of a run, and those after it. If four of these shared a core, only their CPU time is compared. */
  startups?: Startup[];
  /** Why the start or the load failed; such a trial counts as failed and enters no figure. */
  failure: Failure | null;
  /** What the checks before and after the load saw on the measured route, and how often. */
  answers?: (Answer & {
    times: number;
  })[];
  /** Present where the warm-up lasted until throughput levelled off. */
  warmup?: Warmup;
  windows: Window[];
  /** All requests of all windows, to three digits. Absent: the tool reports percentiles only. */
  latencies?: Latencies;
  /** The server was still at work when a window had waited so long for it to be idle. */
  busySeconds?: number;
  /** Its allocated bytes a request still changed when its windows ended, so they have none. */
  unsettled?: true;
  /** Mean share of a core that the server used while it waited for its turn. Absent: it never waited. */
  waitingShare?: number;
  /** Its first thread and those of the servers it was compared with used one core. Absent: each used any core. */
  sharesCore?: true;
  /** No other side ran at the same time, so it shared no moment of the machine with one. */
  alone?: true;
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
  /** Of the body, decoded. Absent: it is a stream. */
  bytes?: number;
  /** It ends its connection, and says so by a header or by having no length. */
  closes?: 'announced' | 'undelimited';
}

export interface Warmup {
  /** Throughput no longer rose at its end. */
  level: boolean;
  windows: Pick<Window, 'at' | 'seconds' | 'requests' | 'jvm'>[];
}

export type FailureKind =
  | 'install-failed'
  | 'build-failed'
  | 'service-failed'
  | 'setup-failed'
  | 'exited-at-start'
  | 'port-taken'
  | 'tree-changed'
  | 'never-ready'
  | 'no-token'
  | 'wrong-answer'
  | 'died-under-load'
  | 'too-slow'
  | 'load-tool-crashed'
  | 'load-tool-hung'
  | 'clock-stepped'
  | 'cancelled';

/** How many starts of a side failed, of how many. */
export interface CountedStarts {
  failed: number;
  of: number;
}

export interface Failure {
  kind: FailureKind;
  message: string;
  /** The first lines that report an error, where `logTail` does not contain them. */
  logHead?: string[];
  /** The last lines the server (or the tool) printed. */
  logTail?: string[];
  /** Reproduces it, from the working directory of the run. */
  command?: string;
}

/** `counts[n]` requests took `us[n]` microseconds; `us` ascends. */
export interface Latencies {
  us: number[];
  counts: number[];
}

/** One run of the load tool; seconds and requests are enough to compare. */
export interface Window {
  /** Seconds from the start of the measurement to the start of the window. Adjacent windows of one session are neighbours; those of one instant were loaded alternately, in slices of fractions of a second. Absent: it is unknown which windows are neighbours. */
  at?: number;
  /** How long the load tool measured, its slices together. */
  seconds: number;
  /** Answered; of streams, also those that the window ended. */
  requests: number;
  /** Read by the load tool. */
  bytes?: number;
  /** As the load tool reports it. */
  latencyMs?: LatencyMs;
  /** Of streams: from the request to the first byte of the body. */
  firstByteMs?: StreamMs;
  /** Of streams: the longest wait of each for its next event, or chunk where its type is not text/event-stream. */
  longestGapMs?: StreamMs;
  /** As the load tool reports them. */
  errors?: Errors;
  /** Requests without an answer when the window ended, where they are more than those with one: CPU per request is unknown then. */
  unanswered?: number;
  /** Of answers whose status was not the expected one: how many had which. Absent: none, or the load tool does not report it. */
  wrongStatuses?: Record<string, number>;
  /** The rate of this window, in requests per second, where a search for the capacity sets it. */
  rate?: number;
  /** Of its best second. */
  peakRequestsPerSecond?: number;
  /** A script's thresholds that were crossed: "http_req_duration: p(95)<200". */
  thresholdsMissed?: string[];
  /** Workers of the load tool that were gone before its end. */
  workersLost?: number;
  requestsPerSecond?: PerSecond;
  bytesPerSecond?: PerSecond;
  /** Absent: not on Linux. */
  cpu?: Cpu;
  /** Names of the busiest other processes, where they used a tenth of the machine; busiest first. Absent in a stored baseline. */
  others?: string[];
  /** CPU seconds of each process of a server with several, without their manager; busiest first. */
  instanceSeconds?: number[];
  /** Highest resident memory of the server and its children. Pages that processes share count in each. Absent: not on Linux. */
  rssBytes?: number;
  /** Mean resident memory over the window. */
  rssMeanBytes?: number;
  /** Growth of resident memory: the median slope between samples (Theil-Sen); negative where it shrank. */
  rssBytesPerSecond?: number;
  /** Delay of timers in a Node server's event loop; of several busy processes, the longest. Absent: `runtimeMetrics` was not set, or it is not a Node server. */
  eventLoopDelayMs?: {
    p50: number;
    p99: number;
    max: number;
  };
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
  /** What the server's processes allocated on their heaps, without buffers outside of them. */
  allocatedBytes?: number;
  /** SQL statements and Redis commands that its services counted, by text without comments and values, or by keyword where it is not SELECT, INSERT, UPDATE, DELETE or MERGE. Absent: no service counts them, or they went on at either end. */
  statements?: Count;
  /** BEGIN, COMMIT, SET and their like, which `statements` is without. */
  controlStatements?: number;
  /** HTTP requests that a Node server sent, by host. */
  outgoing?: Count;
  /** A Java server's figures at the end of the window, all JVMs together. Absent: the JVM keeps no counters (-XX:-UsePerfData). */
  jvm?: {
    metaspaceBytes: number;
    threads: number;
    /** Loaded. */
    classes: number;
    /** Time that the JIT compilers worked during the window. */
    compileMs: number;
  };
}

/** What the requests of a window caused, counted at both of its ends. */
export interface Count {
  count: number;
  /** Counted without load, between the window before and this one. Absent: not known, as of the first window of a start. */
  idle?: number;
  /** Its most frequent kinds. */
  by: Record<string, number>;
}

/** Percentiles over the streams of a window. */
export interface StreamMs {
  p50: number;
  p99: number;
}

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

/** Counts by kind. */
export interface Errors {
  timeouts?: number;
  connect?: number;
  read?: number;
  write?: number;
  /** Answers of another status than the route expects. */
  non2xx?: number;
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
  /** CPU seconds (user + system) of the server and its children. */
  serverSeconds: number;
  /** CPU seconds of the load tool. */
  clientSeconds: number;
  /** Share (0 to 1) of the machine's CPU capacity that other programs used. */
  foreignShare: number;
  /** Share (0 to 1) of the machine that its host took away. */
  stealShare: number;
  /** CPU seconds of the proxy before the server; not part of serverSeconds. */
  proxySeconds?: number;
  /** CPU seconds of the services that were started for the server. */
  servicesSeconds?: number;
  /** CPU seconds of the servers that waited for their turn. */
  waitingSeconds?: number;
}

/** Means over trials without a failure, weighted equally; counts are sums. */
export interface Summary {
  /** Trials without a failure, which the figures rest on. */
  trials: number;
  /** Trials with a failure. */
  failed: number;
  /** Requests per second: geometric mean over trials. */
  throughput: number;
  /** Standard deviation over trials. Absent: there is one. */
  throughputStdev?: number;
  throughputMin: number;
  throughputMax: number;
  /** Of all requests, from the merged `latencies`; `min` and `max` are the extremes of all. */
  latencyMs?: LatencyMs;
  /** A trial has no `latencies`: the percentiles are means over trials of the windows' percentiles, weighted by requests. */
  meanPercentiles?: true;
  /** The sum, as `bytes` and `errors`. */
  requests: number;
  bytes?: number;
  errors?: Errors;
  requestsPerSecond?: PerSecond;
  bytesPerSecond?: PerSecond;
  /** Mean over trials, as `rssBytes`. */
  cpuPerRequestUs?: number;
  rssBytes?: number;
  foreignShare?: number;
  stealShare?: number;
  /** The load tool, not the server, was the bottleneck in most starts: the figures describe the tool. */
  clientBound?: true;
}

/** Fields that are not named here are allowed. Definitions of run@1 are those of run.schema.json. */
export interface Comparison {
  schema: 'perf-action/comparison@1';
  /** The worst case's: `regressed`, `improved`, `same` (the interval lies within the margin), `unsure` (neither shown nor excluded) or `failed`. */
  verdict: Verdict;
  /** Of a pooled base, the latest run. */
  base: ComparedSide;
  head: ComparedSide;
  /** One session; another run on this kind of machine, whose effects are relative to the reference; or a run of another kind, which decides nothing. */
  method: 'side-by-side' | 'stored' | 'other-machine';
  /** The base of a comparison side by side, as it was asked for; self: the head itself. */
  against?: string;
  /** What differs between the machines or the days of two runs that were measured apart: a version by its program's name, or processor, cores, memory, system, kernel, runner. */
  differs?: {
    fact: string;
    base: string;
    head: string;
  }[];
  /** The change of the reference, which no commit affects: the noise of the run. */
  reference?: {
    id: string;
    effectPct: number;
    ciPct: [number, number];
  };
  promise?: FalseAlarms;
  warnings: Warning[];
  /** Which routes execute changed code. Absent: nobody looked. */
  touched?: Touched;
  /** Where several kinds of machine measured the same cases: what each says, the worst first; the rest of the file is of that one. */
  machines?: MachineVerdict[];
  /** What all cases but controls say together of the code that they share, side by side, from five cases on: the mean of their changes, which has a share of the risk of its own. Absent: too few, or neither shown nor excluded. */
  together?: {
    /** How many. */
    cases: number;
    verdict: Verdict;
    /** The metric that decided the verdict. */
    decisive?: string;
    metrics: MetricComparison[];
  };
  cases: CaseComparison[];
}

export interface MachineVerdict {
  /** The label of its runners. */
  machine: string;
  verdict: Verdict;
  cases: {
    id: string;
    verdict: Verdict;
    /** The one that decided. */
    change?: MetricComparison;
  }[];
}

export interface FalseAlarms {
  /** The highest share (0 to 1) of reports that raise a false alarm. */
  falseAlarms: number;
  /** Why that may not hold here. */
  outside: Limit[];
}

/** Why the promised rate of false alarms may not hold for a comparison. */
export type Limit =
  { code: 'crowded' } | { code: 'few-rounds'; least: number } | { code: 'few-runs'; runs: number };

/** Why a metric has its verdict: a code, and the numbers of its sentence. `moreRounds` would settle it, approximately; `asked` and `achieved` are requests per second, `achieved` on the slower side; `kinds` are errors that only the head has, `errors` of `requests`, or failures of starts; `idle` was counted without load. */
export type Reason =
  | { code: 'inside-margin' }
  | { code: 'exact-count' }
  | { code: 'one-start' }
  | { code: 'one-run' }
  | { code: 'other-machine' }
  | { code: 'other-data' }
  | { code: 'other-answer' }
  | { code: 'crowded' }
  | { code: 'client-bound' }
  | { code: 'no-errors' }
  | { code: 'rare-errors' }
  | { code: 'not-measured' }
  | { code: 'inexact-count'; idle?: number; moreRounds?: number }
  | { code: 'changed'; byPct: number; halfIntervalPct: number }
  | { code: 'tenfold'; byPct: number }
  | { code: 'open'; moreRounds: number; rounds?: number }
  | { code: 'few-rounds'; least: number; moreRounds: number }
  | { code: 'too-coarse'; stepPct: number }
  | { code: 'rate-missed'; asked: number; achieved: number }
  | { code: 'new-errors'; kinds: string[]; errors?: number; requests?: number }
  | { code: 'failed-starts'; kinds: string[]; base: CountedStarts; head: CountedStarts }
  | { code: 'too-slow-for-load'; baseShare: number; headShare: number }
  | { code: 'slow-start'; baseMs: number; headMs: number }
  | { code: 'wrong-answers'; message: string }
  | { code: 'too-slow'; side: 'base' | 'head'; message: string }
  | { code: 'error-rate'; rounds: number; moreRounds?: number }
  | { code: 'cancelled'; message: string }
  | { code: 'failed'; kind: FailureKind; message: string };

export interface ComparedSide {
  id: string;
  label?: string;
  sha?: string;
  ref?: string;
  /** The packages that were measured in the servers. */
  library?: {
    packages: string[];
    /** Their folders in the repository, or their ids. */
    servers: string[];
    /** Where the packages come from, unless from the commit. */
    of?: string;
  };
  /** Packages and runtimes that were measured at other versions than this commit has. */
  versions?: Record<string, string>;
  startedAt: string;
  /** The number of stored runs that a pooled base is made of. */
  runs?: number;
  /** Of a base out of a folder: the stored runs it is made of, and those left out. */
  stored?: StoredRuns;
}

export interface CaseComparison {
  id: string;
  verdict: Verdict;
  /** It executes the same code on both sides: its `regressed` and `failed` count for the whole, its `unsure` only once it is promoted. */
  role?: 'control';
  /** A control whose sides differed so much that it was measured like every other case, by whose rounds it is judged. */
  promoted?: true;
  /** The metric that decided the verdict. Absent: a side lacks the case. */
  decisive?: string;
  metrics: MetricComparison[];
  /** Of a server measured against itself: the slowdown, in percent, that this many starts find in 95 of 100 runs. */
  findsPct?: number;
  /** What differs between the sides' answers, of what is constant on each side. Absent: nothing. */
  answer?: {
    base: ConstantAnswer;
    head: ConstantAnswer;
  };
  /** The only side that has the case. */
  only?: 'base' | 'head';
  /** Functions of a slower Node or Java server whose CPU time per request changed, largest change first. */
  functions?: FunctionChange[];
  /** The innermost function of the server's own that explains nearly all of the increase, with what it calls. */
  blamed?: FunctionChange;
  /** The server's folder in the repository, which the files of functions are in. Absent: unknown. */
  sources?: string;
  /** The call tree of both sides, without the smallest calls; present with `functions`. */
  calls?: CallFrame[];
}

export interface ConstantAnswer {
  status?: number;
  /** The media type. Absent: none. */
  type?: string;
  /** The content encoding. Absent: none. */
  encoding?: string;
  /** Of the body, decoded. */
  bytes?: number;
}

/** In percent of the base's cost of a request. */
export interface FunctionChange {
  name: string;
  file: string;
  /** In the head, from 1; 0 for none. */
  line: number;
  basePct: number;
  headPct: number;
  effectPct: number;
  ciPct: [number, number];
}

/** A function called from one place, in the profiles of both sides; in percent of the base's cost of a request. */
export interface CallFrame {
  /** The parent's index, which is smaller; -1 for none. */
  parent: number;
  name: string;
  file: string;
  /** In the head, from 1; 0 for none. */
  line: number;
  /** With everything that it calls. */
  basePct: number;
  headPct: number;
  /** Without what it calls. */
  ownBasePct: number;
  ownHeadPct: number;
}

export interface MetricComparison {
  /** Its id, such as throughput or p99. */
  metric: string;
  /** The fixed rate of the case, in requests per second. */
  rate?: number;
  /** The case is of streams. */
  stream?: true;
  base?: number;
  head?: number;
  /** Head relative to base, with its sign as measured: throughput -5 is 5 % slower. */
  effectPct?: number;
  /** The interval of the effect. */
  ciPct?: [number, number];
  /** The confidence of that interval, in percent: 95, or more where the claim is tested at more and is undecided. */
  ciLevelPct?: number;
  /** The standard error of the effect's logarithm, in percent. */
  errorPct?: number;
  /** How far two starts of the same code differ: the standard deviation of a round, in percent. */
  noisePct?: number;
  /** Changes up to this, in either direction, count as the same. */
  marginPct?: number;
  /** What of a count changed most, such as statements and hosts, and how often a request of either side has it; the largest change first. */
  changedKinds?: {
    name: string;
    base: number;
    head: number;
  }[];
  verdict: Verdict;
  why: Reason;
}

/** Fields that are not named here are allowed. */
export interface Bisection {
  schema: 'perf-action/bisection@1';
  good: string;
  bad: string;
  /** By commit, in order: the package that moved in it. Present where packages are searched. */
  packages?: Record<string, string>;
  /** The results folder, relative to where the search was started. */
  out: string;
  /** The options of each of its runs, as given. */
  options: Record<string, string | boolean | (string | boolean)[]>;
  /** The language of the report. Absent: English. */
  language?: string;
  /** The case that changed most between good and bad. */
  wanted?: {
    id: string;
    /** The end of the interval of its change that is nearer to zero. */
    leastPct: number;
  };
  /** In the order they were measured; the last compares the commit with its parent. */
  steps: BisectStep[];
  /** Absent: the search goes on. */
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
  promise?: FalseAlarms;
}

/** found, not-confirmed: whether the commit is slower than its parent when both are measured side by side; one-of: the commits that could not be measured or distinguished; nothing-to-find: the two ends do not differ. */
export type BisectOutcome =
  | { code: 'found'; commit: string; parent: string }
  | { code: 'not-confirmed'; commit: string; parent: string }
  | { code: 'one-of'; commits: string[] }
  | { code: 'nothing-to-find'; verdict: Verdict };

/** Fields that are not named here are allowed. */
export interface Soak {
  schema: 'perf-action/soak@1';
  /** The id of the run in run.json beside it, which describes the machine and the load. */
  run: string;
  /** The id of the case: its server, route and load. */
  case: string;
  /** The language of the report. Absent: English. */
  language?: string;
  /** leaks: memory grows by more than leastBytesPerHour for sure, and does not slow down. */
  verdict: 'leaks' | 'does-not-leak' | 'unsure';
  /** Absent where nothing leaks for sure, or where neither explains it for sure. */
  growsWith?: 'requests' | 'time' | 'both';
  /** Why it is unsure: too few readings, growth that gets slower, or an interval that is too wide. */
  why?: 'few-readings' | 'fading' | 'too-wide';
  /** The index of the first reading that counts; those before it are the warm-up. */
  from: number;
  /** The growth per hour that counts as none. */
  leastBytesPerHour: number;
  /** Growth of heapBytes and externalBytes together, over phases of load and of rest. */
  bytesPerHour?: Rate;
  /** What a request leaves. */
  bytesPerRequest?: Rate;
  /** What an hour without requests adds. */
  idleBytesPerHour?: Rate;
  /** Alternately after load and after rest. */
  readings: MemoryReading[];
}

/** An estimate with its 95 % interval. */
export interface Rate {
  value: number;
  ci: [number, number];
}

/** The memory of a server after a forced garbage collection, over all its processes. */
export interface MemoryReading {
  /** Seconds since the first load began. */
  at: number;
  /** Answered since then. */
  requests: number;
  /** Used in the heap. */
  heapBytes: number;
  /** Of objects outside the heap, such as buffers. */
  externalBytes: number;
  /** Resident memory, which also holds what the allocator keeps. */
  rssBytes: number;
}

/** Fields that are not named here are allowed. */
export interface PastRun {
  schema: 'perf-action/past-run@1';
  id: string;
  /** ISO 8601, UTC. */
  startedAt: string;
  /** When the commit was made, ISO 8601, UTC. */
  committedAt?: string;
  /** The commit that was measured. */
  sha?: string;
  /** Of the kind of machine. */
  fingerprint: string;
  cpuModel?: string;
  /** Without the reference. */
  cases: PastCase[];
}

export interface PastCase {
  id: string;
  server: string;
  /** Requests a second. */
  throughput: number;
  /** By metric, measured in the same cycles as the reference. */
  beside: Record<
    string,
    {
      /** Natural logarithm of the figure divided by the reference's. */
      log: number;
      /** The standard error of that. */
      error: number;
    }
  >;
}
