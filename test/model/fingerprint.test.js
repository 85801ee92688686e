import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprint } from '../../scripts/model/fingerprint.js';

const FACTS = {
  cpu: 'AMD EPYC 26/2/1',
  cores: 2,
  memoryBytes: 8 * 2 ** 30,
  os: 'debian 12',
  kernel: '6.18.44-cloud',
};

test('what firmware keeps and what a patch changes make no other machine', () => {
  const same = { ...FACTS, memoryBytes: 8 * 2 ** 30 - 2 ** 27, kernel: '6.18.51-cloud' };
  assert.equal(fingerprint(same), fingerprint(FACTS));
});

for (const change of [
  { cpu: 'AMD EPYC 25/1/1' },
  { cores: 4 },
  { memoryBytes: 2 ** 34 },
  { os: 'debian 13' },
  { kernel: '6.1.9' },
]) {
  test(`another ${Object.keys(change)[0]} is another machine`, () => {
    assert.notEqual(fingerprint({ ...FACTS, ...change }), fingerprint(FACTS));
  });
}
