import Fastify from 'fastify';
import { Redis } from 'ioredis';
import { scenarios } from './scenarios.js';

const app = Fastify({ forceCloseConnections: true });

app.get('/', async (_request, reply) => {
  reply.type('text/plain; charset=utf-8');
  return 'Hello World!';
});

app.get(
  '/json',
  { schema: { response: { 200: { type: 'object', properties: { hello: { type: 'string' } } } } } },
  async () => ({ hello: 'world' }),
);

if (process.env.REDIS_URL) {
  const redis = new Redis(process.env.REDIS_URL);
  await redis.mset({ 'perf:first': 'one', 'perf:second': 'two', 'perf:third': 'three' });
  app.addHook('onClose', () => redis.disconnect());
  const text = { type: 'string' };
  const three = { type: 'object', properties: { first: text, second: text, third: text } };
  app.get('/redis', { schema: { response: { 200: three } } }, async () => {
    const [first, second, third] = await redis.mget('perf:first', 'perf:second', 'perf:third');
    return { first, second, third };
  });
}

await app.register(scenarios);

await app.listen({ port: Number(process.env.PORT), host: process.env.HOST });
process.on('SIGTERM', () => app.close());
