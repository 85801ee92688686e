/** What measured code may try on a job whose later step has a token, done by a server under act. */

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { unpack } from '../actions/unpack.js';
import { openWorkshop, SPY } from '../actions/workshop.js';
import { startGitHub } from '../api/github.js';
import { toolEnvironment } from '../tools.js';

/** @type {Awaited<ReturnType<typeof openWorkshop>>} */
let workshop;
/**
 * The job that uses the action twice for a server that leaves traps.
 * @type {Awaited<ReturnType<typeof measureSpy>>}
 */
let trapped;
before(async () => {
  workshop = await openWorkshop();
  trapped = await measureSpy(LEAVES_TRAPS, { uses: 2 });
});
after(() => workshop.remove());

/**
 * A job that measures the spy.
 * @param {string} first what its server does before it leaves the daemon, which ends it
 * @param {Partial<Parameters<typeof workshop.run>[2]>} [site]
 * @param {typeof workshop} [place]
 */
async function measureSpy(first, site = {}, place = workshop) {
  const spy = join(place.repository, 'spy');
  const notes = mkdtempSync(join(place.repository, '../notes-'));
  chmodSync(notes, 0o777);
  writeFileSync(join(spy, 'notes'), notes);
  const server = readFileSync(join(spy, 'server.js'), 'utf8');
  writeFileSync(join(spy, 'server.js'), first + server);
  const github = await startGitHub({});
  try {
    const { code, log, artifacts } = await place.run(SPY, github.url, site);
    return {
      code,
      artifacts,
      log,
      comments: github.comments.length,
      note: (/** @type {string} */ name) => join(notes, name),
    };
  } finally {
    github.close();
    writeFileSync(join(spy, 'server.js'), server);
  }
}

/**
 * What a server does before it leaves the daemon: it puts links beside and in place of the results, and
 * prepares the checkout for a second use of the action in the same job.
 */
const LEAVES_TRAPS = String.raw`
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
const notes = readFileSync('notes', 'utf8').trim();
writeFileSync(notes + '/secret', 's3cr3t');
const out = '../perf-results';
mkdirSync(out, { recursive: true });
symlinkSync('/proc/self/environ', out + '/evil.json');
symlinkSync(notes + '/secret', out + '/comparison.json');
symlinkSync(notes, out + '/base');
writeFileSync(notes + '/run.json', 's3cr3t');
linkSync(notes + '/secret', out + '/report.html');
execFileSync('mkfifo', [out + '/report.txt']);
writeFileSync(out + '/other.json', 's3cr3t');
writeFileSync(notes + '/evil.sh', '#!/bin/sh\ntr "\\0" "\\n" < /proc/$PPID/environ >> ' + notes + '/seen\nenv >> ' + notes + '/seen\ncat /proc/[0-9]*/environ >> ' + notes + '/seen\n', { mode: 0o755 });
for (const [key, value] of [
  ['protocol.ext.allow', 'always'],
  ['remote.origin.url', 'ext::' + notes + '/evil.sh'],
  ['core.fsmonitor', notes + '/evil.sh'],
])
  execFileSync('git', ['config', '--local', key, value]);
writeFileSync(notes + '/configured', '');
`;

test('a daemon that left session, parent and environment, and killed its supervisor, is dead before the step with the token', () => {
  const { log, comments, note } = trapped;
  assert.equal(comments, 1, log);
  const process = `/proc/${readFileSync(note('pid'), 'utf8')}/cmdline`;
  // Its id may be another's by now.
  assert.doesNotMatch(existsSync(process) ? readFileSync(process, 'latin1') : '', /daemon\.js/);
  assert.equal(existsSync(note('stolen')) ? readFileSync(note('stolen'), 'utf8') : '', '');
});

test('only regular files with known names leave the job as an artifact', async () => {
  const files = await unpack(trapped.artifacts['perf-results-perf']);
  assert.deepEqual(Object.keys(files).sort(), ['report.html', 'report.md', 'run.json'], trapped.log);
  assert.doesNotMatch(Object.values(files).join(''), /s3cr3t|ACTIONS_RUNTIME_TOKEN/);
});

test('a second use in one job is refused before it reads the checkout', () => {
  const { code, log, note } = trapped;
  assert.ok(existsSync(note('configured')), log);
  assert.notEqual(code, 0, log);
  assert.match(log, /::error.*perf-action has already measured in this job, .*; use two jobs/);
  const seen = existsSync(note('seen')) ? readFileSync(note('seen'), 'latin1') : '';
  assert.doesNotMatch(seen, /PERF_GITHUB_TOKEN=ghs_/);
});

/**
 * It finds the action by the command line of the engine; another workshop's is left alone.
 * @param {string} folder of the workshop
 * @param {string} other a file of another action
 */
const changesActions = (folder, other) => String.raw`
import { appendFileSync as append, readdirSync, readFileSync } from 'node:fs';
append('${other}', '\nconsole.log("EVIL upload");');
for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
  try {
    const [, file = '', step] = readFileSync('/proc/' + pid + '/cmdline', 'utf8').split('\0');
    if (file.startsWith('${folder}/') && file.endsWith('/scripts/github/action.js') && step === 'run') append(file, '\nconsole.log("EVIL", process.argv[2]);\n');
  } catch {}
}
`;

