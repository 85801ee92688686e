import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTool } from '../../scripts/load/runner.js';
import { target } from './target.js';

const never = new AbortController().signal;

/** @type {(script: string) => Parameters<typeof runTool>[0]} */
const fake = (script) => ({
  command: async () => ['sh', '-c', script],
  parse: (stdout) => JSON.parse(stdout),
});
const TARGET = { ...target(''), signal: never };

test('a tool that crashes is reported with its command, code and last lines', async () => {
  await assert.rejects(runTool(fake('echo oh no >&2; exit 3'), TARGET), {
    kind: 'load-tool-crashed',
    message: '`sh -c echo oh no >&2; exit 3` ended with 3',
    logTail: ['oh no'],
  });
});

test('a tool that hangs is killed', async () => {
  await assert.rejects(
    runTool({ ...fake('sleep 60'), graceSeconds: () => 0.2 }, { ...TARGET, seconds: 0.1 }),
    {
      kind: 'load-tool-hung',
    },
  );
});

test('a tool whose report cannot be read has crashed', async () => {
  await assert.rejects(runTool(fake('echo hello'), TARGET), {
    kind: 'load-tool-crashed',
    message: /no report/,
  });
});

test('a tool that is not installed is reported', async () => {
  const gone = { ...fake(''), command: async () => ['no-such-tool'] };
  await assert.rejects(runTool(gone, TARGET), { kind: 'load-tool-crashed', message: /ENOENT/ });
});

test('an abort ends the tool', async () => {
  const controller = new AbortController();
  const running = runTool(fake('sleep 60'), { ...TARGET, signal: controller.signal });
  setTimeout(() => controller.abort(), 100);
  await assert.rejects(running, { kind: 'cancelled' });
});
