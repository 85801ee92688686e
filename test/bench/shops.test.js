import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHANGES, versionsOf } from '../../bench/touched/changes.js';
import { ROUTES, SHOPS, shopFiles } from '../../bench/touched/shops.js';

test('each change can be planted into each framework, and changes its files', () => {
  assert.equal(ROUTES.length, 20);
  for (const framework of SHOPS)
    for (const change of CHANGES.filter(({ only = framework }) => only === framework)) {
      const [before, after] = versionsOf(change).map((version) => shopFiles(framework, version));
      assert.notDeepEqual(before, after, `${change.name}, ${framework}`);
    }
});

test('only TypeScript has types, and only what asks for it is CommonJS', () => {
  const [express = '', fastify = '', nest = ''] = SHOPS.map((framework) =>
    Object.entries(shopFiles(framework, {}))
      .filter(([file]) => file.startsWith('src/') && !file.includes('types'))
      .map(([, text]) => text)
      .join('\n'),
  );
  assert.doesNotMatch(`${express}${fastify}${nest}`, /[‹›]|undefined'/);
  assert.match(nest, /net: number/);
  assert.doesNotMatch(`${express}${fastify}`, /: number|import type/);
  assert.match(express, /module\.exports = \{ listOrders, /);
  assert.doesNotMatch(express, /^(im|ex)port /m);
});
