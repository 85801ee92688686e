/** Programs that commands of servers call for, and what to type where one is not there. */

import { shellLine } from '../shell.js';

/** By what people call them; of Debian and Ubuntu, where an installer there is the shortest way. @type {Record<string, string>} */
const WAYS = {
  pnpm: 'corepack enable',
  yarn: 'corepack enable',
  bun: 'npm install --global bun',
  deno: 'npm install --global deno',
  mvn: 'sudo apt-get install maven',
  gradle: 'sudo apt-get install gradle, or call the ./gradlew of the project',
  java: 'sudo apt-get install default-jdk-headless',
  javac: 'sudo apt-get install default-jdk-headless',
  go: 'sudo apt-get install golang-go',
  cargo: 'sudo apt-get install cargo',
  python: 'call it python3, or sudo apt-get install python-is-python3',
  python3: 'sudo apt-get install python3',
  pip: 'sudo apt-get install python3-pip',
  pip3: 'sudo apt-get install python3-pip',
  php: 'sudo apt-get install php-cli',
  composer: 'sudo apt-get install composer',
  ruby: 'sudo apt-get install ruby',
  bundle: 'sudo apt-get install ruby-bundler',
  make: 'sudo apt-get install make',
};

/** As dash, bash and BusyBox say it: "sh: 1: exec: pnpm: not found", "sh: line 1: pnpm: command not found". */
const NOT_FOUND = /^\S*sh: (?:(?:line )?\d+: )?(?:exec: )?([^\s:]+): (?:command )?not found$/;

/**
 * @param {string} name
 * @returns {string} what to do where it is not installed
 */
export function howToInstall(name) {
  return WAYS[name] ?? `install ${name} and put it on the PATH`;
}

/**
 * @param {string[]} lines what a shell's line printed
 * @returns {string | undefined} what it did not find and how to get it; undefined where it lacked nothing
 */
export function missingProgram(lines) {
  const [name] = lines.flatMap((line) => NOT_FOUND.exec(line.trim())?.[1] ?? []);
  return name && notInstalled(name);
}

/**
 * @param {string} name of a program, or its path
 */
function notInstalled(name) {
  return name.includes('/') ? `there is no ${name}` : `${name} is not installed: ${howToInstall(name)}`;
}

/**
 * @param {import('../types.js').Command} command
 * @param {NodeJS.ErrnoException} error of its start
 * @returns {string} why there is no process; of a line, the shell tells by itself what is not there
 */
export function couldNotStart(command, error) {
  const name = typeof command === 'string' ? undefined : command[0];
  const isMissing = error.code === 'ENOENT' && error.path === name && name !== undefined;
  return `\`${shellLine(command)}\` could not be started: ${isMissing ? notInstalled(name) : error.message}`;
}
