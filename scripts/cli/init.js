/**
 * `perf-action init`: writes a perf.yml and a workflow for the servers of this repository.
 * @import { Arguments } from '../verbs.js'
 * @import { Io } from '../main.js'
 * @import { Candidate } from '../init/types.js'
 */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { readBounded } from '../system/bounded-file.js';
import { UserError } from '../model/errors.js';
import { tryGit } from '../system/git.js';
import { gitignore, HELP, perfYml, withServers } from '../init/files.js';
import { workflowYml } from '../init/workflow.js';
import { findServers } from '../init/init.js';
import { readRepository } from '../init/repository.js';

/**
 * @param {Arguments} args
 * @param {Io} io
 * @returns {Promise<number>} 0, also where a file was there already and was left as it is
 * @throws {UserError} where nothing looks like a server, or none has an id that was asked for
 */
export async function init({ positionals }, { cwd, stdout }) {
  const root = (await tryGit(cwd, 'rev-parse', '--show-toplevel')) ?? cwd;
  const sources = readRepository(root);
  const { servers, more } = findServers(sources, basename(root), positionals, relative(root, cwd));
  const place = relative(cwd, root);
  if (servers.length === 0) throw new UserError(nothingFound(root, positionals, more));
  for (const { id, evidence, start, route, toDos } of servers) {
    stdout.write(
      `found ${id}: ${evidence}, started with ${start}, measured at ${route.method ? `${route.method} ` : ''}${route.path}\n`,
    );
    for (const toDo of toDos) stdout.write(`      to do: ${toDo}\n`);
  }
  if (more.length > 0 && positionals.length === 0) stdout.write(leftOut(more));
  const files = [
    { path: 'perf.yml', text: perfYml(servers) },
    { path: '.github/workflows/perf.yml', text: workflowYml(sources) },
  ];
  for (const { path, text } of files) {
    const file = join(root, path);
    const named = join(place, path);
    const before = existsSync(file) ? readBounded(file).toString() : undefined;
    // Named servers are added to an existing file.
    const after =
      before !== undefined && path === 'perf.yml' && positionals.length > 0
        ? withServers(before, servers)
        : (before ?? text);
    if (after !== before) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, after);
    }
    if (before === undefined) stdout.write(`wrote ${named}\n`);
    else
      stdout.write(
        after === before
          ? `kept  ${named}, which already exists\n`
          : `added ${positionals.join(', ')} to ${named}\n`,
      );
  }
  stdout.write(ignoreResults(join(root, '.gitignore')));
  stdout.write(
    'next: perf-action doctor, perf-action run; then commit these files, and every pull request will be measured\n',
  );
  return 0;
}

/** @param {string} root @param {string[]} wanted @param {Candidate[]} known */
function nothingFound(root, wanted, known) {
  if (known.length > 0)
    return `init: no server ${wanted.join(' or ')} was found; there are ${known.map(({ id }) => id).join(', ')}`;
  return `nothing in ${root} looks like a server: no package.json with a framework or a start script, no pom.xml, build.gradle, go.mod, requirements.txt, pyproject.toml, Gemfile, composer.json, Procfile or Dockerfile that starts one; write perf.yml by hand: ${HELP}`;
}

/** @param {Candidate[]} more */
function leftOut(more) {
  return [
    'left out, since a run of all would take too long; to choose yourself, name the ids: perf-action init ID ID',
    ...more.map(
      ({ id, evidence, folder }) =>
        `      ${id}: ${evidence}${folder && evidence.includes(folder) ? '' : ` (${folder})`}`,
    ),
    '',
  ].join('\n');
}

/** @param {string} file @returns {string} what was done */
function ignoreResults(file) {
  const before = existsSync(file) ? readBounded(file).toString() : '';
  const after = gitignore(before);
  if (after === undefined) return '';
  writeFileSync(file, after);
  return 'added perf-results/ to .gitignore\n';
}
