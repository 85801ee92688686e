import Fastify from 'fastify';

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

await app.listen({ port: Number(process.env.PORT), host: process.env.HOST });
process.on('SIGTERM', () => app.close());
