import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookDue } from '../../scripts/run/next-action.js';

const LOOKS = [0.1, 0.2, 0.3];

for (const [what, at, due] of /** @type {const} */ ([
  ['this round ends within a look, the next does not', { lastLook: 0, next: 0.12 }, 0.1],
  ['the next round ends within it, too', { lastLook: 0, next: 0.09 }, undefined],
  ['the next round would end exactly then', { lastLook: 0, next: 0.1 }, undefined],
  ['it was taken', { lastLook: 0.1, next: 0.15 }, undefined],
  ['one round passes several', { lastLook: 0, next: 0.25 }, 0.1],
  ['one of them was passed and not taken', { lastLook: 0.1, next: 0.6 }, 0.2],
  ['all of them were passed, and the last is left', { lastLook: 0.2, next: 0.9 }, 0.3],
  ['they are over', { lastLook: 0.3, next: 0.4 }, undefined],
]))
  test(`${due === undefined ? 'no look' : `the look at ${due}`} is due where ${what}`, () =>
    assert.equal(lookDue(LOOKS, at), due));
