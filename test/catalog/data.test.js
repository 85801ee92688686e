import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { resolveRoute } from '../../scripts/catalog/catalog.js';
import { revealRequest } from '../../scripts/secrets/secrets.js';
import { CALLER, inFolder } from '../plan/sources.js';

const ENV = { KEY: 's', id: 'env' };

/**
 * @param {Record<string, unknown>} written
 * @param {string} [file] the text of orders.jsonl
 */
function read(written, file) {
  return inFolder(undefined, (folder) => {
    if (file !== undefined) writeFileSync(join(folder, 'orders.jsonl'), file);
    const context = {
      folder,
      where: (/** @type {string} */ key) => key,
      caller: { ...CALLER, environment: ENV },
    };
    return resolveRoute({ path: '/items/${id}', ...written }, context);
  });
}

test('each line of a file becomes a request, whose fields take precedence over variables', () => {
  const file = '{"id":1,"q":"a/ü","note":"x"}\r\n{"id":2,"q":"\\"","note":"y"}\n\n';
  const route = read(
    {
      path: '/items/${id}?q=${q}',
      headers: { 'x-key': '${KEY}-${id}' },
      body: { id: '${id}', '${q}': 'n ${q}${id}', keep: '\\"${id}"' },
      data: 'orders.jsonl',
    },
    file,
  );
  const { variants } = revealRequest(route, ENV);
  assert.deepEqual(
    variants?.map(({ path, headers, body }) => [path, headers['x-key'], JSON.parse(String(body))]),
    [
      ['/items/1?q=a%2F%C3%BC', 's-1', { id: 1, 'a/ü': 'n a/ü1', keep: '\\"1"' }],
      ['/items/2?q=%22', 's-2', { id: 2, '"': 'n "2', keep: '\\"2"' }],
    ],
  );
});

test('values keep their JSON types where they are the whole of a text in the body', () => {
  const values = [1, 1.5, true, null, 'a "b"', { deep: [1] }, '${KEY}'];
  const route = read({
    path: '/',
    body: { value: '${v}', text: '<${v}>' },
    data: values.map((v) => ({ v })),
  });
  const { variants } = revealRequest(route, ENV);
  assert.deepEqual(
    variants?.map(({ body }) => JSON.parse(String(body))),
    values.map((value) => ({
      value,
      text: `<${typeof value === 'string' ? value : JSON.stringify(value)}>`,
    })),
  );
});

test('data is summed up by how many requests differ, and by a hash of what they send', () => {
  const rows = [1, 2, 1].map((id) => ({ id, unused: Math.random() }));
  const { data } = read({ data: rows });
  assert.deepEqual([data?.requests, data?.different], [3, 2]);
  assert.deepEqual(data?.rows, [{ id: 1 }, { id: 2 }, { id: 1 }]);
  const file = rows.map(({ id }) => JSON.stringify({ id })).join('\n');
  assert.equal(read({ data: 'orders.jsonl' }, file).data?.sha256, data?.sha256);
  assert.notEqual(read({ data: [{ id: 1 }] }).data?.sha256, data?.sha256);
  const secret = (/** @type {string} */ key) =>
    read({ headers: { authorization: '${key}' }, data: [{ id: 1, key }] }).data?.sha256;
  assert.equal(secret('a'), secret('b'), 'the hash says nothing about secrets');
});

test('the server is ready where the first request goes', async () => {
  const { readServer } = await import('../../scripts/catalog/catalog.js');
  inFolder(undefined, (folder) => {
    const text = 'start: x\nroutes: [{ path: "/a/${id}/${KEY}", data: [{ id: b c }] }]\n';
    writeFileSync(join(folder, 'server.yml'), text);
    assert.equal(readServer(folder, { ...CALLER, environment: ENV }).ready.path, '/a/b%20c/${KEY}');
  });
});

test('what cannot be sent is refused in one line, with its row and its field', () => {
  const of = (/** @type {string} */ file) => [{ data: 'orders.jsonl' }, file];
  /** @type {[...any[], RegExp][]} */
  const cases = [
    [...of(''), /^data: orders\.jsonl is empty; give each request a line/],
    [...of('{"id":1}\n\n{"id":2}'), /^data: orders\.jsonl:2: is not a JSON object/],
    [...of('{"id":1}\n7'), /^data: orders\.jsonl:2: is not a JSON object/],
    [...of('{"id":1}\n{"it":2}'), /^data: orders\.jsonl:2: lacks id, which path names; add it$/],
    [
      ...of('{"id":12345678901234567890}'),
      /^data: orders\.jsonl:1: id is larger than 2\^53.*; write it as text$/,
    ],
    [...of('{"id":{"a":1}}'), /^data: orders\.jsonl:1: id is not a text or a number, as path needs/],
    [...of('{"id":"\\ud800"}'), /^data: orders\.jsonl:1: id contains a character that path cannot/],
    [
      ...of('{"it":1}'),
      /^data: path, headers and body name none of its fields \(it\); name one, like \$\{it\}$/,
    ],
    [{ data: 'none.jsonl' }, undefined, /^data: none\.jsonl: there is no such file; /],
    [{ data: [{ id: 1 }, {}] }, undefined, /^data\.1: lacks id, which path names; add it$/],
    [
      { headers: { 'x-a': '${id}' }, data: [{ id: 1 }, { id: 'a\nb' }] },
      undefined,
      /^data\.1: id contains a character that x-a cannot; remove it$/,
    ],
    [
      { body: { a: '${other}' }, data: [{ id: 1 }] },
      undefined,
      /^body: other is neither a field of data nor set here; correct it$/,
    ],
    [
      { headers: { 'content-length': '1' }, body: '${id}', data: [{ id: 1 }] },
      undefined,
      /^headers: "content-length" is left to the load tools/,
    ],
    [
      { body: 'x'.repeat(2 ** 20), data: Array.from({ length: 300 }, (_, id) => ({ id })) },
      undefined,
      /^data: 300 requests of \d+ bytes are more than 256 MiB; use fewer rows$/,
    ],
  ];
  for (const [written, file, message] of cases)
    assert.throws(() => read(written, file), { name: 'UserError', message });
});
