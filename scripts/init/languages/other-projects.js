/**
 * PHP, Rails, and the last resorts: the commands of a Procfile or a Dockerfile.
 * @import { Candidate, Program, Recognize, Sources } from '../candidates.js'
 */

import { quoted } from '../../system/process/shell.js';
import { completed } from '../server.js';

/** The key has to have 32 bytes; it signs what only this server reads again. */
const LARAVEL = {
  APP_ENV: 'production',
  APP_DEBUG: 'false',
  APP_KEY: `base64:${Buffer.from('only-for-measuring-0123456789abc').toString('base64')}`,
};

/** Of its JSON: [{"method":"GET|HEAD","uri":"api\/items\/{item}"}]. */
const LARAVEL_ROUTES = `php artisan route:list --json | php -r ${quoted(
  'foreach (json_decode(stream_get_contents(STDIN)) as $each) echo strtok($each->method, "|"), " /", ltrim($each->uri, "/"), "\\n";',
)}`;
/** Of its table: "items GET /items/:id(.:format) items#show", without those of the framework itself. */
const RAILS_ROUTES = `bundle exec rails routes | sed -nE ${quoted(
  '\\# /rails/#!s#^ *([a-z_0-9]+ +)?([A-Z]+)[A-Z|]* +(/[^ (]*).*#\\2 \\3#p',
)}`;

/** @type {Recognize} */
export function findPhp(sources, name) {
  const manifest = sources.get('composer.json');
  if (manifest === undefined || !sources.has('public/index.php')) return [];
  const isLaravel = sources.has('artisan');
  const program = {
    evidence: `${isLaravel ? 'Laravel' : 'PHP'} in composer.json and public/index.php`,
    runtime: 'php',
    install: 'composer install --no-dev --no-interaction --quiet',
    ...(isLaravel && { listing: LARAVEL_ROUTES, migrations: ['php artisan migrate --force'] }),
    commands: ['php -S $HOST:$PORT -t public public/index.php'],
    env: { ...(isLaravel && LARAVEL), PHP_CLI_SERVER_WORKERS: '4' },
    toDos: ["this is PHP's built-in server; php-fpm or FrankenPHP answer differently under load"],
  };
  return [atTop(sources, { id: name, ...program }, manifest)];
}

/** @type {Recognize} */
export function findRails(sources, name) {
  const manifest = sources.get('Gemfile') ?? '';
  if (!sources.has('config/routes.rb') || !/gem ['"]rails['"]/.test(manifest)) return [];
  const program = {
    evidence: 'Rails in Gemfile',
    runtime: 'ruby',
    install: 'bundle install --quiet',
    listing: RAILS_ROUTES,
    migrations: ['bundle exec rails db:prepare'],
    commands: ['bundle exec rails server --binding $HOST --port $PORT'],
    env: { RAILS_ENV: 'production', SECRET_KEY_BASE_DUMMY: '1', RAILS_LOG_LEVEL: 'warn' },
    readyTimeout: '60s',
  };
  return [atTop(sources, { id: name, ...program }, manifest)];
}

/** @type {Recognize} */
export function findProcfile(sources, name) {
  const [, start = ''] = /^web:\s*(.+)$/m.exec(sources.get('Procfile') ?? '') ?? [];
  return commandOnly(sources, { name, evidence: 'the web line of Procfile', start: start.trim() });
}

/** @type {Recognize} */
export function findDockerfile(sources, name) {
  const start = commandOf(sources.get('Dockerfile') ?? '');
  return commandOnly(sources, { name, evidence: 'the command of Dockerfile', start });
}

/** The program is the image's entry point. @type {(dockerfile: string, program?: string) => string} */
export function commandOf(dockerfile, program = '') {
  const list = (/** @type {string} */ key) => {
    // CMD ["node", "server.js"]; CMD node server.js
    const [, line = ''] = new RegExp(`^\\s*${key}\\s+(.*)$`, 'm').exec(dockerfile) ?? [];
    const words = line.startsWith('[') ? (line.match(/"(?:\\.|[^"\\])*"/g) ?? []) : [line];
    return words.map((word) => word.replace(/^"([\w./=:@-]+)"$/, '$1')).join(' ');
  };
  const start = [list('ENTRYPOINT'), list('CMD')].filter(Boolean).join(' ');
  return start === '' || start.startsWith(program) ? start : `${program} ${start}`;
}

/** @type {(sources: Sources, server: { name: string, evidence: string, start: string }) => Candidate[]} */
function commandOnly(sources, { name, evidence, start }) {
  if (start === '') return [];
  const toDo = `only the start command is known, from ${evidence}: add install and build, as you run them on this machine`;
  const runtime = start.split(' ')[0] ?? '';
  return [atTop(sources, { id: name, evidence, runtime, commands: [start], toDos: [toDo] })];
}

/** @type {(sources: Sources, program: Omit<Program, 'folder'>, manifest?: string) => Candidate} */
function atTop(sources, program, manifest) {
  const project = { sources, own: sources, folder: '', ...(manifest !== undefined && { manifest }) };
  return completed(project, { ...program, folder: '' });
}
