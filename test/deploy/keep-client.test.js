import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepClient } from '../../scripts/deploy/services/ready.js';

/** A client that runs a script of the shell. @param {string} script */
function clientOf(script) {
  const ending = new AbortController();
  return { ask: keepClient('sh', ['-c', script], ending), end: () => ending.abort() };
}

test('questions that come at once are answered one after the other, each to its empty line', async () => {
  const { ask, end } = clientOf(
    'while read -r question; do printf "%s\\nof one process: $$\\n\\n" "$question"; done',
  );
  const [first = [], second = []] = await Promise.all([ask('one'), ask('two')]);
  assert.deepEqual([first[0], second[0]], ['one', 'two']);
  assert.deepEqual(first.slice(1), second.slice(1));
  end();
});

test('a client that ends says why, also to whoever asks later', async () => {
  const { ask } = clientOf('read -r question; echo half; echo "no such table" >&2');
  await assert.rejects(ask('one'), /^MeasureError: sh ended: no such table/);
  await assert.rejects(ask('two'), /sh ended/);
});

test('its signal ends it, and a program that is missing is an answer that does not come', async () => {
  const { ask, end } = clientOf('sleep 60');
  const asked = ask('one');
  end();
  await assert.rejects(asked, /sh ended/);
  const { signal } = new AbortController();
  await assert.rejects(keepClient('no-such-client', [], { signal })('one'), /no-such-client/);
});
