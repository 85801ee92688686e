import Fastify from 'fastify';
import items from './items.js';

const app = Fastify();
app.register(items, { prefix: '/v1' });
await app.listen({ port: Number(process.env.PORT ?? 3000), host: process.env.HOST ?? '127.0.0.1' });
