/** What measured code may try on a job whose later step has a token, done by a server under act. */

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { openWorkshop } from './actions/workshop.js';
import { startGitHub } from './api/github.js';

const SPY = {
  duration: '1s',
  warmup: '0',
  connections: '8',
  rounds: '1',
  servers: './spy',
  reference: 'off',
};

/** @type {Awaited<ReturnType<typeof openWorkshop>>} */
let workshop;
before(async () => {
  workshop = await openWorkshop();
});
after(() => workshop.remove());

/**
 * A job that measures the spy.
 * @param {string} [first] what its server does before it leaves the daemon, which ends it
 */
async function measureSpy(first = '') {
  const spy = join(workshop.repository, 'spy');
  const notes = mkdtempSync(join(workshop.repository, '../notes-'));
  writeFileSync(join(spy, 'notes'), notes);
  const server = readFileSync(join(spy, 'server.js'), 'utf8');
  writeFileSync(join(spy, 'server.js'), first + server);
  const github = await startGitHub({});
  try {
    const { code, log } = await workshop.run(SPY, github.url);
    return {
      code,
      log,
      comments: github.comments.length,
      note: (/** @type {string} */ name) => join(notes, name),
    };
  } finally {
    github.close();
    writeFileSync(join(spy, 'server.js'), server);
  }
}

test('a daemon that left session, parent and environment, and killed its supervisor, is dead before the step with the token', async () => {
  const { log, comments, note } = await measureSpy();
  assert.equal(comments, 1, log);
  const process = `/proc/${readFileSync(note('pid'), 'utf8')}/cmdline`;
  // Its id may be another's by now.
  assert.doesNotMatch(existsSync(process) ? readFileSync(process, 'latin1') : '', /daemon\.js/);
  assert.equal(existsSync(note('stolen')) ? readFileSync(note('stolen'), 'utf8') : '', '');
});

/** Finds where act keeps what is the runner's; a summary that is a folder stopped the restoring of everything after it. */
const WRITES_VARIABLE = String.raw`
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
const notes = readFileSync('notes', 'utf8').trim();
writeFileSync(join(notes, 'evil.sh'), 'touch ' + join(notes, 'ran') + '\n');
for (const file of String(execFileSync('find', ['../..', '-name', 'envs.txt'])).split('\n').filter(Boolean)) {
  appendFileSync(file, 'BASH_ENV=' + join(notes, 'evil.sh') + '\n');
  const summary = join(dirname(file), 'SUMMARY.md');
  rmSync(summary, { force: true });
  mkdirSync(join(summary, 'deep'), { recursive: true });
}
`;

test("a variable written into the runner's file for later steps is undone and reported, and no step with a token runs", async () => {
  const { code, log, comments, note } = await measureSpy(WRITES_VARIABLE);
  assert.notEqual(code, 0, log);
  assert.match(log, /::error.*measured code wrote to the runner's GITHUB_ENV, GITHUB_STEP_SUMMARY/);
  assert.equal(comments, 0);
  assert.ok(existsSync(note('evil.sh')), 'the attack was made');
  assert.ok(!existsSync(note('ran')), 'a step that always runs has run measured code');
});

/**
 * It finds the action by the command line of the engine; another workshop's is left alone.
 * @param {string} folder of the workshop
 */
const changesAction = (folder) => String.raw`
import { appendFileSync as append, readdirSync, readFileSync } from 'node:fs';
for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
  try {
    const [, file = '', step] = readFileSync('/proc/' + pid + '/cmdline', 'utf8').split('\0');
    if (file.startsWith('${folder}/') && file.endsWith('/scripts/github/action.js') && step === 'run') append(file, '\nconsole.log("EVIL", process.argv[2]);\n');
  } catch {}
}
`;

test('a change to the action on the disk is found before the step with the token runs it', async () => {
  const { code, log, comments } = await measureSpy(changesAction(dirname(workshop.repository)));
  assert.notEqual(code, 0, log);
  assert.match(log, /::error.*measured code changed the files of the action/);
  assert.doesNotMatch(log, /EVIL comment/);
  assert.equal(comments, 0);
});

test("a change to another action's files is found before a later step runs them, after the comment was posted", async () => {
  const file = join(dirname(workshop.repository), '_actions/actions/upload-artifact/stand-in.js');
  const before = readFileSync(file, 'utf8');
  try {
    const { code, log, comments } = await measureSpy(
      `import { appendFileSync as append } from 'node:fs';\nappend('${file}', '\\nconsole.log("EVIL upload");');\n`,
    );
    assert.match(readFileSync(file, 'utf8'), /EVIL/, 'the attack was made');
    assert.notEqual(code, 0, log);
    assert.match(log, /::error.*measured code changed the files of the job's other actions/);
    assert.doesNotMatch(log, /EVIL upload/);
    assert.equal(comments, 1);
  } finally {
    writeFileSync(file, before);
  }
});
