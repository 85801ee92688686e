/**
 * PHP, Rails, and the last resorts: what a Procfile or a Dockerfile starts.
 * @import { Recognize, Route, Sources } from '../types.js'
 */

import { findDatabases } from '../databases.js';
import { idOf, lineOf } from '../folders.js';
import { findRoute } from '../routes/routes.js';

/** @type {Recognize} */
export function findPhp(sources, name) {
  if (!sources.has('composer.json') || !sources.has('public/index.php')) return [];
  return [
    {
      id: idOf(name),
      seen: 'PHP in composer.json and public/index.php',
      folder: '',
      runtime: 'php',
      install: 'composer install --no-dev --no-interaction --quiet',
      start: 'php -S $HOST:$PORT -t public public/index.php',
      env: { PHP_CLI_SERVER_WORKERS: '4' },
      needs: [],
      route: findRoute(sources),
      paths: [],
      doubts: ["this is PHP's built-in server; php-fpm or FrankenPHP answer differently under load"],
    },
  ];
}

/** @type {Recognize} */
export function findRails(sources, name) {
  const gems = sources.get('Gemfile') ?? '';
  const routes = sources.get('config/routes.rb');
  if (routes === undefined || !/gem ['"]rails['"]/.test(gems)) return [];
  const { needs, assignments, doubts } = findDatabases({ sources, own: sources, folder: '', manifest: gems });
  const [prepare, serve] = ['db:prepare', 'server --binding $HOST --port $PORT'].map((task) =>
    [assignments, `bundle exec rails ${task}`].filter(Boolean).join(' '),
  );
  return [
    {
      id: idOf(name),
      seen: 'Rails in Gemfile',
      folder: '',
      runtime: 'ruby',
      install: 'bundle install --quiet',
      start: `${prepare} && ${serve}`,
      env: { RAILS_ENV: 'production', SECRET_KEY_BASE_DUMMY: '1', RAILS_LOG_LEVEL: 'warn' },
      readyTimeout: '60s',
      needs,
      route: railsRoute(routes),
      paths: [],
      // Rails reads DATABASE_URL by itself, and Mongoid and Redis are not Active Record's.
      doubts: doubts.filter((doubt) => !/DATABASE_URL|MYSQL_URL/.test(doubt)),
    },
  ];
}

/**
 * The root, else the first plain `get` with what its namespaces put before it.
 * @param {string} text of config/routes.rb
 * @returns {Route}
 */
function railsRoute(text) {
  const root = text.search(/^\s*root\b/m);
  if (root >= 0)
    return { path: '/', at: `config/routes.rb:${lineOf(text, root) + (text[root] === '\n' ? 1 : 0)}` };
  /** @type {{ indent: number, prefix: string }[]} */
  const around = [];
  for (const [index, line] of text.split('\n').entries()) {
    const indent = line.search(/\S/);
    while (line.trim() !== '' && (around.at(-1)?.indent ?? -1) >= indent) around.pop();
    const [, space] = /^\s*(?:namespace|scope)\s*\(?[: '"]+\/?([\w/-]+)/.exec(line) ?? [];
    if (space) around.push({ indent, prefix: `/${space}` });
    const [, path] = /^\s*get\s*\(?\s*['"]\/?([\w/.-]+)['"]/.exec(line) ?? [];
    const prefix = around.map((each) => each.prefix).join('');
    if (path) return { path: `${prefix}/${path}`, at: `config/routes.rb:${index + 1}` };
  }
  return { path: '/' };
}

/**
 * What a Procfile's web line starts is the server, once what it needs is installed.
 * @type {Recognize}
 */
export function findProcfile(sources, name) {
  const [, start] = /^web:\s*(.+)$/m.exec(sources.get('Procfile') ?? '') ?? [];
  if (!start) return [];
  return [unknown(sources, { name, seen: 'the web line of Procfile', start: start.trim() })];
}

/** @type {Recognize} */
export function findDockerfile(sources, name) {
  const text = sources.get('Dockerfile') ?? '';
  const [, listed] = /^\s*(?:CMD|ENTRYPOINT)\s+(\[.*\])\s*$/m.exec(text) ?? [];
  const command = listed ? wordsOf(listed) : undefined;
  if (!command || command.length === 0) return [];
  const start = command.map((word) => (/^[\w./=:@-]+$/.test(word) ? word : `"${word}"`)).join(' ');
  return [unknown(sources, { name, seen: 'the command of Dockerfile', start })];
}

/**
 * @param {Sources} sources
 * @param {{ name: string, seen: string, start: string }} of
 */
function unknown(sources, { name, seen, start }) {
  return {
    id: idOf(name),
    seen,
    folder: '',
    runtime: start.split(' ')[0] ?? '',
    start,
    needs: [],
    route: findRoute(sources),
    paths: [],
    doubts: [
      `only the start command is known, from ${seen}: add install and build, as you run them on this machine`,
    ],
  };
}

/** @param {string} listed */
function wordsOf(listed) {
  try {
    return /** @type {unknown[]} */ (JSON.parse(listed)).map(String);
  } catch {
    return undefined;
  }
}
