import { Hono } from 'hono';

const books = new Hono();
books.get('/', (context) => context.json([{ title: 'Dubliners' }]));

export default books;
