import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookDue } from '../../scripts/run/agenda.js';

const LOOKS = [0.1, 0.2, 0.3];

for (const [what, at, due] of /** @type {const} */ ([
  ['this round ends within a look, the next does not', { seen: 0, share: 0.08, next: 0.12 }, 0.1],
  ['the next round ends within it, too', { seen: 0, share: 0.05, next: 0.09 }, undefined],
  ['the next round would end exactly then', { seen: 0, share: 0.05, next: 0.1 }, undefined],
  ['this round ends exactly then', { seen: 0, share: 0.1, next: 0.15 }, 0.1],
  ['it was taken', { seen: 0.1, share: 0.1, next: 0.15 }, undefined],
  ['one round passes several', { seen: 0, share: 0.08, next: 0.25 }, 0.2],
  ['they are over', { seen: 0, share: 0.31, next: 0.4 }, undefined],
]))
  test(`of looks, where ${what}: ${due}`, () => assert.equal(lookDue(LOOKS, at), due));
