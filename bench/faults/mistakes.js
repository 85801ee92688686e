/** Mistakes and broken files: each gives lines that say so, without a stack. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCli, startStep } from '../provoke.js';

const SERVERS = 'servers: [{ id: app, start: node a.js, routes: [{ path: / }] }]\n';
const NINE = (/** @type {string} */ word) => `[${Array(9).fill(word)}]`;
const BOMB = [...'bcdefghi'].map((key, place) => `${key}: &${key} ${NINE(`*${'abcdefgh'[place]}`)}\n`);

/** @typedef {{ scratch: string, env?: Record<string, string> }} Where */
/**
 * @type {[what: string, files: Record<string, string>, start: (where: Where) => ReturnType<typeof
 *   startCli>][]}
 */
const MISTAKES = [
  ['`perf-action constructor`', {}, (where) => startCli(['constructor'], where)],
  ['`--constructor` as an option', {}, (where) => startCli(['run', '--constructor=1'], where)],
  ['an alias bomb', { 'perf.yml': `a: &a ${NINE('x')}\n${BOMB.join('')}` }, planned],
  ['a merge of YAML 1.1', { 'perf.yml': '%YAML 1.1\n---\nload: { <<: 5 }\n' }, planned],
  [
    'a folder in the place of report.md',
    { 'perf.yml': SERVERS, 'out/report.md/x': '' },
    (where) => startCli(['run', '--out=out'], where),
  ],
  [
    'a TMPDIR that is not there',
    { 'perf.yml': SERVERS },
    ({ scratch }) => startCli(['run'], { scratch, env: { TMPDIR: join(scratch, 'nowhere') } }),
  ],
  [
    'figures beyond all measure',
    { 'perf.yml': `${SERVERS}load: { rate: 1e308, duration: 1e300s }\n` },
    planned,
  ],
  ['a run file of text', { 'run.json': 'NaN' }, (where) => startCli(['report', 'run.json'], where)],
  [
    'a broken event file',
    { event: '{"pull_request":' },
    ({ scratch }) => {
      const env = {
        PERF_INPUTS: '{}',
        GITHUB_EVENT_PATH: join(scratch, 'event'),
        GITHUB_EVENT_NAME: 'issue_comment',
      };
      return startStep('ask', { scratch, env });
    },
  ],
  [
    'inputs of the action that are not JSON',
    {},
    ({ scratch }) => startStep('plan', { scratch, env: { PERF_INPUTS: '{"servers":' } }),
  ],
];

/** These are also tested in test/bounds.test.js. */
const IN_BOUNDS = [
  'an alias bomb',
  'a merge of YAML 1.1',
  'a folder in the place of report.md',
  'a TMPDIR that is not there',
];

/** @param {Where} where */
function planned(where) {
  return startCli(['plan'], where);
}

/** @type {import('../faults.js').Row[]} */
export const rows = MISTAKES.map(([what, files, start]) => ({
  fault: `a mistake: ${what}`,
  promised: 'one line for each mistake, exit 2',
  ...(IN_BOUNDS.includes(what) && { slow: /** @type {const} */ (true) }),
  async run(scratch) {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(scratch, name, '..'), { recursive: true });
      writeFileSync(join(scratch, name), text);
    }
    const { code, stdout, printed } = await start({ scratch }).ended;
    const said = (printed || stdout).trim();
    return {
      happened: `exit ${code}: ${said.slice(0, 200)}`,
      holds:
        code === 2 && said !== '' && !/\n\s+at |unexpected error/.test(said) && said.split('\n').length <= 20,
    };
  },
}));
