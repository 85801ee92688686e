import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import express from 'express';

const compress = promisify(gzip);
const ORDERS = Array.from({ length: 100 }, (_, index) => ({ id: index + 1, state: 'open', total: 9.5 }));
const MIDDLEWARES = 10;

/** What servers do beside saying hello. */
export const scenarios = express.Router();

scenarios.post('/upload', express.raw({ type: '*/*' }), (request, response) => {
  response.json({ bytes: request.body.length });
});

scenarios.use('/static', express.static(fileURLToPath(new URL('./public', import.meta.url))));

scenarios.get('/compressed', async (request, response) => {
  const text = JSON.stringify(ORDERS);
  response.type('json').set('vary', 'accept-encoding');
  if (request.acceptsEncodings('gzip')) response.set('content-encoding', 'gzip').end(await compress(text));
  else response.end(text);
});

const passing = Array.from({ length: MIDDLEWARES }, () => (_request, response, next) => {
  response.locals.passed = (response.locals.passed ?? 0) + 1;
  next();
});
scenarios.get('/middleware', ...passing, (_request, response) => {
  response.json({ passed: response.locals.passed });
});

scenarios.get('/users/:id', ({ params: { id } }, response) => {
  if (/^[1-9]\d{0,8}$/.test(id)) response.json({ id: Number(id) });
  else response.status(400).json({ error: 'id must be a positive integer' });
});
