/**
 * Deno: a server for each deno.json, for an image of Deno's, or for a program that serves.
 * @import { Recognize } from '../candidates.js'
 */

import { posix } from 'node:path';
import { quoted } from '../../system/process/shell.js';
import { nameOf, projectsIn } from '../source-tree.js';
import { completed } from '../server.js';
import { commandOf } from './other-projects.js';

/** `deno serve` calls what such a file exports: export default { fetch }. */
const EXPORTS = /\bexport default\s*(?:\{[^}]*\bfetch\b|app\b)/;
/** Or Deno.serve(handler), new Application().listen() of Oak. */
const SERVES = new RegExp(`\\bDeno\\.serve\\(|${EXPORTS.source}|\\bapp\\.listen\\(|\\bserve\\(`);
const TASKS = ['start', 'serve', 'prod', 'preview', 'dev'];

/** @type {Recognize} */
export function findDeno(sources, name) {
  return projectsIn(sources, /^(deno\.jsonc?|Dockerfile)$/).flatMap((project) => {
    const { own, folder, manifest } = project;
    const files = [...own.keys()];
    const config = files.find((file) => /^deno\.jsonc?$/.test(nameOf(file)));
    const image = own.get(posix.join(folder, 'Dockerfile')) ?? '';
    const isImage = /^FROM\s+\S*denoland\/deno/m.test(image);
    const serving = files.filter((file) => /\.[mc]?[jt]sx?$/.test(file) && SERVES.test(own.get(file) ?? ''));
    if ((!config && !isImage) || own.has(posix.join(folder, 'package.json')) || serving.length === 0)
      return [];
    const tasks = TASKS.map(
      (task) => new RegExp(`"${task}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"`).exec(manifest)?.[1],
    );
    const commands = [...tasks.slice(0, -1), isImage ? commandOf(image, 'deno') : undefined, tasks.at(-1)];
    const task = commands.find((command) => /^deno (run|serve)\b/.test(command ?? ''));
    const [entry = ''] = serving.toSorted((a, b) => a.split('/').length - b.split('/').length);
    const file = posix.relative(folder, entry);
    const code = own.get(entry) ?? '';
    const isExported = EXPORTS.test(code) && !/\bDeno\.serve\(/.test(code);
    const usual = `deno ${isExported ? 'serve --allow-all --host $HOST --port $PORT' : 'run --allow-all'} ${quoted(file)}`;
    const start = (task ?? usual).replace(/ --watch\b(=\S+)?/, '');
    return completed(project, {
      id: nameOf(folder) || name,
      evidence: `Deno in ${config ?? posix.join(folder, 'Dockerfile')}`,
      folder,
      runtime: 'deno',
      install: `deno cache ${/(\S+\.[mc]?[jt]sx?)\b/.exec(start)?.[1] ?? quoted(file)}`,
      commands: [start],
    });
  });
}
