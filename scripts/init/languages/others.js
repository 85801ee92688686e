/**
 * PHP, Rails, and the last resorts: the commands of a Procfile or a Dockerfile.
 * @import { Candidate, Recognize, Route, Sources } from '../types.js'
 */

import { findDatabases } from '../databases.js';
import { idOf, jsonOf } from '../folders.js';
import { findRoute } from '../routes/routes.js';
import { completed } from '../server.js';
import { findSettings } from '../settings.js';

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
  const databases = findDatabases({ sources, own: sources, folder: '', manifest });
  return [
    completed(
      {
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
      },
      { databases, settings: findSettings(sources, '', databases.needs) },
    ),
  ];
}

/** @type {Recognize} */
export function findRails(sources, name) {
  const manifest = sources.get('Gemfile') ?? '';
  const routes = sources.get('config/routes.rb');
  if (routes === undefined || !/gem ['"]rails['"]/.test(manifest)) return [];
  const server = completed(
    {
      id: idOf(name),
      evidence: 'Rails in Gemfile',
      folder: '',
      runtime: 'ruby',
      install: 'bundle install --quiet',
      commands: ['bundle exec rails db:prepare', 'bundle exec rails server --binding $HOST --port $PORT'],
      env: { RAILS_ENV: 'production', SECRET_KEY_BASE_DUMMY: '1', RAILS_LOG_LEVEL: 'warn' },
      readyTimeout: '60s',
      route: railsRoute(routes),
    },
    { databases: findDatabases({ sources, own: sources, folder: '', manifest }) },
  );
  // Rails reads DATABASE_URL by itself.
  return [{ ...server, toDos: server.toDos.filter((toDo) => !/DATABASE_URL|MYSQL_URL/.test(toDo)) }];
}

/** @param {string} text of config/routes.rb @returns {Route} the root, else the first plain `get` below its namespaces */
function railsRoute(text) {
  const lines = text.split('\n');
  const root = lines.findIndex((line) => /^\s*root\b/.test(line));
  if (root >= 0) return { path: '/', declaredAt: `config/routes.rb:${root + 1}` };
  /** @type {{ indent: number, prefix: string }[]} */
  const around = [];
  for (const [index, line] of lines.entries()) {
    const indent = line.search(/\S/);
    while (line.trim() !== '' && (around.at(-1)?.indent ?? -1) >= indent) around.pop();
    const [, space] = /^\s*(?:namespace|scope)\s*\(?[: '"]+\/?([\w/-]+)/.exec(line) ?? [];
    if (space) around.push({ indent, prefix: `/${space}` });
    const [, path] = /^\s*get\s*\(?\s*['"]\/?([\w/.-]+)['"]/.exec(line) ?? [];
    const prefix = around.map((block) => block.prefix).join('');
    if (path) return { path: `${prefix}/${path}`, declaredAt: `config/routes.rb:${index + 1}` };
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
  const [, vector] = /^\s*(?:CMD|ENTRYPOINT)\s+(\[.*\])\s*$/m.exec(sources.get('Dockerfile') ?? '') ?? [];
  const words = jsonOf(vector, /** @type {unknown[]} */ ([])).map(String);
  const start = words.map((word) => (/^[\w./=:@-]+$/.test(word) ? word : `"${word}"`)).join(' ');
  return commandOnly(sources, { name, evidence: 'the command of Dockerfile', start });
}

/** @param {Sources} sources @param {{ name: string, evidence: string, start: string }} server @returns {Candidate[]} */
function commandOnly(sources, { name, evidence, start }) {
  if (start === '') return [];
  const toDo = `only the start command is known, from ${evidence}: add install and build, as you run them on this machine`;
  return [
    completed({
      id: idOf(name),
      evidence,
      folder: '',
      runtime: start.split(' ')[0] ?? '',
      commands: [start],
      route: findRoute(sources),
      toDos: [toDo],
    }),
  ];
}
