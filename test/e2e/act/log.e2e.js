/** A job's log: what a server and a load tool print is text there, under act. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { openWorkshop } from '../actions/workshop.js';
import { withGitHub } from '../api/github.js';
import { gitIn, toolEnvironment } from '../tools.js';
import { assertHarmless, PRINTED } from '../../github/hostile-log.js';
import { scratchFolder } from '../../scratch.js';

/** act prints what a step says behind the job's name, and then the job's summary, which is no log. */
const PREFIX = /^\[[^\]]+\](\s+(\||❗|⚙|💬|❓)?\s*)?/u;

/** @type {Awaited<ReturnType<typeof openWorkshop>>} */
let workshop;
const scratch = scratchFolder();
before(async () => {
  workshop = await openWorkshop();
});
after(() => {
  workshop.remove();
});

test('what a server and a load tool print is text, in the live log and in the report of what failed', () =>
  withGitHub({}, async ({ url }) => {
    for (const name of ['loud', 'loaded']) mkdirSync(join(workshop.repository, name));
    const prints = `console.log(${JSON.stringify(PRINTED)}); console.error(${JSON.stringify(PRINTED)});`;
    writeFileSync(join(workshop.repository, 'loud/server.js'), `${prints} process.exitCode = 1;`);
    const good = readFileSync(join(workshop.repository, 'app/server.js'), 'utf8');
    writeFileSync(join(workshop.repository, 'loaded/server.js'), `${prints}\n${good}`);
    for (const name of ['loud', 'loaded'])
      writeFileSync(
        join(workshop.repository, name, 'server.yml'),
        `name: ${JSON.stringify(PRINTED)}\nstart: node server.js\nroutes: [{ path: / }]\n`,
      );
    const bin = join(scratch, 'bin');
    mkdirSync(bin);
    const tool = `#!/bin/sh\ncase "$1" in -v) echo 'wrk 4.1.0'; exit 1;; esac\ncat '${join(scratch, 'printed')}' >&2\nexit 1\n`;
    writeFileSync(join(scratch, 'printed'), PRINTED);
    writeFileSync(join(bin, 'wrk'), tool, { mode: 0o755 });
    const PATH = [bin, toolEnvironment().PATH].join(delimiter);
    await gitIn(workshop.repository)('add', '-A');
    await gitIn(workshop.repository)('commit', '-q', '-m', 'loud');
    const inputs = {
      servers: './loud,./loaded',
      tool: 'wrk',
      duration: '1s',
      warmup: '0',
      rounds: '1',
      reference: 'off',
    };
    const { log } = await workshop.run(inputs, url, { env: { PATH } });
    assertHarmless(log, /ended with 1[^]*EVIL-a/, PREFIX);
    assert.match(log, /wrk .* ended with 1/);
  }));

/**
 * Takes a socket out of a process that may be traced, and prints into it:
 * https://man7.org/linux/man-pages/man2/pidfd_getfd.2.html
 */
const TAKES = `my ($pid, $fd, $text) = @ARGV;
my $taken = syscall(438, syscall(434, $pid + 0, 0), $fd + 0, 0);
exit 1 if $taken < 0;
open(my $socket, '>&=', $taken);
print $socket $text;`;

/**
 * Prints commands where the engine and the processes above it print; then writes a variable into the runner's
 * file for later steps, which act keeps there, and makes a folder of the summary, which stopped the restoring
 * of everything after it.
 */
const FORGES = `
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync as append, mkdirSync, readFileSync as read, rmSync, writeFileSync as write } from 'node:fs';
import { dirname, join } from 'node:path';
const text = ${JSON.stringify(`\n${PRINTED}\n`)};
const tried = [];
for (let pid = process.ppid; pid > 1; pid = Number(/^PPid:\\s+(\\d+)/m.exec(read('/proc/' + pid + '/status', 'utf8'))[1]))
  for (const fd of [1, 2]) {
    const name = read('/proc/' + pid + '/comm', 'utf8').trim() + ' ' + fd + ' ';
    try {
      append('/proc/' + pid + '/fd/' + fd, text);
      tried.push(name + 'written');
    } catch ({ code }) {
      tried.push(name + code);
    }
    const { status } = spawnSync('perl', ['-e', ${JSON.stringify(TAKES)}, pid, fd, text]);
    tried.push(name + (status === 0 ? 'taken' : 'not taken'));
  }
write(SCRATCH + '/tried', tried.join('\\n'));
write(SCRATCH + '/evil.sh', 'touch ' + SCRATCH + '/ran\\n');
for (const file of String(execFileSync('find', ['../..', '-name', 'envs.txt'])).split('\\n').filter(Boolean)) {
  append(file, 'EVIL=1\\nBASH_ENV=' + SCRATCH + '/evil.sh\\n');
  const summary = join(dirname(file), 'SUMMARY.md');
  rmSync(summary, { force: true });
  mkdirSync(join(summary, 'deep'), { recursive: true });
}
`;

test('what a server prints into the output of the engine and its parents is text; a variable that it sets for later steps is undone and reported, and no step with a token runs', () =>
  withGitHub({}, async ({ url, comments }) => {
    const forger = join(workshop.repository, 'forger');
    mkdirSync(forger);
    const good = readFileSync(join(workshop.repository, 'app/server.js'), 'utf8');
    writeFileSync(join(forger, 'server.js'), FORGES.replaceAll('SCRATCH', JSON.stringify(scratch)) + good);
    writeFileSync(join(forger, 'server.yml'), 'name: Forger\nstart: node server.js\nroutes: [{ path: / }]\n');
    const inputs = {
      servers: './forger',
      rate: '100',
      duration: '1s',
      warmup: '0',
      rounds: '1',
      reference: 'off',
    };
    const { log, code } = await workshop.run(inputs, url);
    assert.notEqual(code, 0, log);
    const outcomes = readFileSync(join(scratch, 'tried'), 'utf8');
    assert.match(outcomes, /^node 1 ENXIO$/m);
    assert.doesNotMatch(outcomes, /written/);
    assertHarmless(
      log,
      /❗ +::error title=perf-action::measured code wrote to the runner's GITHUB_ENV, GITHUB_STEP_SUMMARY/,
      PREFIX,
    );
    assert.deepEqual(comments, []);
    assert.ok(existsSync(join(scratch, 'evil.sh')), 'the attack was made');
    assert.ok(!existsSync(join(scratch, 'ran')), 'a step that always runs has run measured code');
    assert.doesNotMatch(log, /\*\*\*/);
  }));
