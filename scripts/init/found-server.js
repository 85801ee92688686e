/**
 * Describes a server as it is written: by what tries showed, or by what is certain and to-dos for the rest.
 * @import { Candidate, Needable, Route, Written } from './candidates.js'
 * @import { RouteAnswer, Found } from '../types.js'
 * @import { Choice } from './next-attempt.js'
 */

import { SERVICES } from '../deploy/services.js';
import { firstAttempt, isNamed, isSilent, touching } from './next-attempt.js';
import { runtimeOf } from './server.js';
import { lackingIn, MADE_UP, SIGNS } from './server-settings.js';

/** Answers that cost nothing, so that no slowdown shows, or that no user waits for. */
const ASIDE =
  /\b(health\w*|live(z|ness)?|read(y|yz|iness)|ping|status|version|alive|metrics|docs?|swagger|openapi|redoc|reference|graphiql|playground|search|(log|sign)-?out)\b|\.\w{2,5}$|-(docs|json)$/i;
const LOGIN = /\b(log-?in|sign-?in|sessions?|tokens?)$/i;
const SHAPES = ['data', 'page', 'greeting'];
/** Of a server whose process does not tell its routes. */
const FEW = 3;
const MOST = 20;
const REFUSED = [401, 403];

/** @typedef {{ choice: Choice, found: Found }} Tried */
/** @typedef {string | false | 0 | undefined} ToDo */

/** @type {Found} */
const NOTHING = { answers: [], log: [] };

/**
 * @param {Candidate} candidate
 * @param {Tried[]} tried in order; none: it was not tried
 * @param {string[]} missing services that cannot be started here
 * @returns {Written}
 */
export function foundServer(candidate, tried, missing) {
  const { tries } = candidate;
  const answered = tried.filter(({ found: { failure } }) => !failure);
  // The last failure got furthest.
  const best = answered.toSorted((a, b) => scoreOf(b.found) - scoreOf(a.found))[0] ?? tried.at(-1);
  const { found, choice: chose } = best ?? { found: NOTHING, choice: firstAttempt(candidate) };
  const { failure, answers, log, version } = found;
  // A build names the packages of drivers.
  const starts = tried.filter(({ found: { failure } }) => !/^(install|build)/.test(failure?.kind ?? ''));
  const said = starts.flatMap(({ found: { log } }) => log).join('\n');
  const tidy = failure ? withoutHopes(chose, failure, said) : chose;
  // A file of settings that git does not track lies beside those that were tried.
  const copied = tries.settings.files.filter(
    (file) => !best || failure || chose.folders.includes(touching(file)),
  );
  const folders = tidy.folders.filter((line) => !copied.some((file) => line === touching(file)));
  const choice = { ...tidy, folders };
  const beside = tries.commands.filter((_, place) => place !== choice.command).join(', ');
  const unmet = tries.services.filter(({ id }) => missing.includes(id) && isNamed(id, said));
  const routes = best && !failure ? routesOf(candidate, answers) : undefined;
  const toDos = [
    routes && beside && `nothing says which program to measure, there is also ${beside}`,
    ...toDosOfStart(candidate, { choice, found }, unmet),
    copied.length > 0 &&
      `${copied.join(', ')} is copied: where git ignores it, the workflow has to write it first`,
    failure && `the try failed: ${withReason(failure.message, log)}`,
    ...(routes ? [] : toDosOfReading(candidate, { choice, found }, unmet)),
    !routes?.tried &&
      `${failure || !best ? 'no route is known' : withReason('no route answers', log)}: write one that answers with status 200`,
  ];
  return {
    ...chosen(candidate, choice),
    ...(!routes &&
      tries.commands.length > 1 && {
        start: undefined,
        starts: tries.commands.map((line) => line.replace(/^(\w+=\S+ )*bunx?\b.*/, '$& # runtime: bun')),
        runtime: candidate.runtime,
      }),
    ...(copied.length > 0 && { copy: copied }),
    ...(routes && version && { version }),
    ...routes,
    toDos: [...candidate.toDos, ...toDos.flatMap((toDo) => toDo || [])],
  };
}

