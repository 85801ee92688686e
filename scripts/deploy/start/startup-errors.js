/** Why a server did not start. @import { Server } from '../../types.js' */
/** @import { Group } from '../process/logged-process.js' */

import { MeasureError } from '../../model/errors.js';
import { shellLine } from '../../system/process/shell.js';
import { holderOf, listenersOf } from './listening.js';
import { missingProgram } from '../process/programs.js';
import { HOST } from '../../system/free-port.js';

/** A server that printed something in this last part of the wait is still busy. */
const BUSY = 1 / 6;

const PORT_HINT = '; does it listen on PORT from its environment, or need a longer `ready.timeout`?';

/** "EADDRINUSE: address already in use :::3000", "tcp :8080: bind: ...", "Port 8080 was already in use" */
const TAKEN = /EADDRINUSE|address already in use|port \d+ (?:is|was) already in use/i;

/**
 * @param {Server['start']} start
 * @param {Group} group that has exited
 * @param {string} [asked] the path of the ready check, where the server ended in place of an answer
 * @returns {Promise<MeasureError>} exited-at-start, port-taken
 */
export async function exitedAtStart(start, group, asked) {
  const { code, signal } = await group.exited;
  const message = `\`${shellLine(start)}\` ended with ${code ?? signal}`;
  const taken = code === 0 ? undefined : takenPort(group);
  if (taken !== undefined) return portTakenError(taken, message, group);
  const hint = code === 0 ? '`start` must stay in the foreground' : missingProgram(linesOf(group));
  const cause = asked === undefined ? hint : 'set `ready` to a path that it answers';
  const when = asked === undefined ? '' : ` when asked GET ${asked}, the ready check`;
  const text = message + when + (cause ? `; ${cause}` : '');
  return new MeasureError('exited-at-start', text, group.logTail());
}

/** @typedef {{ line: string, port: number | undefined }} Taken */

/** Its message about a port that is in use. @type {(group: Group) => Taken | undefined} */
export function takenPort(group) {
  const line = linesOf(group).find((text) => TAKEN.test(text));
  // The last one, since times of day may come first.
  const port = line?.match(/(?<=:|\bport )\d{2,5}\b/gi)?.at(-1);
  return line === undefined ? undefined : { line, port: port === undefined ? undefined : Number(port) };
}

/** what: happened to the server. @type {(taken: Taken, what: string, group: Group) => MeasureError} */
export function portTakenError({ line, port }, what, group) {
  const holder = port === undefined ? undefined : holderOf(port);
  const where = port === undefined ? `its port is taken (${line.trim()})` : `port ${port} is taken`;
  const message = `${what}: ${where}${holder ? ` by ${holder}` : ''}; free it, or make the server listen on PORT from its environment`;
  return new MeasureError('port-taken', message, group.logTail());
}

/** @param {Group} group */
function linesOf(group) {
  return [...group.logHead(), ...group.logTail()];
}

/**
 * Explains why nothing answered at the port that the server was given, and what to do.
 * @type {(group: Group, wait: { port: number, waitedMs: number }) => string}
 */
export function whyClosed(group, { port, waitedMs }) {
  const open = listenersOf(group.pid);
  const others = open.filter((listener) => listener.port !== port);
  const here = open.filter((listener) => listener.port === port);
  if (here.some(({ isReachable }) => isReachable))
    return 'it began to listen there as the time was up; raise `ready.timeout`';
  if (here[0])
    return `it listens on ${here[0].address} only; make it listen on HOST (${HOST}) from its environment`;
  if (others.length > 0) {
    const places = others.map((listener) => `${listener.address}:${listener.port}`);
    return `nothing listened there, and where the server did listen (${[...new Set(places)].join(', ')}) it gave no valid response; make it listen on PORT from its environment`;
  }
  const quietMs = group.quietMs();
  if (quietMs !== undefined && quietMs < waitedMs * BUSY)
    return 'it is still starting: it listens on no port yet, but has just printed something; raise `ready.timeout`';
  return `it runs, but listens on no port${PORT_HINT}`;
}

/** A server listened after another start: PORT is not the cause. @type {(message: string) => string} */
export function unlikeOthers(message) {
  return message.replace(PORT_HINT, ', although it did after other starts');
}
