import { createServer } from 'node:http';
import { createPool } from 'mysql2/promise';

const pool = createPool({ uri: process.env.DATABASE_URL, connectionLimit: 4 });
await pool.query('create table if not exists items (id int primary key, name text)');
await pool.query("insert ignore into items values (1, 'shoe')");

createServer(async (request, response) => {
  const [rows] = await pool.query('select * from items');
  response.end(JSON.stringify(rows));
}).listen(process.env.PORT);