/**
 * What was added in the hope that it helps did not.
 * @type {(choice: Choice, failure: NonNullable<Found['failure']>, said: string) => Choice}
 */
function withoutHopes({ migration: _, install, ...choice }, failure, said) {
  return {
    ...choice,
    ...(failure.kind !== 'install-failed' && { install }),
    needs: choice.needs.filter((id) => isNamed(id, said)),
  };
}

/** What it showed of its start. @type {(candidate: Candidate, tried: Tried, unmet: Needable[]) => ToDo[]} */
function toDosOfStart({ tries, install, node }, { choice, found }, unmet) {
  const { failure, answers, log, fixedPort, isLimited } = found;
  const isMadeUp = (/** @type {string} */ name) => choice.env[name]?.startsWith(MADE_UP) && !SIGNS.test(name);
  const made = Object.keys(choice.env).filter(isMadeUp);
  // A migration of a run downloads what it needs.
  const said = failure?.kind === 'setup-failed' ? [] : log;
  const refused = said.flatMap((line) => /perf-action refused a connection to (\S+)/.exec(line)?.[1] ?? []);
  const isService = (/** @type {string} */ place) =>
    tries.services.some(({ id }) => place.endsWith(`:${SERVICES[id]?.port}`));
  const hosts = refused.filter((place) => !isService(place)).join(', ');
  const silent = answers.filter(isSilent).length;
  return [
    choice.install && `\`${install}\` fails, since the lock file does not fit: renew it, and install by it`,
    choice.anyNode && `Node ${node}, which it asks for, cannot install it here: this is another`,
    made.length > 0 && `${made.join(', ')} under env is made up: write what your routes need`,
    ...unmet.map(
      ({ id }) => `it asks for ${SERVICES[id]?.label}, which is not installed here: add it to needs`,
    ),
    hosts && `it connects to ${hosts}, which no try reaches: let it do without, or start it under setup`,
    fixedPort &&
      `it listens on ${fixedPort} whatever PORT says: read PORT, or base and head cannot run at once`,
    isLimited && 'it answers 429 to a client that asks often: lift its limit while measuring',
    silent > 0 && withReason(`${silent} of its routes did not answer within a second`, log),
  ];
}

/**
 * What only a start that answers would have told.
 * @type {(candidate: Candidate, tried: Tried, unmet: Needable[]) => ToDo[]}
 */
function toDosOfReading({ tries }, { choice, found }, unmet) {
  const { example, files } = tries.settings;
  const told = [...choice.needs, ...unmet.map(({ id }) => id)];
  const open = tries.services.filter(({ id }) => !told.includes(id));
  const labels = open.map(({ id }) => `${id} (${SERVICES[id]?.label})`).join(', ');
  const lacking = lackingIn(found.log, tries.settings).filter(({ name }) => !(name in choice.env));
  return [
    tries.commands.length > 1 && 'nothing says which of these programs to measure: choose a start line',
    labels && `if it connects to them, add to needs: ${labels}`,
    choice.migration === undefined &&
      tries.migrations[0] &&
      `if its database has to be filled, write under setup: ${tries.migrations.slice(0, 2).join(', or ')}`,
    lacking.length > 0
      ? `give values under env: ${lacking.map(({ name }) => name).join(', ')}`
      : example && files.length === 0 && `write under env what it requires of ${example}`,
  ];
}

/** With the first line of a log that names an error. @type {(text: string, log: string[]) => string} */
function withReason(text, log) {
  const said = log.find(
    (line) =>
      /error|\bERR_|fail|cannot|refused|must|required|missing/i.test(line) &&
      !/^\s+at | code |\.log$|^npm \S+\s*$|^npm warn|Ignored the following versions/.test(line),
  );
  // pip lists all versions that there are.
  const reason = said?.replace(/ \(from versions:.*?\)/, '').trim() ?? '';
  const [first = ''] = text.split('\n');
  return `${first}${first.includes(reason) ? '' : `: ${reason}`}`.replace(/\.$/, '');
}

