/** What may fill a server's empty database. @import { Project } from './candidates.js' */

import { posix } from 'node:path';

/** By the packages that bring them, the likeliest first. @type {[name: string, command: string][]} */
const TOOLS = [
  ['prisma', 'npx prisma migrate deploy'],
  ['prisma', 'npx prisma db push'],
  ['drizzle-kit', 'npx drizzle-kit migrate'],
  ['drizzle-kit', 'npx drizzle-kit push'],
  ['knex', 'npx knex migrate:latest'],
  ['@mikro-orm/cli', 'npx mikro-orm migration:up'],
];
/** Scripts of a package.json: db:migrate:deploy, migration:run, migrate, db:push. */
const SCRIPT = /^(db:|prisma:)?(migrat\w+|deploy|push)(:(deploy|prod|run|latest|up))?$/;
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
  const tools = TOOLS.flatMap(([name, command]) => (dependencies.includes(name) ? command : []));
  const named = Object.keys(scripts).filter(
    (name) => SCRIPT.test(name) && !/\bdev\b/.test(scripts[name] ?? ''),
  );
  const schemas = [...own.keys()]
    .filter((file) => SCHEMA.test(file))
    .map((file) => posix.relative(folder, file));
  const clients = services.flatMap((id) => CLIENTS[id] ?? []);
  return [
    ...named.map((name) => `${node?.run} ${name}`),
    ...tools,
    ...schemas.flatMap((schema) => clients.map((client) => client(schema))),
  ];
}
