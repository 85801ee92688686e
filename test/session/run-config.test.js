import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRunConfig } from '../../scripts/session/run-config.js';
import { inFolder } from '../plan/sources.js';

/**
 * @param {Parameters<typeof readRunConfig>[0]} options
 * @param {string} [perfYml]
 */
const idsOf = (options, perfYml) =>
  inFolder(perfYml, (cwd) => readRunConfig(options, cwd)).servers.map(({ id }) => id);

const NO_FILE =
  'there is no perf.yml here; `perf-action init` writes one for this repository, `--preset quick` runs a demo';
const NO_SERVERS =
  "perf.yml names neither servers nor a preset; `perf-action init` finds this repository's servers, `preset: quick` is a demo";

for (const [name, options, file, message] of /** @type {[string, {}, string | undefined, string][]} */ ([
  ['no flag and no perf.yml', {}, undefined, NO_FILE],
  ['flags that name none', { rounds: '4', preset: '', servers: '' }, undefined, NO_FILE],
  ['a perf.yml that names none', {}, 'rounds: 4\n', NO_SERVERS],
])) {
  test(`the catalogue is not measured by default: ${name}`, () => {
    assert.throws(() => idsOf(options, file), { name: 'UserError', message });
  });
}

test('servers are those of a flag, of the file, or of a preset that either names', () => {
  assert.deepEqual(idsOf({ servers: 'express' }), ['express']);
  assert.deepEqual(idsOf({}, 'servers: [fastify]\n'), ['fastify']);
  assert.ok(idsOf({ preset: 'quick' }).length > 1);
  assert.ok(idsOf({}, 'preset: quick\n').length > 1);
});
