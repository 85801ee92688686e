/** What reading tells of a server. @import { Candidate, Program, Project } from './candidates.js' */

import { findDatabases, isAddress, migrationsOf } from './databases.js';
import { pagePaths, wordPaths } from './paths.js';
import { settingsOf } from './server-settings.js';
import { globOf, idOf, joinedText } from './source-tree.js';

/** Flags, in the words of Go, clap, parseArgs, commander and yargs. */
const FLAG =
  /["'-](?<name>port|addr(?:ess)?|listen(?:-addr)?|bind)\b["', <]|#\[(?:arg|clap)\([^\]]*\blong\b[^\]]*\]\s*(?:pub\s+)?(?<field>port|addr|listen|bind)\b|\boptions\s*:\s*\{[^}]*\b(?<key>port)\s*:/g;
/** Variables for a port that are called otherwise: SERVER_PORT, APP_PORT. */
const NAMES = /\b(?!NODE_|DEBUG_)[A-Z][A-Z\d]*_PORT\b/g;
/** In a command: PORT=5314 node server.js, next start -p 3000, --bind 0.0.0.0:8000. */
const OWN_PORT = /(?:\bcross-env(?=\s+PORT=\d+\s+(?!\w+=))\s+)?\bPORT=\d+\s+(?:&&\s*)?/;
const OPTION = /((?:^|\s)(?:-p|-l|--port|--listen)[ =])\d{2,5}\b/;
const ADDRESS = /\b0\.0\.0\.0:\d{2,5}\b/;

/** @type {(project: Project, program: Program) => Candidate} */
export function completed(project, program) {
  const { commands, migrations = [], toDos = [], paths, listing, ...server } = program;
  const services = findDatabases(project);
  const ids = services.map(({ id }) => id);
  const text = joinedText(project.own);
  const flags = [...text.matchAll(FLAG)].flatMap(({ groups }) => Object.values(groups ?? {}).filter(Boolean));
  const names = (text.match(NAMES) ?? []).filter((name) => !isAddress(name));
  const options = [
    ...flags.map((name) => `--${name} ${name === 'port' ? '' : '$HOST:'}$PORT`),
    ...names.map((name) => `${name}=$PORT`),
  ];
  return {
    ...server,
    id: idOf(server.id),
    paths: paths ?? (server.folder ? [`${globOf(server.folder)}/**`] : []),
    toDos,
    tries: {
      commands: commands.map(onOurPort),
      pages: pagePaths(project.own),
      words: wordPaths(project.own),
      ...(listing && { listing }),
      services,
      migrations: [...migrations, ...migrationsOf(project, ids)],
      options: commands.some((command) => command.includes('$PORT')) ? [] : [...new Set(options)],
      settings: settingsOf(project),
    },
  };
}

/** What runs a program of JavaScript: NODE_ENV=production bun src/index.ts. @param {string} command */
export function runtimeOf(command) {
  return /^(\w+=\S+ )*bunx?\b/.test(command) ? 'bun' : 'node';
}

/** Makes a command listen where the engine says, if it decides that. @type {(command: string) => string} */
export function onOurPort(command) {
  return command
    .replace(OWN_PORT, '')
    .replace(OPTION, (_, option) => `${option}$PORT`)
    .replace(ADDRESS, '$HOST:$PORT');
}
