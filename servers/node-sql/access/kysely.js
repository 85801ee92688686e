import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';

/** @typedef {{ article: { id: number, title: string, author: string, price: number } }} Tables */

/** @param {{ url: string, connections: number }} options */
export async function open({ url, connections }) {
  const pool = new pg.Pool({ connectionString: url, max: connections });
  /** @type {Kysely<Tables>} */
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  return {
    find: (/** @type {number} */ id) =>
      db
        .selectFrom('article')
        .select(['id', 'title', 'author', 'price'])
        .where('id', '=', id)
        .executeTakeFirst(),
    close: () => db.destroy(),
  };
}
