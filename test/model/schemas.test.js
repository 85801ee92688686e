/** The published schemas are valid: the engine compiles them without checking them. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';

const SCRIPTS = new URL('../../scripts/', import.meta.url);
const SCHEMAS = readdirSync(SCRIPTS, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.schema.json'),
);

test('every published schema is a valid JSON Schema of its draft', () => {
  assert.equal(SCHEMAS.length, 8);
  const ajv = new Ajv2020();
  for (const file of SCHEMAS) {
    const schema = JSON.parse(readFileSync(new URL(file, SCRIPTS), 'utf8'));
    assert.ok(ajv.validateSchema(schema), `${file}: ${ajv.errorsText()}`);
  }
});
