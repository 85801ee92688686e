/**
 * The settings of a server: what its sources name, what its authors' examples say, and of which form the
 * value is that a failed start asks for.
 * @import { Project, Settings } from './candidates.js'
 */

import { stripVTControlCharacters } from 'node:util';
import { isAddress } from './databases.js';
import { joinedText, nameOf } from './source-tree.js';

/** Names of examples of a .env file: .env.example, .example.env, env.sample, example.env. */
export const EXAMPLE = /^\.?env[.-](example|sample|template|dist)[\w-]*$|^\.?(example|sample)\.env$/;
const SETTINGS = /^\/?\.env(\.prod\w*)?$/;
/** Set by the engine. */
const GIVEN = /^(PORT|HOST|NODE_ENV|NODE_OPTIONS|PATH)$/;
/** What the authors of examples write for a value: your-dsn, <key>, change_me, xxx, k4.local.<your-key>. */
const PLACEHOLDER =
  /<.*>|^\[.*\]$|^(?:your|my|change|replace|insert|enter|todo|some|put|add)[\W_]|^x{3,}|^\.{3}|_here$|^changeme|^secret$/i;
const SECRET = /TOKEN|KEY|SECRET|PASSW|CREDENTIAL|SALT/;
/** Signs what only this server reads again, so that any value will do. */
export const SIGNS =
  /(JWT|SESSION|COOKIE|AUTH|APP|ACCESS|REFRESH|SIGN)\w*_(SECRET|KEY)$|^SECRET_KEY(_BASE)?$/;
const RATE_LIMIT = /RATE_?LIMIT(?!.*(WINDOW|DURATION|TIME|TTL))|THROTTLE_LIMIT/;
export const MADE_UP = 'only-for-measuring-0123456789abcdef';
/** Words of zod, envalid, Joi, class-validator, Nest, Spring, Django, Pydantic, and of people. */
const ASKS =
  /required|missing|undefined|not (?:been )?(?:set|found|defined|provided|configured)|does not exist|must|need|invalid|empty|expected|has failed|KeyError|could not resolve|environment var/i;
/** Spring's names have dots, Pydantic's may have small letters: 'jwt.secret', then "Field required" below. */
const OTHERS = /placeholder '([\w.-]+)'|^([a-z]\w+)\s*\n\s+(?:Field|Input|Value|String)/gm;
/** How many lines around a name belong to its message. */
const AROUND = 8;
const NAME = /\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)*\b/g;

/** @type {(project: Project) => Settings} */
export function settingsOf({ own, folder }) {
  const code = joinedText(own, (file) => !EXAMPLE.test(nameOf(file)));
  const examples = [...own].filter(([file]) => EXAMPLE.test(nameOf(file)));
  const values = Object.fromEntries(examples.flatMap(([, text]) => pairsIn(text)).toReversed());
  return {
    names: [...new Set(code.match(NAME))].filter((name) => /_|SECRET|TOKEN/.test(name) || name in values),
    example: examples[0]?.[0],
    values,
    files: [...own.keys()].flatMap((file) => (SETTINGS.test(file.slice(folder.length)) ? nameOf(file) : [])),
  };
}

/**
 * The variables that a start asks for in its log; value: where one of that form is obvious.
 * @type {(log: string[], settings: Settings) => { name: string, value?: string }[]}
 */
export function lackingIn(log, { names, values }) {
  const others = [...log.join('\n').matchAll(OTHERS)].map(([, dotted, small]) => dotted ?? small ?? '');
  const translated = new Set(others.map((name) => name.toUpperCase().replace(/[.-]/g, '_')));
  const lines = log.map((line) => (/perf-action/.test(line) ? '' : stripVTControlCharacters(line)));
  const found = new Map(
    lines.flatMap((line, place) => {
      const near = [line, ...lines.slice(Math.max(0, place - AROUND), place + AROUND + 1)];
      const own = (line.match(NAME) ?? []).filter((name) => names.includes(name));
      const text = near.join('\n');
      return ASKS.test(text) ? own.map((name) => /** @type {const} */ ([name, text])) : [];
    }),
  );
  for (const name of translated) found.set(name, '');
  return [...found]
    .filter(([name]) => !GIVEN.test(name) && name.length > 2)
    .map(([name, text]) => {
      const value = valueFor(name, { text, example: values[name] ?? '' });
      return { name, ...(value !== undefined && { value }) };
    });
}

/** @type {(name: string, hints: { text: string, example: string }) => string | undefined} */
function valueFor(name, { text, example }) {
  const [, named, listed = named ?? ''] =
    /one of:? [[(]?((?:["'`]?[\w-]+["'`]?[,| ]*)+)|values"?:\s*\[([^\]]+)/.exec(text) ?? [];
  const options = listed.match(/[\w-]{2,}/g) ?? [];
  if (options.length > 1) return options.find((option) => /^(info|production)$/.test(option)) ?? options[0];
  // An example is for development.
  if (/LOG_?LEVEL$/.test(name)) return 'info';
  // A load tool is one client.
  if (RATE_LIMIT.test(name) && /^\d+$/.test(example)) return '1000000000';
  if (isAddress(name)) return undefined;
  if (SECRET.test(name)) {
    const [, least = '0'] =
      /(?:at least|>=|minimum"?:|exactly|length must be)\D{0,20}(\d+)/i.exec(text) ?? [];
    return /^k\d|\./.test(example) ? undefined : MADE_UP.padEnd(Number(least), '0');
  }
  const isPlain = example !== '' && !PLACEHOLDER.test(example) && !/:\/\/|\$\{|:\d{2,5}\b/.test(example);
  if (isPlain) return example;
  if (/_UR[LI]$|_ORIGIN$|_HOST$/.test(name)) return /_HOST$/.test(name) ? 'localhost' : 'http://localhost';
  if (/number|integer|numeric/i.test(text)) return '1';
  return /boolean/i.test(text) ? 'false' : undefined;
}

/**
 * Text of a file of settings; addresses lead to a port at which nothing listens.
 * @type {(file: string, text: string) => string}
 */
export function harmless(file, text) {
  if (!/^\.?env\b|\.env$/.test(nameOf(file))) return text;
  return text
    .replace(/\b([a-z][a-z\d+.-]*:\/\/(?:[^\s/"'@]*@)?)(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?/gi, '$1127.0.0.1:1')
    .replace(/(?<=[=:,\s"'])[a-z][\w.-]*[a-z\d]:\d{4,5}\b/gi, '127.0.0.1:1')
    .replace(/^(\s*(?:export\s+)?([A-Z][A-Z\d_]*)\s*=)(.*)$/gm, (line, start, variable) => {
      if (!isAddress(variable) || !/HOST|SERVER|PORT/.test(variable)) return line;
      return `${start}${/PORT/.test(variable) ? 1 : '127.0.0.1'}`;
    });
}

/** Reads lines of NAME=value. @type {(text: string) => [name: string, value: string][]} */
function pairsIn(text) {
  return [...text.matchAll(/^\s*(?:export\s+)?(\w+)\s*=[ \t]*(.*)$/gm)].map(([, name = '', raw = '']) => [
    name,
    /^(['"])(.*?)\1/.exec(raw)?.[2] ?? raw.replace(/(^|\s+)#.*$/, '').trim(),
  ]);
}
