/**
 * What is measured over and over: a server against a commit that costs a known share more CPU, and how soon
 * that should be decided.
 */

import { availableParallelism } from 'node:os';
import { ROUTES } from '../touched/shops.js';

/**
 * @typedef {object} Case
 * @property {string} server
 * @property {number} [routes] of a service in that framework, of which the first costs more
 * @property {string[]} [beside] other servers in the same run, which cost the same
 * @property {string} [tool] what loads it, where it is not autocannon
 * @property {'start'} [what] a start costs more, not a request
 * @property {number} planted the share of CPU that the head costs more
 * @property {string} margin as the command is given it
 * @property {number} [budget] in seconds, where it is not the usual one
 * @property {boolean} [short] whether the budget ends with the goal
 * @property {keyof typeof NEIGHBOURS} [busy] the other programs beside it
 * @property {number} within seconds: the goal for a verdict of all its servers
 */

const cores = availableParallelism();
const BURSTS = { cores, lengths: /** @type {const} */ ([0.2, 5]) };
/** Seconds, half of the budget: programs start in the middle of some reports. */
const MIDDLE = 90;

/** @satisfies {Record<string, import('./busy.js').Neighbours>} */
export const NEIGHBOURS = {
  /** About a third of the machine. */
  busy: { cores: 1, share: Math.min(0.95, cores / 3), lengths: [0.07, 0.07] },
  'bursts 30%': { ...BURSTS, share: 0.3 },
  'bursts 60%': { ...BURSTS, share: 0.6 },
  'bursts 30% later': { ...BURSTS, share: 0.3, within: MIDDLE },
  'bursts 60% later': { ...BURSTS, share: 0.6, within: MIDDLE },
};

/** @type {Case[]} */
const OTHERS = [
  { server: 'fastify', tool: 'wrk', planted: 0, margin: '5%', within: 60 },
  { server: 'fastify', tool: 'wrk', planted: 0.05, margin: '5%', within: 60 },
  { server: 'express', tool: 'wrk', planted: 0, margin: '5%', within: 90 },
  { server: 'express', tool: 'wrk', planted: 0.05, margin: '5%', within: 90 },
  { server: 'fastify', planted: 0.01, margin: '0.5%', within: 480, budget: 480 },
  {
    server: 'fastify',
    beside: ['express', 'nest-express', 'nest-fastify'],
    planted: 0,
    margin: '5%',
    within: 240,
  },
  { server: 'fastify', what: 'start', planted: 0, margin: '5%', within: 60 },
  { server: 'fastify', what: 'start', planted: 0.05, margin: '5%', within: 60 },
  { server: 'express', what: 'start', planted: 0.05, margin: '5%', within: 60 },
  { server: 'fastify', planted: 0, margin: '5%', within: 180, busy: 'busy' },
  { server: 'fastify', planted: 0.05, margin: '5%', within: 180, busy: 'busy' },
  { server: 'express', planted: 0.05, margin: '5%', within: 180, busy: 'busy' },
];

/** Those of the record: ordinary commands. @type {Case[]} */
export const ORDINARY = [
  { server: 'fastify', planted: 0, margin: '5%', within: 60 },
  { server: 'fastify', planted: 0.05, margin: '5%', within: 60 },
  { server: 'fastify', planted: 0.02, margin: '1%', within: 120 },
  { server: 'express', planted: 0, margin: '5%', within: 90 },
  { server: 'express', planted: 0.05, margin: '5%', within: 90 },
  { server: 'express', planted: 0.02, margin: '1%', within: 240 },
  { server: 'nest-fastify', planted: 0, margin: '5%', within: 90 },
  { server: 'nest-fastify', planted: 0.05, margin: '5%', within: 90 },
  { server: 'nest-fastify', planted: 0.02, margin: '1%', within: 240 },
  { server: 'express', routes: ROUTES.length, planted: 0, margin: '5%', within: 90 },
  { server: 'express', routes: ROUTES.length, planted: 0.05, margin: '5%', within: 90 },
];

/** Of the first minutes: decided by the end of a budget that is as long as the goal. @type {Case[]} */
const SHORT = [
  { server: 'fastify', planted: 0.055, margin: '5%', within: 60 },
  { server: 'express', planted: 0.055, margin: '5%', within: 90 },
  { server: 'fastify', planted: 0.025, margin: '2%', within: 180 },
].flatMap((each) =>
  ['autocannon', 'wrk'].flatMap((tool) =>
    [0, each.planted].map((planted) => ({ ...each, tool, planted, budget: each.within, short: true })),
  ),
);

/** @type {Case[]} */
const BESIDE_BURSTS = /** @type {const} */ ([
  'bursts 30%',
  'bursts 60%',
  'bursts 30% later',
  'bursts 60% later',
]).flatMap((busy) =>
  ['2%', '5%'].map((margin) => ({ server: 'fastify', planted: 0, margin, within: 180, budget: 180, busy })),
);

export const CASES = [...ORDINARY, ...OTHERS, ...SHORT, ...BESIDE_BURSTS];

/**
 * @param {Case} each
 * @returns {string} like "fastify wrk unchanged" or "start of express autocannon +5%"
 */
export function nameOf({
  server,
  routes,
  beside = [],
  tool = 'autocannon',
  what,
  planted,
  margin,
  busy,
  short,
  within,
}) {
  return [
    ...(busy ? [busy] : []),
    ...(short ? [`in ${within} s`] : []),
    ...(what ? ['start of'] : []),
    server,
    ...(routes ? [`of ${routes} routes`] : []),
    ...(beside.length > 0 ? [`beside ${beside.length} others`] : []),
    tool,
    planted === 0 ? 'unchanged' : `+${Number((100 * planted).toFixed(1))}%`,
    ...(busy?.startsWith('bursts') ? [`within ${margin}`] : []),
  ].join(' ');
}
