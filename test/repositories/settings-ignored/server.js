import { createServer } from 'node:http';

if (!process.env.GREETING) throw new Error('GREETING is not set');

createServer((request, response) => response.end(process.env.GREETING)).listen(process.env.PORT);
