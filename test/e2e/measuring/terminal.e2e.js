/** A real run in a real terminal: a pseudo-terminal of Python's, 76 columns wide. */

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { gitIn, ROOT, runTool, toolEnvironment } from '../tools.js';
import { scratchFolder } from '../../scratch.js';

const COLUMNS = 76;
/** Runs its arguments in a terminal of that size, and prints what they write to it. */
const TERMINAL = `
import fcntl, os, pty, struct, sys, termios
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 30, ${COLUMNS}, 0, 0))
    os.execvp(sys.argv[1], sys.argv[1:])
while True:
    try: data = os.read(fd, 65536)
    except OSError: break
    if not data: break
    sys.stdout.buffer.write(data)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;
/** 5 ms an answer: what the terminal shows needs no full load. */
const SERVER = `import http from 'node:http';
http
  .createServer((_, answer) => setTimeout(() => answer.end('Hello'), 5))
  .listen(process.env.PORT, process.env.HOST);
`;
const CONFIG = `servers:
  - { id: hello, name: A server with a long name, start: node app.mjs, routes: [{ path: / }, { path: /more }] }
reference: off
load: { tool: autocannon, connections: 4, duration: 1s, warmup: 0s }
`;

const folder = scratchFolder();
before(async () => {
  writeFileSync(join(folder, 'app.mjs'), SERVER);
  writeFileSync(join(folder, 'perf.yml'), CONFIG);
  writeFileSync(join(folder, '.gitignore'), 'perf-results\n');
  const git = gitIn(folder);
  await git('init', '-q', '-b', 'main');
  await git('add', '.');
  await git('commit', '-q', '-m', 'feat: a server');
});

/**
 * @param {NodeJS.ProcessEnv} changes
 * @param {...string} args
 * @returns {Promise<string>} what the terminal got
 */
async function inTerminal(changes, ...args) {
  // Nothing else of the surroundings: CI or NODE_DISABLE_COLORS would take the colours away.
  const { PATH, HOME } = toolEnvironment();
  const env = { PATH, HOME, TERM: 'xterm-256color' };
  const argv = ['python3', '-c', TERMINAL, process.execPath, join(ROOT, 'scripts/cli.js'), ...args];
  const { output } = await runTool(argv, { cwd: folder, env: { ...env, ...changes } });
  return output.replaceAll('\r\n', '\n');
}

test('a run ends with a table that fits', async () => {
  const text = await inTerminal({}, 'run', '--against', 'self', '--rounds', '3');
  const drawn = text.split('\x1b[0J');
  for (const part of drawn.slice(0, -1))
    for (const line of part.split('\n')) assert.ok(stringWidth(line) < COLUMNS, line);
  const shown = stripVTControlCharacters(drawn.at(-1) ?? '');
  const [table = ''] = shown.slice(shown.indexOf('\nServer ')).split('\n\n');
  assert.match(table, /\nServer +Δ req\/s +/);
  assert.equal(table.trim().split('\n').length, 3);
  for (const line of table.split('\n')) assert.ok(stringWidth(line) <= COLUMNS, line);
  assert.ok(existsSync(join(folder, 'perf-results/report.html')));
});

test('colours are there where the terminal has them, unless NO_COLOR is set', async () => {
  const compare = ['compare', '--base', 'perf-results/base/run.json', '--head', 'perf-results/run.json'];
  const coloured = await inTerminal({}, ...compare);
  assert.match(coloured, /\x1b\[1m/);
  for (const changes of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
    const plain = await inTerminal(changes, ...compare);
    assert.doesNotMatch(plain, /\x1b/);
    assert.equal(plain, stripVTControlCharacters(coloured));
  }
});
