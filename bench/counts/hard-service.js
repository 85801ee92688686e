/** A service whose counts do not depend on the request alone. */

const SOURCE = `import { createServer, get } from 'node:http';
import pg from 'pg';

const { DATABASE_URL: connectionString, PORT: port, HOST: host } = process.env;
const pool = new pg.Pool({ connectionString, idleTimeoutMillis: 500 });
pool.on('connect', (client) => void client.query('SELECT now()').catch(() => {}));
await pool.query('CREATE TABLE IF NOT EXISTS rows AS SELECT 2 * n AS id, n AS cents FROM generate_series(1, 50) n');
const read = (id) => pool.query('SELECT cents FROM rows WHERE id = $1', [id]);
const ping = () =>
  new Promise((resolve, reject) => {
    get({ host, port, path: '/ping' }, (answer) => answer.resume().once('end', resolve)).once('error', reject);
  });

let cached;
let freshUntil = 0;
const ROUTES = {
  '/ping': async () => {},
  '/cached': async () => {
    if (Date.now() > freshUntil) {
      freshUntil = Date.now() + 2000;
      cached = Promise.all([read(2), ping()]);
    }
    await cached;
  },
  '/job': () => read(4),
  '/random': async () => {
    const { rows } = await read(1 + Math.floor(100 * Math.random()));
    if (rows.length === 0) await read(6);
  },
  '/prepared': () =>
    pool.query({ name: 'dear', text: 'SELECT count(*) FROM rows WHERE cents > $1', values: [7] }),
};
setInterval(() => Promise.all([read(8), read(10), ping()]).catch(() => {}), 1000);
createServer(async (request, response) => {
  await ROUTES[request.url]().catch(() => response.writeHead(500));
  response.end('ok');
}).listen(port, host);
`;

/**
 * A cache of two seconds, a job each second beside each route, random rows of which half exist, statements
 * that are prepared, and connections that begin with one. settings: its perf.yml
 * @param {string} install a command
 */
export function hardService(install) {
  const routes = ['/cached', '/job', '/random', '/prepared'];
  const server = { id: 'hard', install, start: 'node hard.js', needs: ['postgres'], routes };
  // Statements are counted in a run with clocks, too, where they have a limit.
  return { file: 'hard.js', source: SOURCE, settings: { servers: [server], limits: { statements: 100 } } };
}
