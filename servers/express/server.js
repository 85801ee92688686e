import express from 'express';

const app = express();

app.get('/', (_request, response) => {
  response.type('text').send('Hello World!');
});

app.get('/json', (_request, response) => {
  response.json({ hello: 'world' });
});

const server = app.listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
