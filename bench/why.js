/**
 * How often the profiled run names the function that got slower, and how often it names one where nothing changed: a server
 * in a repository of its own, whose `serialize` does about 5 % more work a request, or none. `npm run bench:why -- --tries 20`.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from 'markdown-table';
import { readConfig } from '../scripts/plan/config.js';
import { makePlan } from '../scripts/plan/plan.js';
import { sidesOf } from '../scripts/session/sides.js';
import { holdSession } from '../scripts/session/session.js';
import { explaining } from '../scripts/session/why.js';
import { ROOT } from '../scripts/repository.js';

/** @import { Comparison } from '../scripts/types.js' */

const { values } = parseArgs({ options: { tries: { type: 'string', default: '20' } } });

/** Rounds of the loop that serialize takes: of the whole request the second has about a twentieth more. */
const [USUAL, MORE] = [4, 7];

const SERVER = `import { createServer } from 'node:http';
import { serialize } from './json.js';
createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(serialize({ id: 1, name: 'one', tags: ['a', 'b'] }));
}).listen(process.env.PORT, process.env.HOST);
`;
/** @param {number} rounds @param {string} above */
const json = (rounds, above) => `${above}
export function serialize(row) {
  let text = '';
  for (let i = 0; i < ${rounds}; i++) text = JSON.stringify(row);
  return text;
}
`;

/**
 * @param {string} top
 * @param {number} rounds of the head
 * @returns {Promise<string[]>} the functions that are named, the first first
 */
async function named(top, rounds) {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
      cwd: top,
      stdio: 'ignore',
    });
  mkdirSync(join(top, 'src'), { recursive: true });
  writeFileSync(join(top, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(top, 'perf.yml'),
    'servers: [{ id: api, start: node src/api.js, routes: [{ path: / }] }]\nload: { connections: 20, warmup: 1s }\nreference: "off"\n',
  );
  writeFileSync(join(top, 'src/api.js'), SERVER);
  git('init', '--quiet');
  for (const [each, above] of /** @type {const} */ ([
    [USUAL, ''],
    [rounds, '// The lines moved.'],
  ])) {
    writeFileSync(join(top, 'src/json.js'), json(each, above));
    git('add', '--all');
    git('commit', '--quiet', '--message', 'x');
  }
  const read = (/** @type {string} */ cwd) =>
    readConfig({ options: { against: 'HEAD~1', rounds: '8' }, cwd, root: ROOT, seed: 1 });
  const stderr = { write: () => true };
  const context = { cwd: top, env: process.env, stderr, signal: new AbortController().signal };
  const { comparison } = await holdSession({ against: 'HEAD~1', rounds: '8', why: 'false' }, context);
  const { config, sides } = await sidesOf(read(top), { ...context, readConfig: read });
  const explain = explaining(
    { plan: makePlan(config, sides), config },
    { ...context, onProgress: () => {}, facts: { session: 'bench', command: 'bench' } },
  );
  // Whatever the verdict on this machine, the question is what the profiles say.
  const cases = (comparison?.cases ?? []).map((of) => ({
    ...of,
    metrics: of.metrics.map((each) => ({ ...each, verdict: /** @type {const} */ ('regressed') })),
  }));
  const explained = await explain({ .../** @type {Comparison} */ (comparison), cases });
  return explained.cases.flatMap(({ functions = [] }) =>
    functions.map(({ name, file, line, effectPct }) => `${name} (${file}:${line}) ${effectPct.toFixed(1)} %`),
  );
}

const tries = Number(values.tries);
const rows = [];
for (const { what, rounds } of [
  { what: 'serialize does more', rounds: MORE },
  { what: 'nothing changed', rounds: USUAL },
]) {
  const found = [];
  for (let i = 0; i < tries; i++) {
    const scratch = mkdtempSync(join(tmpdir(), 'perf-why-'));
    const names = await named(join(scratch, 'top'), rounds).finally(() =>
      rmSync(scratch, { recursive: true, force: true }),
    );
    process.stderr.write(`${what}: ${names.join(', ') || 'no function'}\n`);
    found.push(names);
  }
  const first = found.filter(([name]) => name?.startsWith('serialize (src/json.js:2)')).length;
  rows.push([what, tries, first, found.filter(({ length }) => length > 0).length].map(String));
}
console.log(markdownTable([['what', 'tries', 'serialize first', 'any function named'], ...rows]));
