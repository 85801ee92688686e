import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import books from './books.js';

const app = new Hono().basePath('/api');
app.route('/books', books);
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) });
