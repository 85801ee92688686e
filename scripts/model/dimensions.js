/**
 * The one table of what a load is made of. Options, perf.yml and its schema, the matrix, case ids, headings
 * and the line of conditions read it. A new dimension is a row here, its field in `Load` or `Deployment`
 * (types.d.ts), and the code that acts on it.
 * @import { Case, Conditions, Deployment, Load } from '../types.js'
 */

/**
 * An option (see config/options.js), and how reports name it; words: in headings and conditions, `{}` for the
 * value, a pair is singular and plural; quiet: the line of conditions leaves out its default.
 * @typedef {{ name: string, group?: 'what' | 'load' | 'time', everyday?: true, key: string,
 *   field: keyof Conditions, kind: 'names' | 'files' | 'counts' | 'switches' | 'instances' | 'managers' |
 *   'proxies' | 'duration' | 'pause' | 'count' | 'text', default?: string, otherwise?: string, help: string,
 *   offeredAs?: readonly ('input' | 'comment')[], refusedBy?: readonly string[],
 *   words: string | readonly [string, string], quiet?: true }} Condition
 */
/**
 * id: in the id of a case; always: in ids and headings even where it is the default; needs: what a load tool
 * must be able to do for any other value than the default.
 * @typedef {{ id: string, always?: true, needs?: { can: string, what: string },
 *   examples?: readonly unknown[] }} Distinction
 */
/** @typedef {Condition & Distinction} Dimension */

/**
 * An option, its key in perf.yml and its field in `Load`, which have one name.
 * @template {string} N
 * @param {N} name
 */
const ofLoad = (name) => /** @type {const} */ ({ name, key: `load.${name}`, field: name });

/**
 * The same for a field in `Deployment`.
 * @template {string} N
 * @param {N} name
 */
const ofServer = (name) =>
  /** @type {const} */ ({ name, group: 'what', key: name, field: name, quiet: true });

/** What distinguishes cases, in the order of an id. */
export const DIMENSIONS = /** @type {const} @satisfies {readonly Dimension[]} */ ([
  {
    ...ofLoad('tool'),
    kind: 'names',
    default: 'autocannon',
    help: 'the load tool (see perf-action list); a list measures with each',
    id: '{}',
    words: '{}',
    always: true,
    examples: ['autocannon', '[autocannon, wrk]'],
    offeredAs: ['input', 'comment'],
  },
  {
    ...ofLoad('connections'),
    everyday: true,
    kind: 'counts',
    default: '100',
    otherwise: '10 in a comparison without a rate, else 100',
    help: 'open connections; a list measures with each: 50,100',
    id: 'c{}',
    words: ['{} connection', '{} connections'],
    always: true,
    offeredAs: ['input', 'comment'],
  },
  {
    name: 'keep-alive',
    key: 'load.keepAlive',
    field: 'keepAlive',
    kind: 'switches',
    default: 'true',
    help: 'false opens a new connection for every request; true,false measures both',
    id: 'no-keep-alive',
    words: 'keep-alive {}',
    offeredAs: ['comment'],
  },
  {
    ...ofLoad('pipelining'),
    kind: 'counts',
    default: '1',
    help: 'pipelined requests per connection; a list measures with each',
    id: 'p{}',
    words: 'pipelining {}',
    needs: { can: 'pipelining', what: 'pipeline' },
    offeredAs: ['comment'],
  },
  {
    ...ofLoad('rate'),
    kind: 'counts',
    otherwise: 'unlimited',
    help: 'requests per second over all connections, sent on schedule even if the server falls behind (open loop); a list measures with each',
    id: 'r{}',
    words: 'at {} req/s',
    needs: { can: 'rate', what: 'hold a rate' },
    offeredAs: ['comment'],
  },
  {
    ...ofLoad('threads'),
    kind: 'counts',
    default: '1',
    help: 'threads of the load tool; a list measures with each',
    id: 't{}',
    words: ['{} client thread', '{} client threads'],
    needs: { can: 'threads', what: 'use several threads' },
    offeredAs: ['comment'],
  },
  {
    ...ofLoad('processes'),
    kind: 'counts',
    otherwise: '1',
    help: 'processes of the load tool, which share its connections; a list measures with each',
    id: 'processes{}',
    words: ['{} client process', '{} client processes'],
    needs: { can: 'processes', what: 'use several processes' },
  },
  {
    ...ofLoad('workers'),
    kind: 'counts',
    otherwise: 'none',
    help: 'waits for this many workers of the load tool to join, which then send the load; a list measures with each',
    id: 'workers{}',
    words: ['{} worker', '{} workers'],
    needs: { can: 'workers', what: 'wait for workers' },
  },
  {
    ...ofLoad('script'),
    kind: 'files',
    otherwise: "the engine's own, which sends one request over and over",
    help: 'a script of the load tool, relative to this file; a list measures with each',
    id: '{}',
    words: '{}',
    needs: { can: 'script', what: 'run a script' },
    examples: ['load/journey.js'],
  },
  {
    ...ofServer('instances'),
    kind: 'instances',
    default: '1',
    help: 'processes of a Node server, which share its port; 2x: twice as many as the machine has cores; a list measures with each',
    id: 'i{}',
    words: ['{} instance', '{} instances'],
  },
  {
    ...ofServer('manager'),
    kind: 'managers',
    default: 'cluster',
    help: 'what runs the instances: cluster (Node’s own) or pm2; a list measures with each',
    id: '{}',
    words: '{}',
  },
  {
    ...ofServer('proxy'),
    kind: 'proxies',
    default: 'direct',
    help: 'how requests reach the server: direct, nginx, https (a Node server with TLS) or https+nginx; a list measures with each',
    id: '{}',
    words: '{}',
  },
]);

