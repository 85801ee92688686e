/** What verbs print with --json has the published schema, and mistakes are JSON too. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { checkOf } from '../../scripts/model/schema.js';
import { VERBS } from '../../scripts/verbs.js';
import { runCommands } from '../commands.js';
import { sampleRun } from '../report/sample.js';
import { scratch } from '../store/scratch.js';

const SCHEMA = JSON.parse(
  readFileSync(new URL('../../scripts/store/output.schema.json', import.meta.url), 'utf8'),
);
const FOLDER = scratch();

/**
 * @param {string} name of a definition
 * @param {unknown} value
 */
function assertFits(name, value) {
  const { $defs, $id } = SCHEMA;
  const check = checkOf({ $id, $defs, $ref: `#/$defs/${name.replace(' ', '%20')}` }, {});
  assert.ok(check(value), `${name}: ${JSON.stringify(check.errors)}`);
}

const RUN = JSON.stringify(sampleRun());
const FILES = {
  'package.json': JSON.stringify({
    name: 'app',
    scripts: { start: 'node app.js' },
    dependencies: { express: '5' },
  }),
  'app.js':
    "const app = require('express')();\napp.get('/', (q, s) => s.json([]));\napp.listen(process.env.PORT);\n",
  'run.json': RUN,
};
/** @type {[string, string[]][]} the definition, and the command */
const COMMANDS = [
  ['init', ['init']],
  ['doctor', ['doctor', '--no-start']],
  ['list', ['list']],
  ['plan', ['plan', '--servers', 'fastify']],
  ['compare', ['compare', '--base', 'run.json', '--head', 'run.json']],
  ['report', ['report', 'run.json']],
  ['merge', ['merge', 'run.json', '--out', 'merged.json']],
  ['baseline save', ['baseline', 'save', 'run.json']],
  ['baseline list', ['baseline', 'list']],
  ['baseline show', ['baseline', 'show', 'run.json']],
  ['error', ['plan', '--servers', 'nowhere']],
  ['error', ['compare', '--base', 'missing.json', '--head', 'run.json']],
  ['error', ['plan', '--sservers', 'x']],
];

test('what verbs print with --json fits the schema, and mistakes are one document, too', async () => {
  const [first, ...others] = COMMANDS.map(([, args]) => ({ args: [...args, '--json'] }));
  const ended = await runCommands([{ args: first?.args ?? [], files: FILES }, ...others], { cwd: FOLDER });
  for (const [place, [name, args]] of COMMANDS.entries()) {
    const { code = -1, stdout = '', stderr = '' } = ended[place] ?? {};
    const value = JSON.parse(stdout || 'null');
    assertFits(name, value);
    assert.equal(code === 2 && name === 'error', 'error' in value, `${args.join(' ')}: ${code} ${stderr}`);
    if (name === 'error') assert.equal(value.error.code, 'usage');
  }
});

test('every verb that prints a result knows --json and has a definition', () => {
  for (const [name, { options }] of Object.entries(VERBS)) {
    assert.ok(options.json, name);
    assert.ok(
      Object.keys(SCHEMA.$defs).some((definition) => definition.split(' ')[0] === name),
      name,
    );
  }
});
