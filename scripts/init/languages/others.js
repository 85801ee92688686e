/**
 * PHP, Rails, and the last resorts: the commands of a Procfile or a Dockerfile.
 * @import { Candidate, Recognize, Route, Sources } from '../types.js'
 */

import { findDatabases } from '../databases.js';
import { idOf, nestedLines } from '../folders.js';
import { findRoute } from '../routes/routes.js';
import { completed, environmentOf } from '../server.js';

/** The key has to have 32 bytes; it signs what only this server reads again. */
const LARAVEL = {
  APP_ENV: 'production',
  APP_DEBUG: 'false',
  APP_KEY: `base64:${Buffer.from('only-for-measuring-0123456789abc').toString('base64')}`,
};

/** @type {Recognize} */
export function findPhp(sources, name) {
  const manifest = sources.get('composer.json');
  if (manifest === undefined || !sources.has('public/index.php')) return [];
  const isLaravel = sources.has('artisan');
  const server = {
    id: idOf(name),
    evidence: `${isLaravel ? 'Laravel' : 'PHP'} in composer.json and public/index.php`,
    folder: '',
    runtime: 'php',
    install: 'composer install --no-dev --no-interaction --quiet',
    commands: [
      ...(isLaravel ? ['php artisan migrate --force'] : []),
      'php -S $HOST:$PORT -t public public/index.php',
    ],
    env: { ...(isLaravel && LARAVEL), PHP_CLI_SERVER_WORKERS: '4' },
    route: findRoute(sources),
    toDos: ["this is PHP's built-in server; php-fpm or FrankenPHP answer differently under load"],
  };
  return [completed(server, environmentOf({ sources, own: sources, folder: '', manifest }))];
}

/** @type {Recognize} */
export function findRails(sources, name) {
  const manifest = sources.get('Gemfile') ?? '';
  const routes = sources.get('config/routes.rb');
  if (routes === undefined || !/gem ['"]rails['"]/.test(manifest)) return [];
  const server = {
    id: idOf(name),
    evidence: 'Rails in Gemfile',
    folder: '',
    runtime: 'ruby',
    install: 'bundle install --quiet',
    commands: ['bundle exec rails db:prepare', 'bundle exec rails server --binding $HOST --port $PORT'],
    env: { RAILS_ENV: 'production', SECRET_KEY_BASE_DUMMY: '1', RAILS_LOG_LEVEL: 'warn' },
    readyTimeout: '60s',
    route: railsRoute(routes),
  };
  const databases = findDatabases({ sources, own: sources, folder: '', manifest });
  // Rails reads DATABASE_URL by itself.
  const toDos = databases.toDos.filter((toDo) => !/DATABASE_URL|MYSQL_URL/.test(toDo));
  return [completed(server, { databases: { ...databases, toDos } })];
}

/** @param {string} text of config/routes.rb @returns {Route} the root, else the first plain `get` below its namespaces */
function railsRoute(text) {
  const root = text.split('\n').findIndex((line) => /^\s*root\b/.test(line));
  if (root >= 0) return { path: '/', declaredAt: `config/routes.rb:${root + 1}` };
  for (const [index, { line, around }] of nestedLines(text).entries()) {
    // get '/status', to: 'status#show'
    const [, path] = /^\s*get\s*\(?\s*['"]\/?([\w/.-]+)['"]/.exec(line) ?? [];
    // namespace :api do; scope '/v1' do
    const spaces = around.flatMap(
      (each) => /^\s*(?:namespace|scope)\s*\(?[: '"]+\/?([\w/-]+)/.exec(each)?.[1] ?? [],
    );
    if (path) return { path: `/${[...spaces, path].join('/')}`, declaredAt: `config/routes.rb:${index + 1}` };
  }
  return { path: '/' };
}

/** @type {Recognize} */
export function findProcfile(sources, name) {
  const [, start = ''] = /^web:\s*(.+)$/m.exec(sources.get('Procfile') ?? '') ?? [];
  return commandOnly(sources, { name, evidence: 'the web line of Procfile', start: start.trim() });
}

/** @type {Recognize} */
export function findDockerfile(sources, name) {
  // CMD ["node", "server.js"]
  const [, list = ''] = /^\s*(?:CMD|ENTRYPOINT)\s+\[(.*)\]\s*$/m.exec(sources.get('Dockerfile') ?? '') ?? [];
  const words = list.match(/"(?:\\.|[^"\\])*"/g) ?? [];
  const start = words.map((word) => word.replace(/^"([\w./=:@-]+)"$/, '$1')).join(' ');
  return commandOnly(sources, { name, evidence: 'the command of Dockerfile', start });
}

/** @param {Sources} sources @param {{ name: string, evidence: string, start: string }} server @returns {Candidate[]} */
function commandOnly(sources, { name, evidence, start }) {
  if (start === '') return [];
  const toDo = `only the start command is known, from ${evidence}: add install and build, as you run them on this machine`;
  const runtime = start.split(' ')[0] ?? '';
  const route = findRoute(sources);
  return [
    completed({ id: idOf(name), evidence, folder: '', runtime, commands: [start], route, toDos: [toDo] }),
  ];
}
