/** What fills a server's empty database. @import { Project } from './candidates.js' */

import { posix } from 'node:path';
import { joinedText } from './source-tree.js';

/** Tools, and files that show their use. @type {[package: string, used: RegExp, command: string][]} */
const TOOLS = [
  ['prisma', /(^|\/)migrations\/.+\.sql$/, 'npx prisma migrate deploy'],
  ['prisma', /(^|\/)schema\.prisma$/, 'npx prisma db push'],
  ['drizzle-kit', /(^|\/)(drizzle|migrations)\/.*\.sql$/, 'npx drizzle-kit migrate'],
  ['drizzle-kit', /(^|\/)drizzle\.config\.[mc]?[jt]s$/, 'npx drizzle-kit push'],
  ['knex', /(^|\/)knexfile\.[mc]?[jt]s$/, 'npx knex migrate:latest'],
  ['@mikro-orm/cli', /(^|\/)mikro-orm\.config\.[mc]?[jt]s$/, 'npx mikro-orm migration:up'],
];
/** Scripts of a package.json, the likeliest first. */
const SCRIPTS = (
  'db:migrate:deploy prisma:deploy migrate:deploy migrate:prod migration:run migrations:run db:migrate ' +
  'migrate:latest migrate:up migrate db:push'
).split(' ');
/** Commands that end without a .env file. */
const WANTS_ENV_FILE = /--env-file=\.env\b|\benv-cmd\b/;
/** Servers do it: migrate(db, {...}), sqlx::migrate!(), Database.Migrate(), synchronize: true. */
const ITSELF =
  /\bmigrate\w*\(\s*\w+\s*,\s*\{|\bmigrate!|\.Migrate(?:Async)?\(|\.EnsureCreated|AutoMigrate\(|migrate\.latest\(|\b(?:migrationsRun|synchronize)\s*:\s*true|\bgoose\.Up|\bcreate_all\(|golang-migrate/;
/**
 * What reads a file of SQL, by service. An error, such as a table that exists, ends none of them.
 * @type {Record<string, (file: string) => string>}
 */
const CLIENTS = {
  postgres: (file) => `psql --quiet --set ON_ERROR_STOP=1 --file ${file} "$DATABASE_URL"`,
  mysql: (file) =>
    `mysql --force --host $MYSQL_HOST --port $MYSQL_PORT --user $MYSQL_USER $MYSQL_DATABASE < ${file}`,
};
const SCHEMA = /(^|\/)(schema|init|tables|structure|create[\w-]*)\.sql$/i;
const MIGRATION = /(^|\/)migrations?\/.+\.(sql|cs)$/i;

/**
 * The commands before the server's own, for the databases that it needs. It reads the files of `copy`.
 * @type {(project: Project, needs: string[], server: { start: string, copy: string[] }) =>
 *   { setup: string[], toDos: string[] }}
 */
export function migrationsOf({ own, folder, node }, needs, { start, copy }) {
  const { scripts = {}, ...manifest } = node?.manifest ?? {};
  const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const files = [...own.keys()];
  const code = joinedText(own, (file) => !MIGRATION.test(file));
  const hasFile = needs.length > 0 || dependencies.some((name) => /sqlite|libsql/.test(name));
  if (/migrat/.test(`${start} ${scripts.start ?? ''}`) || ITSELF.test(code)) return { setup: [], toDos: [] };
  const [, , tool] =
    TOOLS.find(([name, used]) => dependencies.includes(name) && files.some((file) => used.test(file))) ?? [];
  const script = SCRIPTS.find((name) => scripts[name] !== undefined && !/\bdev\b/.test(scripts[name] ?? ''));
  const lacksEnvFile =
    !copy.includes('.env') && Object.values(scripts).some((line) => WANTS_ENV_FILE.test(line));
  if (tool?.includes('prisma')) return { setup: [tool], toDos: [] };
  if (script && hasFile)
    return { setup: [`${lacksEnvFile ? 'touch .env && ' : ''}${node?.run} ${script}`], toDos: [] };
  if (tool) return { setup: [tool], toDos: [] };
  const schema = files.find((file) => SCHEMA.test(file) && !code.includes(posix.basename(file)));
  const migration = files.find((file) => MIGRATION.test(file));
  const client = needs.map((id) => CLIENTS[id]).find(Boolean);
  if (schema && client) return { setup: [client(posix.relative(folder, schema))], toDos: [] };
  const lacking = schema ?? migration;
  return {
    setup: [],
    toDos: lacking ? [`nothing applies ${lacking} to the empty database: put the command under setup`] : [],
  };
}
