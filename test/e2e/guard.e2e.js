/** The check of action.yml, run as it is: it stops steps that would run what measured code wrote. */

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { ROOT } from './tools.js';
import { scratchFolder } from '../scratch.js';

/**
 * @typedef {{ id?: string, name: string, uses?: string, run?: string, shell?: string, env?: Record<string,
 *   string>, if?: string, with?: Record<string, string> }} Step
 */
/** @type {Step[]} */
const STEPS = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')).runs.steps;
/** @type {(wanted: string) => Step} */
const stepOf = (wanted) => STEPS.find(({ id }) => id === wanted) ?? assert.fail(wanted);

const OURS = {
  'action.yml': '',
  'package.json': '{}',
  'scripts/github/action.js': '',
  'presets/quick.yml': '',
  'servers/express/server.yml': '',
  'node_modules/yaml/index.js': '',
};

/**
 * A job's folders, recorded by the step before the measurement.
 * @param {(job: { action: string, work: string, event: string, node: string, log: string, check: (env?:
 *   object) => string }) => void} use node: the one that steps run; log: what recording printed; check: what
 *   the check prints now
 * @param {{ place?: string, externals?: string, more?: Record<string, string> }} [options] place: where the
 *   action lies; externals: where the runner's Node.js lies; more: variables
 */
function inJob(
  use,
  { place = '_actions/org/perf-action/v1', externals = 'runner/externals/node24', more: variables = {} } = {},
) {
  const work = scratchFolder();
  const action = join(work, place);
  const put = (/** @type {string} */ file, /** @type {string} */ text) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const event = join(work, '_temp/event.json');
  put(event, '{ "number": 7 }');
  put(join(work, '_actions/actions/upload-artifact/v7/dist/index.js'), '');
  mkdirSync(join(work, 'app/app'), { recursive: true });
  for (const [name, text] of Object.entries(OURS)) put(join(action, name), text);
  const outputs = join(work, 'outputs');
  writeFileSync(outputs, '');
  const node = join(work, 'toolcache/node');
  mkdirSync(dirname(node));
  copyFileSync(process.execPath, node);
  const env = {
    PATH: [dirname(node), process.env.PATH].join(delimiter),
    HOME: work,
    GITHUB_ACTION_PATH: action,
    GITHUB_EVENT_PATH: event,
    GITHUB_OUTPUT: outputs,
    RUNNER_WORKSPACE: join(work, 'app'),
    ...variables,
  };
  // A shell's parent is the runner's program, which lies beside its Node.js.
  const runner = join(work, 'runner/bin/Runner.Worker');
  put(runner, '');
  copyFileSync('/usr/bin/timeout', runner);
  chmodSync(runner, 0o755);
  put(join(work, externals, 'bin/node'), '');
  const bash = (/** @type {string} */ script, more = {}) =>
    // What waits for ever is ended, and its children with it.
    spawnSync(runner, ['20', '/bin/bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      env: { ...env, ...more },
      encoding: 'utf8',
    });
  const recorded = bash(stepOf('guard').run?.replace('$GITHUB_ACTION_PATH', ROOT) ?? '');
  assert.equal(recorded.status, 0, recorded.stdout + recorded.stderr);
  const written = [...readFileSync(outputs, 'utf8').matchAll(/^(.+)<<(.+)\n([^]*?)\n\2$/gm)];
  const values = Object.fromEntries(written.map(([, name = '', , value = '']) => [name, value]));
  const given = Object.entries(stepOf('check').env ?? {}).map(([name, value]) => [
    name,
    value.replace(
      /^\$\{\{ steps\.guard\.outputs\.(\w+) \}\}$/,
      (_, output) => values[output] ?? assert.fail(output),
    ),
  ]);
  const check = (/** @type {object} */ more = {}) => {
    const { status, stdout } = bash(`${stepOf('check').run}\necho ran`, {
      ...more,
      ...Object.fromEntries(given),
    });
    assert.equal(status === 0, stdout === 'ran\n', stdout);
    return stdout;
  };
  use({ action, work, event, node, log: recorded.stdout, check });
}

const REFUSED =
  /^::error title=perf-action::measured code changed (.*): later steps of the action do not run\n$/;

test('results written into a workspace that is the action itself raise no alarm', () =>
  inJob(
    ({ action, log, check }) => {
      assert.equal(log, '');
      mkdirSync(join(action, 'perf-results'));
      writeFileSync(join(action, 'perf-results/run.json'), '{}');
      assert.equal(check(), 'ran\n');
    },
    { place: 'app/app' },
  ));

/** What a later step would run or read, from the folder in which all lies. */
const RUN_LATER = [
  ...Object.keys(OURS).map((file) => join('_actions/org/perf-action/v1', file)),
  '_actions/org/perf-action/v1/scripts/package.json',
  '_actions/actions/upload-artifact/v7/dist/index.js',
  '_temp/event.json',
  'node_modules/optional/index.js',
  '.node_modules/optional/index.js',
  'runner/externals/node24/bin/node',
  'toolcache/node',
];

