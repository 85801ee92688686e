import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import pg from 'pg';

const article = pgTable('article', {
  id: integer().primaryKey(),
  title: text().notNull(),
  author: text().notNull(),
  price: integer().notNull(),
});

/** @param {{ url: string, connections: number }} options */
export async function open({ url, connections }) {
  const pool = new pg.Pool({ connectionString: url, max: connections });
  const db = drizzle({ client: pool });
  return {
    find: async (/** @type {number} */ id) => {
      const [row] = await db.select().from(article).where(eq(article.id, id));
      return row;
    },
    close: () => pool.end(),
  };
}
