import express from 'express';
import { scenarios } from './scenarios.js';

const app = express();

app.get('/', (_request, response) => {
  response.type('text').send('Hello World!');
});

app.get('/json', (_request, response) => {
  response.json({ hello: 'world' });
});

app.use(scenarios);

const server = app.listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
