import pg from 'pg';

export const ROWS = 100_000;

/**
 * Several servers start at once; the first makes the table, the others find it.
 * @param {string} url
 */
export async function seed(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('SELECT pg_advisory_lock(1)');
  await client.query(
    'CREATE TABLE IF NOT EXISTS article (id int PRIMARY KEY, title text NOT NULL, author text NOT NULL, price int NOT NULL)',
  );
  const { rows } = await client.query('SELECT count(*)::int AS count FROM article');
  if (rows[0].count < ROWS) {
    await client.query(
      `INSERT INTO article SELECT id, 'Article ' || id, 'Author ' || id % 1000, id * 7919 % 10000
       FROM generate_series(1, ${ROWS}) AS id ON CONFLICT DO NOTHING`,
    );
    await client.query('ANALYZE article');
  }
  await client.end();
}
