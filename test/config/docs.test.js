/** The examples of the manual can be planned. Its tables are generated, see github/contract.test.js. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { readConfig } from '../../scripts/config/config.js';
import { CONFIG_SCHEMA } from '../../scripts/config/layers.js';
import { makePlan } from '../../scripts/plan/plan.js';
import { CALLER, inFolder } from '../plan/sources.js';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const MANUAL = ['perf-yml', 'explain', 'runtimes', 'limits']
  .map((page) => readFileSync(join(PROJECT, `docs/${page}.md`), 'utf8'))
  .join('\n');

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
      for (const [, file = ''] of text.matchAll(/(?:script|baseline|data): ([\w./-]+)/g)) {
        mkdirSync(dirname(join(cwd, file)), { recursive: true });
        writeFileSync(join(cwd, file), '{"id":7}');
      }
      const environment = { ...CALLER.environment, API_TOKEN: 'a token', LOGIN_PASSWORD: 'a password' };
      const config = readConfig({
        options: {},
        cwd,
        root: PROJECT,
        seed: 1,
        caller: { ...CALLER, environment },
      });
      assert.ok(makePlan(config).cases.length > 1);
    });
  });
}

test('the address in the first line is where the schema is published', () => {
  const [, path = ''] =
    /\$schema=https:\/\/raw\.githubusercontent\.com\/org\/perf-action\/v1\/(\S+)/.exec(MANUAL) ?? [];
  assert.equal(JSON.parse(readFileSync(join(PROJECT, path), 'utf8')).title, CONFIG_SCHEMA.title);
});
