/** How servers get host and port: environment, flag, or not. @import { Sources } from './candidates.js' */

import { SERVICES } from '../deploy/services.js';
import { joinedText, lineOf } from './source-tree.js';

/** process.env.PORT, { PORT } = env, os.Getenv("PORT"), env::var("PORT"), env:"PORT", PORT: z.number(). */
const READS =
  /\b(?:env|ENV|environ|[gG]et_?[eE]nv(?:ironmentVariable)?|get\w*|var)\b[.!?]{0,2}[[(:]?\s*['"`]?\w*PORT\b|\{[^{}]*\bPORT\b[^{}]*\}\s*=\s*[\w.]*\benv\b|\bPORT['"]?\s*:\s*(?:\w+\.\w+|\w+\(|\{)/;
/** Flags of Go, clap, parseArgs, commander and yargs: a name in the first groups, the default behind it. */
const FLAGS = [
  /\.(?:String|Int|Uint)\w*\(\s*(?:&[\w.]+,\s*)?"(?<name>port|addr(?:ess)?|listen(?:-addr)?|bind)"(?:,\s*"\w?")?/,
  /#\[(?:arg|clap)\([^\]]*\blong\b[^\]]*\]\s*(?:pub\s+)?(?<name>port|addr|listen|bind)\s*/,
  /\boptions\s*:\s*\{[^}]*\b(?<name>port)\s*:\s*\{|\.option\(\s*['"](?:-\w,\s*)?-{0,2}(?<name2>port)\b/,
];
/** .listen(3000), Deno.serve({ port: 8000 }), ":8080", "0.0.0.0:8080", const PORT = 3000. */
const WRITTEN =
  /\.listen\(\s*(?:\{\s*port:\s*)?(\d{2,5})\b|(?:["'`](?:0\.0\.0\.0|127\.0\.0\.1|localhost|\[::\]|\*)?|\]\s*,\s*):(\d{4,5})["'`]|\bport\w*['"]?(?:\s*:\s*\w+)?\s*[:=(,]\s*(\d{4,5})\b|"\s*,\s*(\d{4,5})\s*\)/gi;
const OF_SERVICES = Object.values(SERVICES).map(({ port }) => port);
/** What servers take that name no port. @type {[code: RegExp, port: string][]} */
const DEFAULTS = [[/\bDeno\.serve\(/, '8000']];
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
 * The options that the command of a server with this code lacks.
 * @type {(code: Sources, command: string) => { options: string, toDos: string[] }}
 */
export function portFor(code, command) {
  const text = joinedText(code);
  if (command.includes('$PORT') || READS.test(text)) return { options: '', toDos: [] };
  for (const flag of FLAGS) {
    const { name, name2 = name } = flag.exec(text)?.groups ?? {};
    if (name2) return { options: ` --${name2} ${name2 === 'port' ? '' : '$HOST:'}$PORT`, toDos: [] };
  }
  for (const [file, source] of code) {
    const written = [...source.matchAll(WRITTEN)].map((match) => ({
      port: match.slice(1).find(Boolean),
      at: match.index,
    }));
    const { port = DEFAULTS.find(([opens]) => opens.test(source))?.[1], at } =
      written.find((each) => !OF_SERVICES.includes(Number(each.port))) ?? {};
    const place = at === undefined ? file : `${file}:${lineOf(source, at)}`;
    const toDo = `it listens on ${port} (${place}), not on PORT: read PORT, or base and head cannot run at the same time`;
    if (port) return { options: '', toDos: [toDo] };
  }
  return { options: '', toDos: [] };
}
