/** A run whose results folder another run writes to. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { asConfigured } from '../../scripts/session/experiments/experiment.js';
import { runSession } from '../../scripts/session/session.js';
import { alone } from '../../scripts/system/lock.js';
import { configOf } from '../run/fakes.js';
import { scratchFolder } from '../scratch.js';

const cwd = scratchFolder();
execFileSync('git', ['init', '--quiet'], { cwd });

/** @param {Partial<import('../../scripts/types.js').Config>} changes */
async function besideAnother(changes) {
  let printed = '';
  const waits = new AbortController();
  const stderr = {
    write(/** @type {string} */ text) {
      printed += text;
      waits.abort();
    },
  };
  const surroundings = { cwd, env: process.env, stderr, signal: waits.signal };
  const config = configOf(['a'], { out: 'results', ...changes });
  const message = await alone(join(cwd, 'results/run.lock'), () =>
    runSession(asConfigured(config), surroundings).catch((error) => error.message),
  );
  return { printed, message };
}

test('a mistake is reported before the wait, which names the option that avoids it', async () => {
  const mistaken = await besideAnother({ against: 'mian' });
  assert.match(mistaken.message, /^--against: there is no commit "mian" here/);
  assert.equal(mistaken.printed, '');
  const waiting = await besideAnother({});
  assert.match(
    waiting.printed,
    /^waiting for process \d+, which .* results \(--out names another folder\)\n$/,
  );
  assert.equal(waiting.message, 'while another run was writing to results');
});
