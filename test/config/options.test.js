import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SERVER_SCHEMA } from '../../scripts/catalog/catalog.js';
import { KINDS } from '../../scripts/config/kinds.js';
import { CONFIG_SCHEMA } from '../../scripts/config/layers.js';
import { OPTIONS } from '../../scripts/config/options.js';

/** What is too long to be said on a command line. */
const ONLY_IN_FILES = [
  'description',
  'include',
  'exclude',
  'margins',
  'gates',
  'limits',
  'ignore',
  'published',
];

test('perf.yml knows every option with a key, with the same default, and nothing else', () => {
  const fromOptions = OPTIONS.flatMap(({ key }) => key ?? []);
  const flat = { ...CONFIG_SCHEMA.properties };
  const { load } = flat;
  for (const key of ['load', ...ONLY_IN_FILES]) {
    assert.ok(flat[key], key);
    delete flat[key];
  }
  const fromSchema = [...Object.keys(flat), ...Object.keys(load.properties).map((key) => `load.${key}`)];
  assert.deepEqual([...fromOptions].sort(), fromSchema.sort());
  for (const { key, default: standard } of OPTIONS) {
    if (key === undefined) continue;
    const [group = '', inner] = key.split('.');
    const property = inner
      ? CONFIG_SCHEMA.properties[group].properties[inner]
      : CONFIG_SCHEMA.properties[group];
    assert.equal(property.default === undefined ? undefined : String(property.default), standard, key);
  }
});

// Editors show descriptions, and no defaults.
test('every key of perf.yml and server.yml has a description that tells the default, unless it must be given', () => {
  const keys = [CONFIG_SCHEMA, SERVER_SCHEMA].flatMap((schema) =>
    keysOf({ schema, root: schema }, schema.$id),
  );
  assert.ok(keys.length > 80, `${keys.length} keys`);
  for (const { path, description = '', isNeeded, standard } of keys) {
    assert.match(description, /^\S.*\.$/, path);
    if (isNeeded) continue;
    const [, written = ''] = / Default: (.+)\.$/.exec(description) ?? assert.fail(`${path}: ${description}`);
    if (['string', 'number', 'boolean'].includes(typeof standard))
      assert.ok(written.split(/[ ;,]+/).includes(String(standard)) || written === standard, path);
  }
});

/**
 * @typedef {{ schema: any, root: any }} Placed a part of a schema, and the whole that its references are read
 *   in
 * @param {Placed} placed
 * @param {string} path
 * @returns {{ path: string, description?: string, isNeeded: boolean, standard: unknown }[]}
 */
function keysOf({ schema, root }, path) {
  const { properties = {}, required = [], additionalProperties } = schema;
  const any = additionalProperties ? [['*', additionalProperties]] : [];
  return [...Object.entries(properties), ...any].flatMap(([key, value]) => {
    const property = resolved({ schema: value, root });
    const { description, default: standard, items = {} } = property.schema;
    const item = resolved({ schema: items.then ?? items, root: property.root });
    const inside = [property, item].flatMap((each) => keysOf(each, `${path}.${key}`));
    if (key === '*') return inside;
    return [{ path: `${path}.${key}`, description, isNeeded: required.includes(key), standard }, ...inside];
  });
}

/**
 * @param {Placed} placed
 * @returns {Placed} with what it refers to
 */
function resolved({ schema, root }) {
  const [file, place = ''] = (schema.$ref ?? '').split('#');
  // A server written out in perf.yml is property of as server.yml.
  if (place === '') return { schema, root };
  const whole = file === '' ? root : SERVER_SCHEMA;
  const parts = place.split('/').slice(1);
  const target = parts.reduce((/** @type {any} */ inside, /** @type {string} */ part) => inside[part], whole);
  return { schema: { ...target, ...schema }, root: whole };
}

test('every option has a name in kebab-case, a known kind and a help text, and its default can be read', () => {
  const names = OPTIONS.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const { name, kind, help, default: standard } of OPTIONS) {
    assert.match(name, /^[a-z]+(-[a-z]+)*$/);
    assert.ok(KINDS[kind], name);
    assert.ok(help.length > 0, name);
    if (standard !== undefined) assert.doesNotThrow(() => KINDS[kind](standard, name, { cores: 2 }));
  }
});
