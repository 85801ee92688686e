/**
 * Properties that hold for whatever is thrown at a reader: tens of thousands of inputs in every run of the
 * tests.
 */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MeasureError, UserError } from '../../scripts/model/errors.js';

/** Of each kind of input, where one takes a fraction of a millisecond. */
export const MANY = process.env.PERF_TEST_ALL ? 15_000 : 5000;
/** Of the others, which are planned, judged or drawn; `scripts/test --all` tries as many of these. */
const SOME = process.env.PERF_TEST_ALL ? MANY : 80;

/**
 * A guard against hangs and nothing finer: what one input may take of the CPU, however busy the machine is.
 */
const CPU_MICROSECONDS = 2_000_000;

/** What breaks those who did not expect it. */
export const odd = fc.oneof(
  fc.constantFrom('constructor', '__proto__', 'toString', 'hasOwnProperty', '', ' ', '\0', '\r\n', '-', '~'),
  fc.constantFrom(
    '1e309',
    '-1',
    'NaN',
    'null',
    '{}',
    '[]',
    '##[error]x',
    '::error::x',
    '../..',
    '%',
    '*',
    '\u202e',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

/** What a right figure may be. */
export const amount = fc.oneof(
  fc.constantFrom(0, 1, 0.5, 5e-324, 1e-300, 1e15),
  fc.nat(),
  fc.double({ min: 0, max: 1e15, noNaN: true }),
);

export const figure = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    -1,
    1,
    0.5,
    1e308,
    -1e308,
    5e-324,
    2 ** 53,
    1e15,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ),
  fc.double(),
  fc.nat(),
);

export const anything = fc.oneof(
  odd,
  figure,
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(odd, odd, { maxKeys: 3 }),
);

/**
 * @param {Record<string, fc.Arbitrary<unknown>>} fields
 * @param {string[]} [always] those that are always there
 * @returns {fc.Arbitrary<Record<string, unknown>>} some of them; one in sixty is something else
 */
export function mostly(fields, always = []) {
  const spoilt = Object.entries(fields).map(([name, right]) => [
    name,
    fc.oneof({ arbitrary: right, weight: 60 }, { arbitrary: anything, weight: 1 }),
  ]);
  return fc.record(Object.fromEntries(spoilt), { requiredKeys: always });
}

/**
 * @param {Record<string, fc.Arbitrary<unknown>>} fields
 * @param {string[]} [always] those that are always there
 * @returns {fc.Arbitrary<Record<string, unknown>>} some of them, and each what it should be: what is spoilt
 *   in one place of a hundred goes no further than the reader
 */
export function rightly(fields, always = []) {
  return fc.record(fields, { requiredKeys: always });
}

/**
 * @template T
 * @param {fc.Arbitrary<T>} inputs
 * @param {(input: T) => unknown} read may refuse an input in words; anything else that it throws is a bug
 * @param {number} [tries]
 */
export async function holdsFor(inputs, read, tries = SOME) {
  const property = fc.asyncProperty(inputs, async (input) => {
    const before = process.cpuUsage();
    try {
      await read(input);
    } catch (error) {
      if (!(error instanceof UserError || error instanceof MeasureError)) throw error;
      assert.ok(error.message.length > 0 && !/\n\s+at /.test(error.message), error.message);
    }
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < CPU_MICROSECONDS, `took ${(user + system) / 1e6} s of CPU`);
  });
  await fc.assert(property, { numRuns: tries });
}
