/** What `plan --touched` prints. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { touchedBlocks } from '../../scripts/report/document/touched-answer.js';
import { blocksTerminal } from '../../scripts/report/render/terminal.js';
import { en } from '../../scripts/report/text/en.js';

/** @import { Touched } from '../../scripts/types.js' */

const render = (/** @type {Touched} */ touched) => blocksTerminal(touchedBlocks(touched, en), en);

/**
 * @param {string} route
 * @param {Partial<Touched['routes'][number]>} [more]
 * @returns {Touched['routes'][number]}
 */
const route = (route, more) => ({ server: 'api', route, touched: false, functions: [], ...more });
const place = (/** @type {string} */ name, line = 3) => ({ name, file: 'src/orders.js', line });

test('touched routes with their functions, and those that are not', () => {
  const routes = [
    route('/orders', { touched: true, functions: [place('listOrders'), place('priceOf')] }),
    route('POST /orders', {
      touched: true,
      functions: [place('', 7), { name: 'ms', file: 'node_modules/ms/index.js' }],
    }),
    route('/users'),
    route('/me', { touched: true, why: 'calls', functions: [place('cached')] }),
    route('/new', { touched: true, why: 'unknown' }),
  ];
  assert.equal(
    render({ routes, reasons: [] }),
    `3 of 5 routes execute changed code: GET /orders (\`listOrders\`, \`priceOf\` in src/orders.js), POST /orders (line 7 in src/orders.js, \`ms\` in node_modules/ms/index.js), GET /me (executes others: \`cached\` in src/orders.js)

· Not asked on both sides, so they count as touched: GET /new
· Untouched: GET /users
`,
  );
});

test('why all routes of a server count as touched; of several servers each is named', () => {
  const routes = [
    route('/', { touched: true, why: 'unasked' }),
    route('/b', { touched: true, why: 'unasked' }),
    route('/', { server: 'shop' }),
  ];
  const many = Array.from({ length: 10 }, (_, index) => place(`f${index}`));
  const reasons = [
    { server: 'api', why: /** @type {const} */ ('unasked'), places: many },
    { server: 'api', why: /** @type {const} */ ('file'), places: [{ name: '', file: 'data.json' }] },
    { server: 'api', why: /** @type {const} */ ('failed'), places: [], message: 'ended with 1' },
  ];
  assert.equal(
    render({ routes, reasons }),
    `No route of 3 is known to execute changed code

· api: all 2 routes count as touched: what ran on no asked route changed (\`f0\`, \`f1\`, \`f2\`, \`f3\`, \`f4\`, \`f5\`, \`f6\`, \`f7\`, and 2 more in src/orders.js)
· api: all 2 routes count as touched: coverage does not see what reads a changed file (data.json)
· api: all 2 routes count as touched: it was not started and asked on both sides (ended with 1)
· Untouched: shop GET /
`,
  );
});

test('what concerns several servers is written once', () => {
  const why = /** @type {const} */ ('runtime');
  const routes = ['api', 'shop'].map((server) => route('/', { server, touched: true, why }));
  const reasons = routes.map(({ server }) => ({ server, why, places: [] }));
  assert.match(
    render({ routes, reasons }),
    /^· api, shop: all 2 routes count as touched: coverage is known of Node alone$/m,
  );
});