test('a change to anything that later steps run or read stops them', () =>
  inJob(({ work, check }) => {
    for (const file of RUN_LATER.map((name) => join(work, name))) {
      const before = existsSync(file) ? readFileSync(file) : undefined;
      const made = mkdirSync(dirname(file), { recursive: true });
      appendFileSync(file, '//');
      assert.match(check(), REFUSED, file);
      if (before) writeFileSync(file, before);
      else rmSync(made ?? file, { recursive: true });
    }
    assert.equal(check(), 'ran\n', 'all is as it was');
  }));

test('a pipe or an endless device in place of a file is refused without waiting', () => {
  /** @type {((event: string) => void)[]} */
  const attacks = [(file) => execFileSync('mkfifo', [file]), (file) => symlinkSync('/dev/zero', file)];
  inJob(({ event, action, check }) => {
    for (const file of [event, join(action, 'package.json')])
      for (const attack of attacks) {
        rmSync(file);
        attack(file);
        assert.match(check(), REFUSED);
      }
  });
});

test('a folder that a link names belongs to the action', () =>
  inJob(({ work, action, check }) => {
    renameSync(join(action, 'scripts'), join(work, 'elsewhere'));
    symlinkSync(join(work, 'elsewhere'), join(action, 'scripts'));
    assert.match(check(), REFUSED);
  }));

test('a program that saves a cache is checked where a cache is saved', () => {
  for (const [store, expected] of /** @type {const} */ ([
    ['cache', REFUSED],
    ['branch', /^ran$/m],
  ]))
    inJob(
      ({ node, check }) => {
        writeFileSync(join(dirname(node), 'zstd'), '#!/bin/sh\n', { mode: 0o755 });
        assert.match(check(), expected);
      },
      { more: { PERF_INPUTS: JSON.stringify({ 'baseline-store': store }) } },
    );
});

test('the check loads nothing that a variable of the job names', () =>
  inJob(({ work, check }) => {
    writeFileSync(join(work, 'evil.sh'), 'echo EVIL; exit 0\n');
    writeFileSync(join(work, 'evil.cjs'), 'console.log("EVIL");\n');
    for (const library of ['libc.so.6', 'libtinfo.so.6']) writeFileSync(join(work, library), 'EVIL');
    const hostile = {
      BASH_ENV: join(work, 'evil.sh'),
      LD_LIBRARY_PATH: work,
      NODE_OPTIONS: `--require ${join(work, 'evil.cjs')}`,
      PATH: work,
    };
    assert.equal(check(hostile), 'ran\n');
  }));

test('a runner whose actions or Node.js cannot be found gets a warning', () => {
  const titled = /^::warning title=perf-action::the action cannot find where this runner keeps (.*?),/gm;
  const missing = (/** @type {string} */ log) => [...log.matchAll(titled)].map(([, what]) => what);
  inJob(({ log }) => assert.deepEqual(missing(log), ["the job's actions"]), {
    more: { RUNNER_WORKSPACE: '' },
  });
  inJob(({ log }) => assert.deepEqual(missing(log), ["the job's actions"]), {
    more: { RUNNER_WORKSPACE: '/nowhere/app' },
  });
  inJob(({ log }) => assert.deepEqual(missing(log), ['its own Node.js']), { externals: 'elsewhere' });
});

test('after the measurement comes the check, and every other step needs its success and loads nothing else', () => {
  const [check, ...later] = STEPS.slice(STEPS.findIndex(({ id }) => id === 'run') + 1);
  assert.equal(check?.id, 'check');
  assert.ok(later.filter(({ uses }) => uses).length >= 2);
  for (const { name, if: condition, uses, env = {}, ...step } of later) {
    assert.match(condition ?? '', /steps\.check\.outcome == 'success'/, name);
    const emptied = ['LD_AUDIT', 'LD_LIBRARY_PATH', 'LD_PRELOAD'].concat(
      uses ? ['NODE_OPTIONS', 'NODE_PATH'] : 'BASH_ENV',
    );
    for (const variable of emptied) assert.equal(env[variable], '', `${name}: ${variable}`);
    if (uses) continue;
    assert.equal(step.shell, '/bin/bash --noprofile --norc -eo pipefail {0}', name);
    assert.match(
      step.run ?? '',
      /^eval "\$PERF_ENVIRONMENT"\nexec "\$node" "\$GITHUB_ACTION_PATH\/scripts\/github\/action\.js" \w+\n$/,
      name,
    );
  }
});

test('other actions get no token, and none saves a cache at the end of the job', () => {
  for (const { uses = '', with: given = {}, name } of STEPS) {
    if (/^actions\/setup-/.test(uses)) assert.equal(given.token, '', name);
    assert.doesNotMatch(uses, /^actions\/cache@/, name);
  }
});
