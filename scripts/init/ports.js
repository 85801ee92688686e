/**
 * How servers may get their port: by a flag, or by a variable of another name.
 * @import { Sources } from './candidates.js'
 */

import { isAddress } from './databases.js';
import { joinedText } from './source-tree.js';

/** Flags of Go, clap, parseArgs, commander and yargs: a name in the first groups, the default behind it. */
const FLAGS = [
  /\.(?:String|Int|Uint)\w*\(\s*(?:&[\w.]+,\s*)?"(?<name>port|addr(?:ess)?|listen(?:-addr)?|bind)"(?:,\s*"\w?")?/,
  /#\[(?:arg|clap)\([^\]]*\blong\b[^\]]*\]\s*(?:pub\s+)?(?<name>port|addr|listen|bind)\s*/,
  /\boptions\s*:\s*\{[^}]*\b(?<name>port)\s*:\s*\{|\.option\(\s*['"](?:-\w,\s*)?-{0,2}(?<name2>port)\b/,
];
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
  const flags = FLAGS.flatMap((flag) => {
    const { name, name2 = name } = flag.exec(text)?.groups ?? {};
    return name2 ? `--${name2} ${name2 === 'port' ? '' : '$HOST:'}$PORT` : [];
  });
  const names = [...new Set(text.match(NAMES))].filter((name) => !isAddress(name));
  return [...flags, ...names.map((name) => `${name}=$PORT`)];
}
