/** docs/perf-yml.md: its tables say what the schemas say, and its examples can be planned. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { SERVER_SCHEMA } from '../../scripts/plan/catalog.js';
import { readConfig } from '../../scripts/plan/config.js';
import { CONFIG_SCHEMA } from '../../scripts/plan/layers.js';
import { makePlan } from '../../scripts/plan/plan.js';
import { inFolder } from './sources.js';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const MANUAL = readFileSync(join(PROJECT, 'docs/perf-yml.md'), 'utf8');

const EXAMPLES = [...MANUAL.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text);

test('the manual has the examples it is read for', () => {
  const all = EXAMPLES.join('');
  for (const key of ['paths:', 'ignore:', 'exclude:', 'include:', 'needs:', 'gates:', 'margins:', 'node:'])
    assert.ok(all.includes(key), key);
});

for (const [index, text] of EXAMPLES.entries()) {
  test(`example ${index + 1} of the manual, ${text.split('\n').find((line) => !line.startsWith('#'))}, is planned`, () => {
    inFolder(text, (cwd) => {
      for (const server of parse(text).servers) {
        const folder = join(cwd, typeof server === 'string' ? server : (server.folder ?? ''));
        mkdirSync(folder, { recursive: true });
        // The folders an example speaks of, with as little in them as will do.
        if (typeof server === 'string' && server.startsWith('.'))
          writeFileSync(join(folder, 'server.yml'), 'start: ./x\nroutes: [{ path: / }]\n');
      }
      const config = readConfig({ options: {}, cwd, root: PROJECT, seed: 1 });
      assert.ok(makePlan(config).cases.length > 1);
    });
  });
}

test('the address in the first line is where the schema is published', () => {
  const [, path = ''] =
    /\$schema=https:\/\/raw\.githubusercontent\.com\/org\/perf-action\/v1\/(\S+)/.exec(MANUAL) ?? [];
  assert.equal(JSON.parse(readFileSync(join(PROJECT, path), 'utf8')).title, CONFIG_SCHEMA.title);
});

test('the tables list every key with its default and what it means', () => {
  const point = CONFIG_SCHEMA.properties.include.items;
  assert.deepEqual(tableOf('perf.yml'), rowsOf(CONFIG_SCHEMA, CONFIG_SCHEMA));
  assert.deepEqual(tableOf('entry'), rowsOf(point, CONFIG_SCHEMA));
  assert.deepEqual(tableOf('server.yml'), rowsOf(SERVER_SCHEMA, SERVER_SCHEMA));
});

/**
 * @param {string} head the head of its first column
 * @returns {string[][]}
 */
function tableOf(head) {
  const [, rows = ''] = new RegExp(`^\\| ${head} +\\|.*\\n\\|.*\\n((?:\\|.*\\n)+)`, 'm').exec(MANUAL) ?? [];
  return rows
    .trim()
    .split('\n')
    .map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')))
    .map(([, ...cells]) => cells.slice(0, 3));
}

/** What is shown as one row, as its own keys are told elsewhere or are names of metrics. */
const WHOLE = ['exclude', 'include', 'margins', 'gates', 'published', 'env'];

/**
 * @param {any} schema
 * @param {any} root
 * @param {string} [prefix]
 * @returns {string[][]}
 */
function rowsOf(schema, root, prefix = '') {
  return Object.entries(schema.properties).flatMap(([key, value]) => {
    const told = resolved(value, root);
    const [, means = '', written] = /^(.*?)(?: Default: (.*)\.)?$/.exec(told.description) ?? [];
    const standard = told.default === undefined ? (written ?? 'must be given') : `\`${text(told.default)}\``;
    const row = [`\`${prefix}${key}\``, standard, means];
    const item = told.items && resolved(told.items, root);
    if (WHOLE.includes(key)) return [row];
    if (told.properties) return [row, ...rowsOf(told, root, `${prefix}${key}.`)];
    if (item?.properties) return [row, ...rowsOf(item, root, `${prefix}${key}[].`)];
    return [row];
  });
}

/** @param {unknown} value */
function text(value) {
  return typeof value === 'string' ? value : JSON.stringify(value).replaceAll(',', ', ');
}

/**
 * @param {any} schema
 * @param {any} root
 */
function resolved(schema, root) {
  const [file, place = ''] = (schema.$ref ?? '').split('#');
  if (place === '') return schema;
  const parts = place.split('/').slice(1);
  const whole = file === '' ? root : SERVER_SCHEMA;
  const target = parts.reduce((/** @type {any} */ inside, /** @type {string} */ part) => inside[part], whole);
  return { ...target, ...schema };
}
