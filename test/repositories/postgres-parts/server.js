import { createServer } from 'node:http';
import pg from 'pg';

const { DB_HOST, DB_PORT, DB_USER, DB_NAME, PORT } = process.env;
const pool = new pg.Pool({ host: DB_HOST, port: Number(DB_PORT), user: DB_USER, database: DB_NAME, max: 4 });
await pool.query('create table if not exists items (id int primary key, name text)');
await pool.query("insert into items values (1, 'shoe') on conflict do nothing");

createServer(async (request, response) => {
  const { rows } = await pool.query('select * from items');
  response.end(JSON.stringify(rows));
}).listen(PORT);
