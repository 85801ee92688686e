/**
 * `perf-action init`: writes a perf.yml and a workflow for the servers of this repository.
 * @import { Arguments } from './verbs.js'
 * @import { Io } from '../cli.js'
 */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../errors.js';
import { tryGit } from '../git.js';
import { perfYml, workflowYml } from '../init/files.js';
import { findServers } from '../init/init.js';
import { readRepository } from '../init/repository.js';

/**
 * @param {Arguments} args
 * @param {Io} io
 * @returns {Promise<number>} 0, also where a file was there already and was left as it is
 * @throws {UserError} where nothing looks like a server
 */
export async function init({ positionals }, { cwd, stdout }) {
  if (positionals.length > 0) throw new UserError(`init takes no arguments; got ${positionals.join(' ')}`);
  const root = (await tryGit(cwd, 'rev-parse', '--show-toplevel')) ?? cwd;
  const sources = readRepository(root);
  const servers = findServers(sources, basename(root));
  if (servers.length === 0) {
    throw new UserError(
      `nothing in ${root} looks like a server (package.json with a framework, pom.xml, build.gradle, go.mod, composer.json, Dockerfile); write perf.yml by hand: docs/perf-yml.md`,
    );
  }
  for (const { id, seen, start, route, doubts } of servers) {
    stdout.write(`found ${id}: ${seen}, started by ${start}, measured at ${route.path}\n`);
    for (const doubt of doubts) stdout.write(`      to do: ${doubt}\n`);
  }
  const files = [
    { path: 'perf.yml', text: perfYml(servers) },
    { path: '.github/workflows/perf.yml', text: workflowYml(sources) },
  ];
  for (const { path, text } of files) {
    const file = join(root, path);
    const there = existsSync(file);
    if (!there) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    stdout.write(there ? `kept  ${path}, which is there already\n` : `wrote ${path}\n`);
  }
  stdout.write(
    'next: perf-action doctor, perf-action run; then commit both files, and the next pull request is measured\n',
  );
  return 0;
}