test("a change to the action on the disk, or to another action's files, is found before a later step runs it", async () => {
  const folder = dirname(workshop.repository);
  const file = join(folder, '_actions/actions/upload-artifact/stand-in.js');
  const before = readFileSync(file, 'utf8');
  try {
    const { code, log, comments } = await measureSpy(changesActions(folder, file));
    assert.match(readFileSync(file, 'utf8'), /EVIL/, 'the attack was made');
    assert.notEqual(code, 0, log);
    const [, changed = ''] =
      /::error.*measured code changed (.*): later steps of the action do not run/.exec(log) ?? [];
    assert.match(changed, /\/scripts\b/);
    assert.match(changed, /\/_actions\b/);
    assert.doesNotMatch(log, /EVIL (comment|upload)/);
    assert.equal(comments, 0);
  } finally {
    writeFileSync(file, before);
  }
});

/** What steps might call by name, and what measured code might call beside it. */
const PROGRAMS =
  'bash cat cp cut date dirname env find git gzip id mkdir node openssl perl printf readlink rm sed sh sha256sum sudo tar timeout tr zstd';

/**
 * Plants programs in all folders of the PATH but the system's, and code in files that variables of the job
 * name. Each notes its command line and environment, then does what is expected of it.
 * @param {string} named the files, without their endings
 */
const plants = (named) => String.raw`
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
const ran = join(readFileSync('notes', 'utf8').trim(), 'ran');
const note = (name) => '{ echo "ran ' + name + ' $*"; /usr/bin/env; echo; } >> "' + ran + '"\n';
for (const folder of process.env.PATH.split(':').filter((each) => !/^(\/usr)?\/s?bin$/.test(each)))
  for (const name of '${PROGRAMS}'.split(' ')) {
    const program = name === 'node' ? '${process.execPath}' : '/usr/bin/' + name;
    rmSync(join(folder, name), { force: true });
    writeFileSync(join(folder, name), '#!/bin/sh\n' + note(name) + 'exec ' + program + ' "$@"\n', { mode: 0o755 });
  }
writeFileSync('${named}.sh', note('BASH_ENV'));
const lines = "['ran NODE_OPTIONS ' + process.argv.join(' '), ...Object.entries(process.env).map((each) => each.join('='))]";
writeFileSync('${named}.cjs', "require('fs').appendFileSync('" + ran + "', " + lines + ".join('\\n') + '\\n\\n');\n");
`;

/**
 * @param {string} file which the plants wrote
 * @returns {string[]} what ran with variables of a step after the measurement, but for the caller's own step,
 *   which shows that what was planted runs; act runs JavaScript actions by the PATH's Node.js, where a runner
 *   has its own
 */
function ranLater(file) {
  const notes = readFileSync(file, 'utf8').split('\n\n');
  const ofAct = /^ran node .*stand-in\.js\n/;
  const isLater = (/** @type {string} */ note) =>
    /^(PERF|INPUT)_/m.test(note) && !/^(PERF_PLAN|OUTPUTS)=/m.test(note);
  return notes.filter((note) => isLater(note) && !ofAct.test(note));
}

const USER = process.getuid?.() === 0 ? 65_534 : process.getuid?.();
const AS_ROOT = process.getuid?.() === 0 ? ['env'] : ['sudo', '--non-interactive', '--preserve-env'];
const canMount = spawnSync(AS_ROOT[0] ?? '', [...AS_ROOT.slice(1), 'true']).status === 0;

/**
 * What a hosted runner has: a user who is not root and can write /usr/local/bin and /usr/local/sbin.
 * @param {string} folder its files become that user's
 * @param {string} path
 * @returns {string[]} starts a program there
 */
function onHostedRunner(folder, path) {
  const [bin = '', sbin = '', home = ''] = ['bin', 'sbin', 'home'].map((name) => join(folder, 'local', name));
  for (const dir of [bin, sbin, home]) mkdirSync(dir, { recursive: true });
  const prepare = [
    `chown -R ${USER}:${USER} '${folder}'`,
    `mount --bind '${bin}' /usr/local/bin`,
    `mount --bind '${sbin}' /usr/local/sbin`,
    `export HOME='${home}' PATH='${path}'`,
    `exec setpriv --reuid=${USER} --regid=${USER} --clear-groups "$@"`,
  ];
  return [...AS_ROOT, 'unshare', '--mount', 'sh', '-c', prepare.join(' && '), 'sh'];
}

test(
  'no program that measured code planted on the PATH runs in a later step',
  {
    skip: !canMount && 'needs root or sudo',
  },
  async () => {
    const hosted = await openWorkshop();
    try {
      const folder = dirname(hosted.repository);
      const [act] = String(execFileSync('which', ['act'], { env: toolEnvironment() })).split('\n');
      symlinkSync(String(act), join(hosted.bin, 'act'));
      symlinkSync(process.execPath, join(hosted.bin, 'node'));
      const server = join(hosted.repository, 'spy/server.js');
      writeFileSync(server, readFileSync(server, 'utf8').replace(/^spawn\(.*$/m, ''));
      const named = join(folder, 'named');
      for (const ending of ['sh', 'cjs']) writeFileSync(`${named}.${ending}`, '');
      const system = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
      const around = onHostedRunner(folder, [hosted.bin, ...system].join(':'));
      const env = { BASH_ENV: `${named}.sh`, NODE_OPTIONS: `--require=${named}.cjs` };
      const { code, log, comments, note } = await measureSpy(plants(named), { around, env }, hosted);
      for (const dir of [hosted.bin, join(folder, 'local/bin'), join(folder, 'local/sbin')])
        assert.ok(existsSync(join(dir, 'tar')), log);
      assert.match(readFileSync(note('ran'), 'utf8'), /^ran /, 'what was planted runs');
      assert.deepEqual(ranLater(note('ran')), []);
      assert.equal(code, 0, log);
      assert.equal(comments, 1, log);
    } finally {
      hosted.remove();
    }
  },
);
