/** What a soak prints. */

import { test } from 'node:test';
import { soakAnswer } from '../../scripts/report/document/soak-answer.js';
import { answerMarkdown } from '../../scripts/report/render/markdown.js';
import { answerTerminal } from '../../scripts/report/render/terminal.js';
import { assertExcerpts } from './excerpts.js';
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

/** @param {Soak} soak */
const printed = (soak) => answerTerminal(soakAnswer(soak, sampleRun()));

test('a soak is printed with its verdict, its intervals and the course of memory', () => {
  assertExcerpts('documents/soaks.md', {
    'a leak with what it grows with': printed(leak),
    'an unsure soak says what would decide it': printed(unsure),
    'in Korean': printed({ ...unsure, language: 'ko' }),
    'a section of the report': answerMarkdown(soakAnswer({ ...leak, growsWith: 'both' }, sampleRun())),
  });
});
