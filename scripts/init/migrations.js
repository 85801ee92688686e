/** What may fill a server's empty database. @import { Project } from './candidates.js' */

import { posix } from 'node:path';

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

/**
 * Commands that may fill its database, the likeliest first.
 * @type {(project: Project, services: string[]) => string[]}
 */
export function migrationsOf({ own, folder, node }, services) {
  const { scripts = {}, ...manifest } = node?.manifest ?? {};
  const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const files = [...own.keys()];
  const tools = TOOLS.flatMap(([name, used, command]) =>
    dependencies.includes(name) && files.some((file) => used.test(file)) ? command : [],
  );
  const named = SCRIPTS.filter((name) => scripts[name] !== undefined && !/\bdev\b/.test(scripts[name] ?? ''));
  const schemas = files.filter((file) => SCHEMA.test(file)).map((file) => posix.relative(folder, file));
  const clients = services.flatMap((id) => CLIENTS[id] ?? []);
  return [
    ...tools.filter((tool) => tool.includes('prisma')),
    ...named.map((name) => `${node?.run} ${name}`),
    ...tools.filter((tool) => !tool.includes('prisma')),
    ...schemas.flatMap((schema) => clients.map((client) => client(schema))),
  ];
}
