/** The guards of action.yml, run as they are: they stop steps that would run what measured code wrote. */

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const ACTION = fileURLToPath(new URL('../../action.yml', import.meta.url));
/** @type {{ id?: string, name: string, uses?: string, run?: string, env?: Record<string, string>, if?: string, with?: Record<string, string> }[]} */
const STEPS = parse(readFileSync(ACTION, 'utf8')).runs.steps;

const OURS = {
  'action.yml': '',
  'package.json': '{}',
  'scripts/github/action.js': '',
  'presets/quick.yml': '',
  'servers/express/server.yml': '',
  'node_modules/yaml/index.js': '',
};

/**
 * A job's folders, with the action installed.
 * @param {(job: { action: string, work: string, event: string, log: string, guards: (env?: object) => { ours: string, others: string } }) => void} use
 *   log: what the installation printed; guards: what the guards print now
 * @param {{ place?: string, node?: string, more?: Record<string, string> }} [options] place: where the action lies; node: where the
 *   runner's Node.js lies; more: variables
 */
function inJob(
  use,
  { place = '_actions/org/perf-action/v1', node = 'runner/externals/node24', more: variables = {} } = {},
) {
  const work = mkdtempSync(join(tmpdir(), 'perf-guard-'));
  try {
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
    const env = {
      PATH: process.env.PATH,
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
    put(join(work, node, 'bin/node'), '');
    const bash = (/** @type {string} */ script, more = {}) =>
      // What waits for ever is ended, and its children with it.
      spawnSync(runner, ['20', 'bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
        env: { ...env, ...more },
        encoding: 'utf8',
      });
    // All but the installation itself, which would empty the folder of modules.
    const install = STEPS.find(({ id }) => id === 'install')?.run ?? '';
    const installed = bash(install.replace(/^npm .*\n.*\n/, ''));
    assert.equal(installed.status, 0, installed.stderr);
    const written = readFileSync(outputs, 'utf8').trim().split('\n').slice(-2);
    const [ours = '', others = ''] = written.map((line) => line.slice(line.indexOf('=') + 1));
    const outcomeOf = (/** @type {string} */ guard) => {
      const { status, stdout, stderr } = bash('eval "$PERF_GUARD"; echo ran', { PERF_GUARD: guard });
      assert.equal(stderr, '');
      assert.equal(status === 0, stdout === 'ran\n', stdout);
      return stdout;
    };
    use({
      action,
      work,
      event,
      log: installed.stdout,
      guards: () => ({ ours: outcomeOf(ours), others: outcomeOf(others) }),
    });
  } finally {
    rmSync(work, { recursive: true });
  }
}

test('results written into a workspace that is the action itself raise no alarm', () =>
  inJob(
    ({ action, guards }) => {
      mkdirSync(join(action, 'perf-results'));
      writeFileSync(join(action, 'perf-results/run.json'), '{}');
      assert.deepEqual(guards(), { ours: 'ran\n', others: 'ran\n' });
    },
    { place: 'app/app' },
  ));

test('a changed file of the action, of its modules or a changed event stops a step with a token', () => {
  for (const file of ['scripts/github/action.js', 'node_modules/yaml/index.js', 'servers/express/server.yml'])
    inJob(({ action, guards }) => {
      appendFileSync(join(action, file), '//');
      assert.match(
        guards().ours,
        /^::error title=perf-action::measured code changed the files of the action/,
      );
    });
  inJob(({ event, guards }) => {
    writeFileSync(event, '{ "number": 8 }');
    assert.match(guards().ours, /^::error .*of the event/);
  });
});

test('a pipe or an endless device in place of the event is refused without waiting', () => {
  /** @type {((event: string) => void)[]} */
  const attacks = [(event) => execFileSync('mkfifo', [event]), (event) => symlinkSync('/dev/zero', event)];
  inJob(({ event, guards }) => {
    for (const attack of attacks) {
      rmSync(event);
      attack(event);
      assert.match(guards().ours, /^::error .*of the event/);
    }
  });
});

for (const file of ['_actions/actions/upload-artifact/v7/dist/index.js', 'runner/externals/node24/bin/node'])
  test(`a changed file stops other actions but not our steps: ${file}`, () =>
    inJob(({ work, log, guards }) => {
      assert.equal(log, '');
      appendFileSync(join(work, file), 'evil()');
      const { ours, others } = guards();
      assert.equal(ours, 'ran\n');
      assert.match(others, /^::error .*measured code changed the files of the job's other actions/);
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
  inJob(({ log }) => assert.deepEqual(missing(log), ['its own Node.js']), { node: 'elsewhere' });
});

test('after the measurement, guarded steps with a token come first, other actions last behind a check', () => {
  const after = STEPS.slice(STEPS.findIndex(({ id }) => id === 'run') + 1);
  const uses = after.filter((step) => step.uses);
  const check = after.findIndex(({ id }) => id === 'check');
  assert.ok(uses.length >= 2 && check > 0);
  for (const step of uses) {
    assert.ok(after.indexOf(step) > check, step.name);
    assert.match(step.if ?? '', /steps\.check\.outcome == 'success'/);
  }
  for (const step of after.filter((each) => each.run)) {
    assert.match(step.run ?? '', /^eval "\$PERF_GUARD"/, step.name);
    const hasToken = JSON.stringify(step.env).includes('token');
    assert.ok(!hasToken || after.indexOf(step) < check, step.name);
  }
});

test('other actions get no token, and none saves a cache at the end of the job', () => {
  for (const { uses = '', with: given = {}, name } of STEPS) {
    if (/^actions\/setup-/.test(uses)) assert.equal(given.token, '', name);
    assert.doesNotMatch(uses, /^actions\/cache@/, name);
  }
});
