/** What people ask for: perf.yml, a server's manifest, a `/perf` comment, and the events that bring it. */

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { parseRequest } from '../../scripts/github/commands/slash-command.js';
import { isOfMain, readComment, readEvent, readHead, readMeasuring } from '../../scripts/github/event.js';
import { readInputs, readOptions } from '../../scripts/github/contract/inputs.js';
import { readServer } from '../../scripts/catalog/catalog.js';
import { readConfig } from '../../scripts/config/config.js';
import { planOf } from '../../scripts/plan/shard.js';
import { planAnswer } from '../../scripts/report/document/plan-answer.js';
import { wordsIn } from '../../scripts/report/text/words.js';
import { sidesHere } from '../../scripts/session/sides.js';
import { anything, figure, holdsFor, MANY, mostly, odd } from './property.js';
import { thisProcess } from '../../scripts/system/this-project.js';
import { scratchFolder } from '../scratch.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const dir = scratchFolder();
mkdirSync(join(dir, 'app'));

const name = fc.oneof(fc.constantFrom('app', 'two', '/', '/a', 'autocannon', 'wrk', 'ab', 'fastify'), odd);
const count = fc.oneof(fc.integer({ min: 1, max: 20 }), figure);
const time = fc.oneof(fc.constantFrom('1s', '500ms', '5m', '0s', '99999h', '1e5s'), odd);
/** @param {fc.Arbitrary<unknown>} item */
const several = (item) => fc.oneof(item, fc.array(item, { maxLength: 4 }));

const route = mostly({
  path: fc.oneof(fc.constantFrom('/', '/a', '/a b'), odd),
  method: fc.constantFrom('GET', 'POST', 'get'),
  headers: fc.dictionary(odd, odd, { maxKeys: 2 }),
  body: odd,
  expect: mostly({ status: count, type: odd, body: odd, json: anything }),
});
const manifest = mostly({
  id: fc.constantFrom('app', 'two', 'constructor', '__proto__'),
  name: odd,
  runtime: fc.constantFrom('node', 'java', 'constructor', '__proto__'),
  node: fc.oneof(count, odd),
  start: fc.oneof(fc.constant('node app.js'), fc.array(odd, { maxLength: 3 })),
  install: odd,
  ready: mostly({ path: odd, timeout: time }),
  routes: fc.array(fc.oneof(fc.constant({ path: '/' }), route), { maxLength: 3 }),
  needs: fc.array(fc.constantFrom('redis', 'postgres', 'toString'), { maxLength: 2 }),
  env: fc.dictionary(odd, anything, { maxKeys: 3 }),
  paths: fc.array(odd, { maxLength: 2 }),
});
const entry = mostly({
  server: name,
  route: name,
  connections: count,
  duration: time,
  tool: name,
});
const config = mostly({
  title: odd,
  preset: fc.constantFrom('quick', 'constructor', '__proto__'),
  servers: several(fc.oneof(name, manifest)),
  reference: name,
  relativeTo: name,
  routes: several(fc.oneof(name, route)),
  load: mostly({
    tool: several(name),
    connections: several(count),
    keepAlive: several(fc.boolean()),
    rate: several(count),
    duration: time,
    warmup: time,
    windows: count,
  }),
  exclude: fc.array(entry, { maxLength: 2 }),
  include: fc.array(entry, { maxLength: 2 }),
  rounds: count,
  budget: time,
  maxRunning: count,
  seed: count,
  against: fc.constantFrom('self', 'off', 'main'),
  out: fc.constantFrom('out', 'app'),
  margin: fc.oneof(fc.constantFrom('5%', '0.1%'), odd),
  margins: fc.dictionary(fc.oneof(fc.constantFrom('throughput', 'p99'), odd), odd, { maxKeys: 2 }),
  gates: fc.dictionary(fc.oneof(fc.constantFrom('throughput', 'errors'), odd), odd, { maxKeys: 2 }),
  failOn: fc.constantFrom('regressed', 'never', 'toString'),
  published: anything,
});
const written = (/** @type {fc.Arbitrary<unknown>} */ value) =>
  fc.oneof({ arbitrary: value.map((each) => stringify(each)), weight: 8 }, { arbitrary: yaml(), weight: 1 });

