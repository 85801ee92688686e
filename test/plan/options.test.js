import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KINDS } from '../../scripts/plan/kinds.js';
import { CONFIG_SCHEMA } from '../../scripts/plan/layers.js';
import { OPTIONS } from '../../scripts/plan/options.js';

/** What is too long to be said on a command line. */
const ONLY_IN_FILES = ['include', 'exclude', 'margins', 'gates', 'ignore', 'published'];

test('perf.yml knows every option with a key, with the same default, and nothing else', () => {
  const fromOptions = OPTIONS.flatMap(({ key }) => key ?? []);
  const flat = { ...CONFIG_SCHEMA.properties };
  const { load, request } = flat;
  for (const key of ['load', 'request', ...ONLY_IN_FILES]) {
    assert.ok(flat[key], key);
    delete flat[key];
  }
  const fromSchema = [
    ...Object.keys(flat),
    ...Object.keys(load.properties).map((key) => `load.${key}`),
    ...Object.keys(request.properties).map((key) => `request.${key}`),
  ];
  assert.deepEqual([...fromOptions].sort(), fromSchema.sort());
  for (const { key, default: standard } of OPTIONS) {
    if (key === undefined) continue;
    const [group = '', inner] = key.split('.');
    const told = inner ? CONFIG_SCHEMA.properties[group].properties[inner] : CONFIG_SCHEMA.properties[group];
    assert.equal(told.default === undefined ? undefined : String(told.default), standard, key);
  }
});

test('every option has a name in kebab-case, a known kind and a help text, and its default can be read', () => {
  const names = OPTIONS.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const { name, kind, help, default: standard } of OPTIONS) {
    assert.match(name, /^[a-z]+(-[a-z]+)*$/);
    assert.ok(KINDS[kind], name);
    assert.ok(help.length > 0, name);
    if (standard !== undefined) assert.doesNotThrow(() => KINDS[kind](standard, name));
  }
});
