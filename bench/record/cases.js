/** What is measured over and over: a server against a commit that costs a known share more CPU, and how soon that should be decided. */

/**
 * @typedef {object} Case
 * @property {string} server
 * @property {string[]} [beside] other servers in the same run, which cost the same
 * @property {string} [tool] what loads it, where it is not autocannon
 * @property {'start'} [what] a start costs more, not a request
 * @property {number} planted the share of CPU that the head costs more
 * @property {string} margin as the command is given it
 * @property {number} [budget] in seconds, where it is not the usual one
 * @property {boolean} [short] whether the budget ends with the goal
 * @property {boolean} [busy] whether another program uses a third of the machine
 * @property {number} within seconds: the goal for a verdict of all its servers
 */

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
  { server: 'fastify', planted: 0, margin: '5%', within: 180, busy: true },
  { server: 'fastify', planted: 0.05, margin: '5%', within: 180, busy: true },
  { server: 'express', planted: 0.05, margin: '5%', within: 180, busy: true },
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

export const CASES = [...ORDINARY, ...OTHERS, ...SHORT];

/** @param {Case} each @returns {string} like "fastify wrk unchanged" or "start of express autocannon +5%" */
export function nameOf({ server, beside = [], tool = 'autocannon', what, planted, busy, short, within }) {
  return [
    ...(busy ? ['busy'] : []),
    ...(short ? [`in ${within} s`] : []),
    ...(what ? ['start of'] : []),
    server,
    ...(beside.length > 0 ? [`beside ${beside.length} others`] : []),
    tool,
    planted === 0 ? 'unchanged' : `+${Number((100 * planted).toFixed(1))}%`,
  ].join(' ');
}