/** How long a measurement takes, which does not distinguish cases. */
export const TIMES = /** @type {const} @satisfies {readonly Condition[]} */ ([
  {
    name: 'warmup',
    group: 'time',
    key: 'load.warmup',
    field: 'warmupSeconds',
    kind: 'pause',
    default: '2s',
    otherwise: '1s in a comparison, else 2s; Java servers until their throughput levels off',
    help: 'load before the measurement, without a rate; 0s for none',
    words: '{} s of warm-up',
    offeredAs: ['comment'],
    refusedBy: ['soak'],
  },
  {
    name: 'duration',
    group: 'time',
    key: 'load.duration',
    field: 'durationSeconds',
    kind: 'duration',
    default: '10s',
    otherwise: '2s in a comparison, 6s for Java servers; else 10s',
    help: 'how long each server is measured after a start',
    words: '{} s measured',
    offeredAs: ['input', 'comment'],
    refusedBy: ['soak'],
  },
  {
    ...ofLoad('requests'),
    group: 'time',
    kind: 'count',
    otherwise: 'as many as fit into the duration',
    help: 'sends this many requests per start; the duration becomes the time limit, 60s where none is given',
    words: ['{} request', '{} requests'],
    refusedBy: ['soak'],
  },
  {
    name: 'load-host',
    key: 'load.host',
    field: 'host',
    kind: 'text',
    otherwise: 'this machine alone, by 127.0.0.1',
    help: 'the address at which workers on other machines reach this one; its servers then listen on all addresses',
    words: 'reached at {}',
  },
  {
    ...ofLoad('windows'),
    group: 'time',
    kind: 'count',
    otherwise: 'one per second; 1 with requests or where nothing else is running',
    help: 'splits the duration into this many windows, each a run of the tool',
    words: ['{} window', '{} windows'],
    offeredAs: ['comment'],
    refusedBy: ['soak'],
  },
]);

const STANDARD = Object.fromEntries(
  DIMENSIONS.flatMap((/** @type {Dimension} */ row) => (row.default ? [[row.field, row.default]] : [])),
);

/**
 * @param {Pick<Case, 'instances' | 'manager' | 'proxy'> & { load?: Load }} measured
 * @returns {Conditions} its load and its deployment, the usual manager and proxy by their names
 */
export function conditionsOf({ load, instances, manager = STANDARD.manager, proxy = STANDARD.proxy }) {
  return /** @type {Conditions} */ ({ ...load, instances, manager, proxy });
}

/**
 * @param {Conditions} conditions
 * @returns {{ load: Load, deployment: Deployment }} as a case has them: without the usual manager and proxy
 */
export function splitConditions({ instances, manager, proxy, ...load }) {
  const deployment = {
    instances,
    ...(manager !== STANDARD.manager && { manager }),
    ...(proxy !== STANDARD.proxy && { proxy }),
  };
  return { load, deployment: /** @type {Deployment} */ (deployment) };
}

/**
 * @param {Partial<Conditions>} conditions
 * @returns {{ row: Dimension, value: string | number | boolean }[]} what distinguishes them from others
 */
export function distinguishing(conditions) {
  return DIMENSIONS.flatMap((/** @type {Dimension} */ row) => {
    const value = conditions[row.field];
    return value !== undefined && (row.always || String(value) !== row.default) ? [{ row, value }] : [];
  });
}

/** What include or exclude call load.connections of perf.yml: connections. @type {(key: string) => string} */
export function entryKey(key) {
  return key.replace('load.', '');
}
