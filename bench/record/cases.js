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

export const CASES = [...ORDINARY, ...OTHERS];

/** @param {Case} each @returns {string} like "fastify wrk unchanged" or "start of express autocannon +5%" */
export function nameOf({ server, beside = [], tool = 'autocannon', what, planted, busy }) {
  return [
    ...(busy ? ['busy'] : []),
    ...(what ? ['start of'] : []),
    server,
    ...(beside.length > 0 ? [`beside ${beside.length} others`] : []),
    tool,
    planted === 0 ? 'unchanged' : `+${100 * planted}%`,
  ].join(' ');
}