/** Text that looks like YAML now and then. */
function yaml() {
  const part = fc.constantFrom(
    'a: ',
    '- ',
    '&a ',
    '*a',
    '{',
    '}',
    '[',
    ']',
    '\n',
    '  ',
    '<<: ',
    '? ',
    '!!set ',
    '| ',
  );
  return fc
    .array(fc.oneof(part, fc.constantFrom('%YAML 1.1\n---\n', 'servers: ', 'load: ', '# x'), odd), {
      maxLength: 12,
    })
    .map((parts) => parts.join(''));
}

test('every perf.yml gives a plan, or one line for each mistake', () =>
  holdsFor(written(config), (text) => {
    writeFileSync(join(dir, 'perf.yml'), text);
    const asked = readConfig({ options: {}, cwd: dir, root: ROOT, seed: 1, caller: thisProcess() });
    if (asked.servers.length > 0) planAnswer(planOf(asked, sidesHere(asked)), wordsIn());
  }));

test('every manifest is a server, or one line for each mistake', () =>
  holdsFor(written(manifest), (text) => {
    writeFileSync(join(dir, 'app', 'server.yml'), text);
    readServer(join(dir, 'app'), thisProcess());
  }));

const word = fc.oneof(
  fc.tuple(
    fc.constantFrom('servers', 'rounds', 'tool', 'rate', 'constructor', 'duration', 'shards', 'seed'),
    odd,
  ),
  fc.tuple(odd, fc.oneof(odd, count.map(String), time)),
);
const comment = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(word, { maxLength: 5 })
    .map((words) => ['/perf', ...words.map((pair) => pair.join('='))].join(' ')),
);

test('every comment is a request, or none, or one line for each mistake', () =>
  holdsFor(comment, parseRequest, MANY));

const sha = fc.constantFrom('a'.repeat(40), '0'.repeat(40), 'x', '');
const person = mostly({ login: odd, name: odd });
const event = mostly({
  action: fc.constantFrom('labeled', 'opened'),
  label: mostly({ name: odd }),
  sender: person,
  pull_request: mostly({
    number: figure,
    base: mostly({ sha }),
    head: mostly({ sha }),
    labels: fc.array(mostly({ name: odd }), { maxLength: 2 }),
  }),
  issue: mostly({ number: figure, pull_request: anything, labels: anything }),
  comment: mostly({ id: figure, body: comment, user: person }),
  workflow_run: mostly({
    id: figure,
    event: odd,
    head_sha: sha,
    head_branch: odd,
    head_repository: anything,
  }),
  head_commit: mostly({ id: sha, message: odd, author: person }),
  repository: mostly({ default_branch: odd }),
  merge_group: mostly({ base_sha: sha }),
  before: sha,
});

test('every event is read, or refused in one line', () =>
  holdsFor(
    fc.oneof(
      event.map((each) => JSON.stringify(each)),
      fc.string(),
      anything.map((each) => JSON.stringify(each)),
    ),
    (text) => {
      const file = join(dir, 'event.json');
      writeFileSync(file, text ?? '');
      const env = {
        GITHUB_EVENT_PATH: file,
        GITHUB_EVENT_NAME: 'push',
        GITHUB_REPOSITORY: 'o/r',
        GITHUB_REF: 'refs/heads/main',
      };
      for (const read of [readEvent, readHead, readComment, readMeasuring, isOfMain]) read(env);
    },
  ));

test('a default branch that is no text is not the main branch', () => {
  const file = join(dir, 'event.json');
  writeFileSync(file, '{"repository":{"default_branch":{"toString":"constructor"}}}');
  const env = { GITHUB_EVENT_PATH: file, GITHUB_EVENT_NAME: 'push', GITHUB_REF: 'refs/heads/main' };
  assert.equal(isOfMain(env), false);
});

test('the inputs of an action are options, or refused in one line', () =>
  holdsFor(
    fc.oneof(
      mostly({
        options: fc.oneof(
          odd,
          fc.dictionary(odd, anything).map((each) => JSON.stringify(each)),
        ),
        servers: odd,
      }).map((each) => JSON.stringify(each)),
      fc.string(),
      anything.map((each) => JSON.stringify(each) ?? ''),
    ),
    (text) => readOptions(readInputs({ PERF_INPUTS: text })),
    MANY,
  ));
