/** What a soak prints. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderSoak, soakMarkdown } from '../../scripts/report/soak.js';
import { sampleRun } from './sample.js';

/** @import { MemoryReading, Soak } from '../../scripts/types.js' */

/** @type {MemoryReading[]} */
const readings = Array.from({ length: 24 }, (_, place) => ({
  at: 5 * (place + 1),
  requests: 30_000 * Math.ceil((place + 1) / 2),
  heapBytes: 8e6 + 3e6 * place,
  externalBytes: 2e6,
  rssBytes: 7e7 + 3e6 * place,
}));

/** @type {Soak} */
const leak = {
  schema: 'perf-action/soak@1',
  run: 'r1',
  case: 'app / autocannon c50',
  verdict: 'leaks',
  growsWith: 'requests',
  from: 6,
  leastBytesPerHour: 2e6,
  bytesPerHour: { value: 360e6, ci: [350e6, 371.234e6] },
  bytesPerRequest: { value: 1034.2, ci: [1030, 1040.567] },
  idleBytesPerHour: { value: -4000, ci: [-300_000, 290_000] },
  readings,
};
/** @type {Soak} */
const { growsWith: _, ...rest } = leak;
/** @type {Soak} */
const unsure = { ...rest, verdict: 'unsure', why: 'fading' };

test('a leak is printed with what it grows with, its intervals and the course of memory', () => {
  assert.equal(
    renderSoak(leak, sampleRun(), 'perf-results/soak').split('\n').slice(0, 9).join('\n'),
    `🔴 app / autocannon c50 leaks: its memory grows with requests

Memory after forced garbage collections: +360 MB an hour (+350 to +371.23); up to 2 MB an hour count as no leak.

Each request leaves +1,034.2 bytes (+1,030 to +1,040.57).

Each hour without requests adds 0 MB (−0.3 to +0.29).

24 collections in 2 min, alternately after load and after rest, with 360,000 requests; the first 6 are the warm-up.`,
  );
  assert.match(
    renderSoak(leak, sampleRun(), 'perf-results/soak'),
    /^ *2 min +360,000 +77\.00 +2\.00 +139 *$/m,
  );
});

test('an unsure soak says what would decide it, in each language', () => {
  const text = renderSoak(unsure, sampleRun(), 'out');
  assert.match(text, /^🟡 Unsure whether app \/ autocannon c50 leaks\n\nIts memory grew more slowly/);
  const korean = renderSoak({ ...unsure, language: 'ko' }, sampleRun(), 'out');
  assert.match(korean, /^🟡 app \/ autocannon c50: 메모리 누수 여부 불확실\n\n끝으로 갈수록/);
  assert.doesNotMatch(text + korean, /undefined|NaN/);
});

test('a section of the report says the same', () => {
  const markdown = soakMarkdown({ ...leak, growsWith: 'both' }, sampleRun());
  assert.match(
    markdown,
    /^## 🔴 app \/ autocannon c50 leaks: its memory grows with requests, and also without\n/,
  );
  assert.match(markdown, /\| +time \| requests \|/);
});
