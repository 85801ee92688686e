import express from 'express';
import { Pool } from 'pg';

const pool = new Pool({ connectionString: process.env.DATABASE_URL });
// A database of the run's own lives on from start to start: what is there already is left.
await pool.query('create table if not exists items (id serial primary key, name text not null unique)');
await pool.query(
  "insert into items (name) select 'item ' || n from generate_series(1, 100) n on conflict do nothing",
);

const app = express();
app.use(express.json());

app.get('/items', async (request, response) => {
  const { rows } = await pool.query('select id, name from items order by id limit 20');
  response.json(rows);
});

app.post('/items', async (request, response) => {
  const { rows } = await pool.query(
    'insert into items (name) values ($1) on conflict (name) do update set name = excluded.name returning id, name',
    [request.body.name],
  );
  response.status(201).json(rows[0]);
});

app.listen(process.env.PORT ?? 3000, process.env.HOST);
