import pg from 'pg';

/** @param {{ url: string, connections: number }} options */
export async function open({ url, connections }) {
  const pool = new pg.Pool({ connectionString: url, max: connections });
  return {
    find: async (/** @type {number} */ id) => {
      const { rows } = await pool.query('SELECT id, title, author, price FROM article WHERE id = $1', [id]);
      return rows[0];
    },
    close: () => pool.end(),
  };
}
