/**
 * How servers may get their port: by a flag, or by a variable of another name.
 * @import { Sources } from './candidates.js'
 */

import { isAddress } from './databases.js';
import { joinedText } from './source-tree.js';

/** Flags, in the words of Go, clap, parseArgs, commander and yargs. */
const FLAG =
  /["'-](?<name>port|addr(?:ess)?|listen(?:-addr)?|bind)\b["', <]|#\[(?:arg|clap)\([^\]]*\blong\b[^\]]*\]\s*(?:pub\s+)?(?<field>port|addr|listen|bind)\b|\boptions\s*:\s*\{[^}]*\b(?<key>port)\s*:/g;
/** Variables for a port that are called otherwise: SERVER_PORT, APP_PORT. */
const NAMES = /\b(?!NODE_|DEBUG_)[A-Z][A-Z\d]*_PORT\b/g;
/** In a command: PORT=5314 node server.js, next start -p 3000, --bind 0.0.0.0:8000. */
const OWN_PORT = /(?:\bcross-env(?=\s+PORT=\d+\s+(?!\w+=))\s+)?\bPORT=\d+\s+(?:&&\s*)?/;
const OPTION = /((?:^|\s)(?:-p|-l|--port|--listen)[ =])\d{2,5}\b/;
const ADDRESS = /\b0\.0\.0\.0:\d{2,5}\b/;

/** Makes a command listen where the engine says, if it decides that. @type {(command: string) => string} */
export function onOurPort(command) {
  return command
    .replace(OWN_PORT, '')
    .replace(OPTION, (_, option) => `${option}$PORT`)
    .replace(ADDRESS, '$HOST:$PORT');
}

/**
 * What may make a server with this code listen on PORT: what follows its command, or what precedes it.
 * @type {(code: Sources) => string[]}
 */
export function portOptions(code) {
  const text = joinedText(code);
  const flags = [...text.matchAll(FLAG)].flatMap(({ groups }) => Object.values(groups ?? {}).filter(Boolean));
  const names = (text.match(NAMES) ?? []).filter((name) => !isAddress(name));
  const options = [
    ...flags.map((name) => `--${name} ${name === 'port' ? '' : '$HOST:'}$PORT`),
    ...names.map((name) => `${name}=$PORT`),
  ];
  return [...new Set(options)];
}
