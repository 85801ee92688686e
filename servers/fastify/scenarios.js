import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);
const ORDERS = Array.from({ length: 100 }, (_, index) => ({ id: index + 1, state: 'open', total: 9.5 }));
const PAGE = fileURLToPath(new URL('./public/page.html', import.meta.url));
const HOOKS = 10;

const integer = { type: 'integer', minimum: 1 };
/** A schema for answers of one number. */
const answering = (name) => ({
  response: { 200: { type: 'object', properties: { [name]: { type: 'integer' } } } },
});

/** What servers do beside saying hello. */
export async function scenarios(app) {
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post('/upload', { schema: answering('bytes') }, async ({ body }) => ({ bytes: body.length }));

  app.get('/static/page.html', async (_request, reply) => {
    const { size } = await stat(PAGE);
    reply.type('text/html; charset=utf-8').header('content-length', size);
    return reply.send(createReadStream(PAGE));
  });

  app.get('/compressed', async ({ headers }, reply) => {
    const text = JSON.stringify(ORDERS);
    reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding');
    if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return text;
    reply.header('content-encoding', 'gzip');
    return compress(text);
  });

  await app.register(async (chained) => {
    chained.decorateRequest('passed', 0);
    for (let hook = 0; hook < HOOKS; hook++)
      chained.addHook('onRequest', async (request) => {
        request.passed += 1;
      });
    chained.get('/middleware', { schema: answering('passed') }, async ({ passed }) => ({ passed }));
  });

  const params = { type: 'object', properties: { id: integer }, required: ['id'] };
  app.get('/users/:id', { schema: { params, ...answering('id') } }, async ({ params: { id } }) => ({ id }));
}
