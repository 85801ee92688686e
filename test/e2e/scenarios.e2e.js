/**
 * The scenarios of the built-in servers answer rightly, in what the manifest cannot say too. By default two
 * of the five.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { startServer } from '../../scripts/deploy/start/start-server.js';
import { inBuildDir } from '../../scripts/deploy/source/build-dir.js';
import { prepare } from '../../scripts/deploy/install/prepare.js';
import { readServer } from '../../scripts/catalog/catalog.js';
import { ROOT } from './tools.js';
import { thisProcess } from '../../scripts/system/this-project.js';

const { signal } = new AbortController();

/**
 * As it comes over the wire.
 * @param {string} url
 * @param {import('node:http').RequestOptions & { body?: string }} [options]
 * @returns {Promise<{ status: number | undefined, headers: import('node:http').IncomingHttpHeaders, body:
 *   Buffer }>}
 */
async function ask(url, { body, ...options } = {}) {
  const asking = request(url, options).end(body);
  const [answer] = await once(asking, 'response');
  const chunks = [];
  for await (const chunk of answer) chunks.push(chunk);
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) };
}

const IDS = ['node-http', 'nest-fastify', 'express', 'fastify', 'nest-express'];
for (const id of IDS)
  test(`${id} takes uploads, sends files, compresses, passes middleware and validates`, async () => {
    const server = readServer(join(ROOT, 'servers', id), thisProcess());
    const placed = await inBuildDir(server, { env: process.env, out: '/nowhere', commits: new Map() });
    await prepare(placed, { signal });
    const instance = await startServer(placed, { signal });
    const { url } = instance;
    const json = async (/** @type {Parameters<typeof ask>} */ ...args) =>
      JSON.parse(String((await ask(...args)).body));
    try {
      const sent = { method: 'POST', headers: { 'content-type': 'application/octet-stream' } };
      assert.deepEqual(await json(`${url}/upload`, { ...sent, body: 'x'.repeat(70_000) }), { bytes: 70_000 });
      const page = await ask(`${url}/static/page.html`);
      assert.match(String(page.headers['content-type']), /^text\/html/);
      assert.deepEqual(page.body, readFileSync(join(ROOT, 'servers', id, 'public/page.html')));
      const small = await ask(`${url}/compressed`, { headers: { 'accept-encoding': 'gzip' } });
      const whole = await ask(`${url}/compressed`);
      assert.deepEqual(
        [small.headers['content-encoding'], whole.headers['content-encoding']],
        ['gzip', undefined],
      );
      assert.deepEqual(gunzipSync(small.body), whole.body);
      assert.ok(small.body.length < whole.body.length / 3);
      assert.deepEqual(await json(`${url}/middleware`), { passed: 10 });
      assert.deepEqual(await json(`${url}/users/42`), { id: 42 });
      assert.equal((await ask(`${url}/users/x`)).status, 400);
    } finally {
      await instance.stop();
    }
  });
