/** A limit of time that is combined with other signals. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { abortIn } from '../../scripts/system/deadline.js';

setFlagsFromString('--expose-gc');
const collect = /** @type {() => void} */ (runInNewContext('gc'));

test('a limit that only AbortSignal.any refers to ends what waits for it, whatever is collected', async () => {
  const signal = AbortSignal.any([new AbortController().signal, abortIn(300)]);
  for (let times = 0; times < 5; times++) {
    await sleep(10);
    collect();
  }
  for (let waited = 0; !signal.aborted && waited < 30_000; waited += 20) await sleep(20);
  assert.ok(signal.aborted);
  assert.equal(signal.reason.name, 'TimeoutError');
});
