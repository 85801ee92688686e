/**
 * How often the profiled run names the function that got slower, and how often it names one where nothing
 * changed: a server in a separate repository, whose `serialize` does about 5 % more work a request, or none.
 * `npm run bench:why -- --tries 20`, with `--runtime java` for one of the JDK alone. `--budgets 60s,90s`:
 * whole runs within these, of a `serialize` that does four times as much; the tries are those that regressed.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from 'markdown-table';
import { defined } from '../scripts/model/defined.js';
import { makePlan } from '../scripts/plan/plan.js';
import { sidesOf } from '../scripts/session/sides.js';
import { readRunConfig } from '../scripts/session/run-config.js';
import { asConfigured } from '../scripts/session/experiments/experiment.js';
import { runSession } from '../scripts/session/session.js';
import { profileRegressions } from '../scripts/session/profile-regressions.js';
import { commitAll, initRepository } from './copy-repository.js';

/** @import { Comparison } from '../scripts/types.js' */

const { values } = parseArgs({
  options: {
    tries: { type: 'string', default: '20' },
    runtime: { type: 'string', default: 'node' },
    budgets: { type: 'string' },
  },
});

const SERVER = `import { createServer } from 'node:http';
import { serialize } from './json.js';
createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(serialize({ id: 1, name: 'one', tags: ['a', 'b'] }));
}).listen(process.env.PORT, process.env.HOST);
`;
/**
 * @param {number} rounds
 * @param {string} above
 */
const json = (rounds, above) => `${above}
export function serialize(row) {
  let text = '';
  for (let i = 0; i < ${rounds}; i++) text = JSON.stringify(row);
  return text;
}
`;

const JAVA_SERVER = `import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

public class Api {
  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(System.getenv("PORT"));
    HttpServer server = HttpServer.create(new InetSocketAddress(System.getenv("HOST"), port), 0);
    server.setExecutor(Executors.newFixedThreadPool(20));
    server.createContext("/", exchange -> {
      byte[] text = Json.serialize(1).getBytes();
      exchange.sendResponseHeaders(200, text.length);
      exchange.getResponseBody().write(text);
      exchange.close();
    });
    server.start();
  }
}
`;
/**
 * @param {number} rounds
 * @param {string} above
 */
const javaJson = (rounds, above) => `${above}
final class Json {
  static String serialize(int id) {
    int sum = id;
    for (int i = 0; i < ${rounds}; i++) sum = sum * 31 + i;
    return "{" + sum + "}";
  }
}
`;

/**
 * usual, more: rounds of the loop that serialize takes: of the whole request the second has about a twentieth
 * more.
 * @type {Record<string, { usual: number, more: number, files: [string, string], sources: [string, (rounds:
 *   number, above: string) => string], manifest: string, warmup: string, first: string }>}
 */
const SERVERS = {
  node: {
    usual: 4,
    more: 7,
    files: ['src/api.js', 'src/json.js'],
    sources: [SERVER, json],
    manifest: 'start: node src/api.js',
    warmup: '1s',
    first: 'serialize (src/json.js:2)',
  },
  java: {
    usual: 3000,
    more: 6000,
    files: ['src/Api.java', 'src/Json.java'],
    sources: [JAVA_SERVER, javaJson],
    manifest:
      'runtime: java, build: javac -d classes src/Api.java src/Json.java, start: java -Dsun.net.httpserver.nodelay=true -cp classes Api',
    warmup: '6s',
    first: 'Json.serialize (src/Json.java:',
  },
};
const chosen = SERVERS[values.runtime];
if (!chosen) throw new Error(`--runtime ${values.runtime}: one of ${Object.keys(SERVERS).join(', ')}`);
const { usual, more, files, sources, manifest, warmup, first } = chosen;

/**
 * @param {string} top
 * @param {number} rounds of the head
 * @param {string} [budget] absent: profiled whatever the verdict
 * @returns {Promise<string[] | undefined>} the functions that are named, the first first; undefined of a run
 *   within a budget that is not `regressed`
 */
async function named(top, rounds, budget) {
  mkdirSync(join(top, 'src'), { recursive: true });
  writeFileSync(join(top, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(top, 'perf.yml'),
    `servers: [{ id: api, ${manifest}, routes: [{ path: / }] }]\nload: { connections: 20, warmup: ${warmup} }\nreference: "off"\n`,
  );
  writeFileSync(join(top, '.gitignore'), 'classes/\n');
  writeFileSync(join(top, files[0]), sources[0]);
  writeFileSync(join(top, files[1]), sources[1](usual, ''));
  initRepository(top);
  writeFileSync(join(top, files[1]), sources[1](rounds, '// The lines moved.'));
  commitAll(top);
  const asked = readRunConfig({ against: 'HEAD~1', ...(budget ? { budget } : { rounds: '8' }) }, top);
  const stderr = { write: () => true };
  const context = { cwd: top, env: process.env, stderr, signal: new AbortController().signal };
  if (budget) {
    const { comparison: found } = await runSession(asConfigured(asked), context);
    process.stderr.write(`${budget}: ${found?.verdict} ${found?.warnings.map(({ code }) => code).join()}\n`);
    return found?.verdict === 'regressed' ? namesIn(found) : undefined;
  }
  const { comparison } = await runSession(asConfigured(defined({ ...asked, explain: undefined })), context);
  const { config, sides } = await sidesOf(asked, context);
  // Whatever the verdict on this machine, the question is what the profiles say.
  const cases = (comparison?.cases ?? []).map((compared) => ({
    ...compared,
    metrics: compared.metrics.map((metric) => ({ ...metric, verdict: /** @type {const} */ ('regressed') })),
  }));
  const explained = await profileRegressions(
    { .../** @type {Comparison} */ (comparison), cases },
    { plan: makePlan(config, sides), config },
    {
      ...context,
      onProgress: () => {},
      elapsed: () => 0,
      facts: { session: 'bench', command: 'bench' },
    },
  );
  return namesIn(explained);
}

/** @param {Comparison} comparison */
function namesIn({ cases }) {
  const all = cases.flatMap(({ functions = [], blamed }) => [...functions, ...(blamed ? [blamed] : [])]);
  return all.map(({ name, file, line, effectPct }) => `${name} (${file}:${line}) ${effectPct.toFixed(1)} %`);
}

const tries = Number(values.tries);
const rows = [];
const usually = [
  { what: 'serialize does more', rounds: more, budget: undefined },
  { what: 'nothing changed', rounds: usual, budget: undefined },
];
const within = values.budgets
  ?.split(',')
  .map((budget) => ({ what: `a run of ${budget}`, rounds: 4 * usual, budget }));
for (const { what, rounds, budget } of within ?? usually) {
  const found = [];
  for (let i = 0; i < tries; i++) {
    const scratch = mkdtempSync(join(tmpdir(), 'perf-why-'));
    const names = await named(join(scratch, 'top'), rounds, budget).finally(() =>
      rmSync(scratch, { recursive: true, force: true }),
    );
    process.stderr.write(`${what}: ${names?.join(', ') || 'no function'}\n`);
    if (names) found.push(names);
  }
  const firsts = found.filter(([name]) => name?.startsWith(first)).length;
  rows.push([what, found.length, firsts, found.filter(({ length }) => length > 0).length].map(String));
}
console.log(markdownTable([['what', 'tries', 'serialize first', 'any function named'], ...rows]));