/** A start that answers is worth most; of those alike the first counts. @param {Found} found */
function scoreOf({ fixedPort, answers }) {
  const right = answers.filter(({ status, shape }) => status === 200 && SHAPES.includes(shape)).length;
  const broken = answers.filter(({ status = 0 }) => status >= 500).length;
  return 2 * right - broken + (fixedPort === undefined ? 1000 : 0);
}

/** Its commands as chosen. @type {(candidate: Candidate, choice: Choice) => Written} */
export function chosen(candidate, { command, option, migration, ...choice }) {
  const { needs, folders, env, anyNode, install = candidate.install } = choice;
  const { commands, options, migrations, services } = candidate.tries;
  const program = commands[command] ?? '';
  const used = services.filter(({ id }) => needs.includes(id));
  const assigned = Object.entries(Object.assign({}, ...used.map(({ assignments }) => assignments)));
  const addressed = (/** @type {string} */ line) =>
    [...assigned.map(([name, value]) => `${name}=${value}`), line].join(' ');
  const setup = [
    ...folders,
    ...(migration === undefined ? [] : [addressed(migrations[migration] ?? '')]),
  ].join(' && ');
  const added = option === undefined ? '' : (options[option] ?? '');
  const line = added.startsWith('--') ? `${program} ${added}` : [added, program].filter(Boolean).join(' ');
  return {
    ...candidate,
    ...(install && { install }),
    ...(anyNode && { node: undefined }),
    ...(['node', 'bun'].includes(candidate.runtime) && { runtime: runtimeOf(program) }),
    ...(setup !== '' && { setup }),
    start: addressed(line),
    ...(Object.keys(env).length > 0 && { env }),
    needs,
    routes: [{ path: '/' }],
    otherRoutes: [],
  };
}

/** @type {(candidate: Candidate, answers: RouteAnswer[]) => Partial<Written>} */
function routesOf({ runtime }, answers) {
  const fine = answers.filter(({ status, shape }) => status === 200 && !/stream|error/.test(shape));
  // A server of GraphQL may answer its query at any path.
  const right = fine.filter(
    ({ body }, place) => body === undefined || fine.findIndex((other) => other.body === body) === place,
  );
  const isAside = (/** @type {RouteAnswer} */ { path, shape }) => !SHAPES.includes(shape) || ASIDE.test(path);
  const telling = right
    .filter((answer) => !isAside(answer))
    .toSorted((a, b) => SHAPES.indexOf(a.shape) - SHAPES.indexOf(b.shape) || b.bytes - a.bytes);
  const all = telling.length > 0 ? telling : right.slice(0, 1);
  const written = all.slice(0, runtime === 'node' ? MOST : FEW);
  const login = answers.find(({ method, path }) => method === 'POST' && LOGIN.test(path))?.path;
  const guarded = answers.filter(({ status = 0 }) => REFUSED.includes(status));
  const others = [
    ...all.slice(written.length).map(routeOf),
    ...guarded.map((answer) => ({
      ...routeOf(answer),
      ...(login && { headers: { authorization: 'Bearer ${token}' } }),
      toDo: `it answers ${answer.status}${answer.guard ? ` (${answer.guard})` : ''}: give it a token`,
    })),
    ...answers
      .filter(({ status, shape, path }) => status === undefined && shape !== 'stream' && path !== login)
      .map((answer) => ({
        ...routeOf(answer),
        toDo: answer.method === 'GET' ? 'write values that exist' : 'write a body',
      })),
    ...right.filter((answer) => isAside(answer) && !written.includes(answer)).map(routeOf),
  ];
  const [first] = written;
  if (!first) return { otherRoutes: others };
  const size = first.bytes < 1000 ? `${first.bytes} bytes` : `${(first.bytes / 1000).toFixed(1)} kB`;
  return {
    routes: written.map(routeOf),
    otherRoutes: others,
    tried: `${first.method} ${first.path} answered ${first.status} with ${size} in ${Math.ceil(first.ms)} ms`,
    ...(guarded.length > 0 && { login }),
  };
}

/** @type {(answer: RouteAnswer) => Route} */
function routeOf({ method, path, body }) {
  return {
    path,
    ...(method !== 'GET' && { method }),
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body }),
  };
}
