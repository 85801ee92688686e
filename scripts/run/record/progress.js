/**
 * Shows progress: on a terminal a line that rewrites itself; in a log a line a trial.
 * @import { Failure, Step } from '../../types.js'
 * @import { Progress } from '../conduct.js'
 */

import { sum } from 'd3-array';
import { rides } from '../../model/is-control.js';

/**
 * @param {import('../../system/terminal-output.js').Output} output
 * @param {boolean} isCompared whether there are two sides
 * @returns {{ show(event: Progress): void, end(): void }}
 */
export function progressOn({ write, rewrite }, isCompared) {
  /** @type {Set<string>} */
  const printed = new Set();
  let decided = 0;
  return {
    show(event) {
      if (event.type === 'look') {
        if (event.decided === decided) return;
        decided = event.decided;
      }
      // A line of their start is enough.
      const isShort = 'case' in event && rides(event.case);
      if (event.type === 'trial' && isShort && !event.trial.failure) return;
      const name = nameOf(event, isCompared);
      if (rewrite && event.type !== 'skip' && !(event.type === 'trial' && event.trial.failure)) {
        rewrite(lineOf(event, name));
      } else if (event.type !== 'start' || event.members.some((step) => rides(step.case))) {
        rewrite?.('');
        write(`${logLine(event, name, printed)}\n`);
      }
    },
    end: () => rewrite?.(''),
  };
}

/** Its servers or cases, with sides if compared. @type {(event: Progress, isCompared: boolean) => string} */
function nameOf(event, isCompared) {
  if (event.type === 'look') return '';
  if (event.type === 'explain') return event.cases.join(', ');
  /** @type {Map<string, string[]>} */
  const sidesOf = new Map();
  const members = 'members' in event ? event.members : [event];
  if (event.type === 'scout')
    return [...new Set(event.members.map(({ case: { serverName } }) => serverName))].join(', ');
  const riding = event.type === 'start' ? event.members.filter((step) => rides(step.case)) : [];
  const routes = new Set(riding.map((step) => step.case)).size;
  const together = `${routes} ${routes === 1 ? 'route' : 'routes'}`;
  if (routes > 0 && riding.length === members.length) return `${riding[0]?.case.serverName}: ${together}`;
  for (const member of members.filter((each) => !riding.includes(/** @type {Step} */ (each)))) {
    const name = 'server' in member ? member.server.name : member.case.id;
    sidesOf.set(name, [...(sidesOf.get(name) ?? []), member.side.label]);
  }
  const names = [...sidesOf].map(([name, sides]) => (isCompared ? `${name} (${sides.join(', ')})` : name));
  return [...names, ...(routes > 0 ? [together] : [])].join(', ');
}

/** For a terminal. @type {(event: Progress, name: string) => string} */
function lineOf(event, name) {
  switch (event.type) {
    case 'prepare': {
      const since = event.seconds === undefined ? undefined : `${event.seconds} s`;
      const work = [event.command, since].filter(Boolean).join(', ');
      return [`preparing ${name}`, work].filter(Boolean).join(': ');
    }
    case 'wait':
      return `${name} waits: process ${event.pid} is installing in the same folder`;
    case 'skip':
      return `${name}: ${event.failure.message}`;
    case 'look': {
      const { round, decided } = event;
      return `checked after ${round + 1} rounds: ${decided} ${decided === 1 ? 'case' : 'cases'} decided`;
    }
    case 'explain': {
      const limit = Number.isFinite(event.seconds) ? `, at most ${Math.round(event.seconds)} s` : '';
      return `slower: ${name}; profiling both sides to find the functions${limit} (--no-explain skips this)`;
    }
    case 'scout':
      return `starting ${name} to see which routes execute changed code (--no-controls skips this)`;
    case 'start':
      // Most routes need one of three starts, each as long as its bytes take to settle.
      if (event.members[0]?.case.counted) return `counting ${name}`;
      return `${counted(event.done + 1, event.total)} ${name} · ${secondsLeft(event.left)}`;
    case 'trial':
      return `${counted(event.done, event.total)} ${name} · ${secondsLeft(event.left)}`;
  }
}

/** printed gets failures' output. @type {(event: Progress, name: string, printed: Set<string>) => string} */
function logLine(event, name, printed) {
  if (event.type === 'skip') return failureLine(`${name}: `, event.failure, printed);
  if (event.type !== 'trial') return lineOf(event, name);
  const { failure, windows } = event.trial;
  const head = `${counted(event.done, event.total)} round ${event.round + 1} ${name}: `;
  if (failure) return failureLine(head, failure, printed);
  const rate = sum(windows, ({ requests }) => requests) / sum(windows, ({ seconds }) => seconds);
  return `${head}${Math.round(rate).toLocaleString('en-US')} req/s, ${secondsLeft(event.left)}`;
}

/** @type {(done: number, total?: number) => string} */
function counted(done, total) {
  return total === undefined ? `[${done}]` : `[${done}/${total}]`;
}

/** @type {(head: string, failure: Failure, printed: Set<string>) => string} */
function failureLine(head, failure, printed) {
  const { kind, message } = failure;
  const text = outputOf(failure).join('\n');
  // A server usually prints the same each time it fails; that is shown once.
  if (text !== '' && printed.has(text)) return `${head}${kind}: ${message} (it printed the same as before)`;
  printed.add(text);
  return head + failureText(failure);
}

/** With what the server printed, and the command that repeats it. @type {(failure: Failure) => string} */
export function failureText({ kind, message, command, ...logs }) {
  const byHand = command === undefined ? [] : [`  by hand: ${command}`];
  return [`${kind}: ${message}`, ...outputOf(logs).map((line) => `    ${line}`), ...byHand].join('\n');
}

/** @type {(failure: Pick<Failure, 'logHead' | 'logTail'>) => string[]} */
function outputOf({ logHead = [], logTail = [] }) {
  return [...(logHead.length > 0 ? [...logHead, '…'] : []), ...logTail];
}

/** @param {number} seconds */
function secondsLeft(seconds) {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  return minutes > 0 ? `${minutes} min ${whole % 60} s left` : `${whole} s left`;
}
