import { createServer } from 'node:http';
import pg from 'pg';

const ROWS = 10_000;
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 4 });

// Several instances start at once; the first makes the table.
const client = await pool.connect();
await client.query('SELECT pg_advisory_lock(1)');
await client.query('CREATE TABLE IF NOT EXISTS world (id int PRIMARY KEY, number int NOT NULL)');
await client.query(
  `INSERT INTO world SELECT id, id * 7919 % ${ROWS} FROM generate_series(1, ${ROWS}) AS id ON CONFLICT DO NOTHING`,
);
await client.query('SELECT pg_advisory_unlock(1)');
client.release();

const server = createServer(async (request, response) => {
  if (request.url === '/') return send(response, 200, 'text/plain; charset=utf-8', 'Hello World!');
  if (request.url !== '/db') return send(response, 404, 'text/plain; charset=utf-8', 'Not Found');
  try {
    const { rows } = await pool.query({
      ...{ name: 'one', text: 'SELECT id, number FROM world WHERE id = $1' },
      values: [1 + Math.floor(Math.random() * ROWS)],
    });
    send(response, 200, 'application/json; charset=utf-8', JSON.stringify(rows[0]));
  } catch (error) {
    send(response, 500, 'text/plain; charset=utf-8', 'Internal Server Error');
    console.error(error);
  }
});

/**
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {string} type
 * @param {string} body ASCII, so that its length is its byte length
 */
function send(response, status, type, body) {
  response.writeHead(status, { 'content-type': type, 'content-length': body.length });
  response.end(body);
}

server.listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => {
  server.close(() => pool.end());
  server.closeAllConnections();
});
