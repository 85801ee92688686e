/** The badge keeps to what shields.io reads: https://shields.io/badges/endpoint-badge */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderBadge } from '../../scripts/report/badge.js';

/** Its keys, and the names of its colours. */
const KEYS = new Set(
  'schemaVersion label message color labelColor isError namedLogo logoSvg logoColor logoSize style'.split(
    ' ',
  ),
);
const COLORS = new Set(
  'brightgreen green yellowgreen yellow orange red blue lightgrey success important critical informational inactive'.split(
    ' ',
  ),
);

/** @param {ReturnType<typeof renderBadge>} badge */
function check(badge) {
  assert.equal(badge.schemaVersion, 1);
  for (const key of Object.keys(badge)) assert.ok(KEYS.has(key), key);
  assert.ok(badge.label.length > 0 && badge.message.length > 0);
  assert.ok(COLORS.has(badge.color), badge.color);
  return badge;
}

/** @param {string} id @param {number} [throughput] @param {true} [reference] @returns {any} */
const caseOf = (id, throughput, reference) => ({
  id,
  reference,
  ...(throughput && { summary: { throughput } }),
});

test('every verdict has a word and a colour of its own', () => {
  const verdicts = ['regressed', 'improved', 'same', 'unsure', 'failed'];
  const badges = verdicts.map((verdict) =>
    check(renderBadge(/** @type {any} */ ({ cases: [] }), /** @type {any} */ ({ verdict }))),
  );
  assert.equal(new Set(badges.map(({ message }) => message)).size, verdicts.length);
  assert.equal(new Set(badges.map(({ color }) => color)).size, verdicts.length);
});

test('without a verdict it is the figure of the first server that is not the reference', () => {
  const badgeOf = (/** @type {any[]} */ ...cases) => check(renderBadge(/** @type {any} */ ({ cases })));
  assert.match(badgeOf(caseOf('gauge', 80_000, true), caseOf('app', 58_123)).message, /^58,123 req\/s$/);
  assert.match(badgeOf(caseOf('gauge', 80_000, true), caseOf('app')).message, /^80,000 req\/s$/);
  assert.equal(badgeOf(caseOf('app')).message, 'failed');
});

test('a run that had nothing to measure is neither failed nor a figure', () => {
  const warnings = [{ code: 'skipped', message: 'no changed file affects a server' }];
  assert.equal(check(renderBadge(/** @type {any} */ ({ cases: [], warnings }))).message, 'skipped');
});

test('a limit that fails is red, and a lost shard makes no green badge', () => {
  const shown = (/** @type {any} */ run, /** @type {any} */ comparison = undefined) => {
    const { message, color } = check(renderBadge({ cases: [], ...run }, comparison));
    return `${message}, ${color}`;
  };
  const lost = { warnings: [{ code: 'shards-missing', shards: [2], of: 3 }] };
  assert.equal(shown({ limits: [{ verdict: 'fails' }] }, { verdict: 'same' }), 'beyond a limit, red');
  assert.equal(shown(lost, { verdict: 'same' }), 'incomplete, yellow');
  assert.equal(shown(lost, { verdict: 'regressed' }), 'slower, red');
});
