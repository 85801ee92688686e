/**
 * Live progress in words: on a terminal a line that rewrites itself, with the present estimates below it; in a log one line a
 * trial.
 * @import { Progress } from '../conduct.js'
 */

/**
 * @param {import('../../system/output.js').Output} output
 * @param {string[]} sideLabels one a side of the plan
 * @returns {{ show(event: Progress): void, estimate(lines: string[]): void, end(): void }} estimate: what is known so far, a line
 *   a case
 */
export function progressOn({ write, rewrite }, sideLabels) {
  /** @param {string} what @param {number} side */
  const onSide = (what, side) => (sideLabels.length > 1 ? `${what} (${sideLabels[side]})` : what);
  /** @param {Progress} event */
  const name = (event) => {
    if (event.type === 'look') return '';
    if (event.type === 'explain') return event.cases.join(', ');
    if (event.type === 'start') return groupName(event.members);
    return onSide('server' in event ? event.server.name : event.case.id, event.side);
  };
  /** @param {{ side: number, case: { id: string } }[]} members */
  const groupName = (members) =>
    [...new Set(members.map(({ case: { id } }) => id))]
      .map((id) => {
        const sides = members.filter(({ case: of }) => of.id === id).map(({ side }) => sideLabels[side]);
        return sideLabels.length > 1 ? `${id} (${sides.join(', ')})` : id;
      })
      .join(', ');
  /** @type {string[]} */
  let estimates = [];
  /** Failures of the same server look alike, and are printed once. @type {Set<string>} */
  const printed = new Set();
  let current = '';
  return {
    show(event) {
      if (rewrite && event.type !== 'skip' && !(event.type === 'trial' && event.trial.failure)) {
        current = liveLine(event, name(event));
        rewrite(current, ...estimates);
      } else if (event.type !== 'start') {
        rewrite?.('');
        write(`${logLine(event, name(event), printed)}\n`);
      }
    },
    estimate(lines) {
      estimates = lines;
      rewrite?.(current, ...estimates);
    },
    end() {
      rewrite?.('');
    },
  };
}

/**
 * @param {Progress} event
 * @param {string} name
 */
function liveLine(event, name) {
  if (event.type === 'prepare') return prepareLine(event, name);
  if (event.type === 'explain') return explainLine(event, name);
  if (event.type === 'wait') return `${name} waits: process ${event.pid} is installing in the same folder`;
  if (event.type === 'skip') return `${name}: ${event.failure.message}`;
  if (event.type === 'look') return lookLine(event);
  const at = counted(event.type === 'start' ? event.done + 1 : event.done, event.total);
  return `${at} ${name} · ${secondsLeft(event.left)}`;
}

/**
 * @param {Progress} event
 * @param {string} name
 * @param {Set<string>} printed what failures printed so far, which it adds to
 */
function logLine(event, name, printed) {
  if (event.type === 'prepare') return prepareLine(event, name);
  if (event.type === 'explain') return explainLine(event, name);
  if (event.type === 'wait') return `${name} waits: process ${event.pid} is installing in the same folder`;
  if (event.type === 'skip') return failureLine(`${name}: `, event.failure, printed);
  if (event.type === 'start') return liveLine(event, name);
  if (event.type === 'look') return lookLine(event);
  const { done, total, trial } = event;
  const head = `${counted(done, total)} round ${event.round + 1} ${name}: `;
  if (trial.failure) return failureLine(head, trial.failure, printed);
  const requests = trial.windows.reduce((sum, window) => sum + window.requests, 0);
  const seconds = trial.windows.reduce((sum, window) => sum + window.seconds, 0);
  return `${head}${Math.round(requests / seconds).toLocaleString('en-US')} req/s, ${secondsLeft(event.left)}`;
}

/**
 * @param {number} done
 * @param {number | undefined} total
 */
function counted(done, total) {
  return total === undefined ? `[${done}]` : `[${done}/${total}]`;
}

/**
 * @param {{ command?: string | undefined, seconds?: number }} work
 * @param {string} name
 */
function prepareLine({ command, seconds }, name) {
  const since = seconds === undefined ? undefined : `${seconds} s`;
  return [`preparing ${name}`, [command, since].filter(Boolean).join(', ')].filter(Boolean).join(': ');
}

/**
 * @param {{ seconds: number }} work
 * @param {string} name
 */
function explainLine({ seconds }, name) {
  const most = Number.isFinite(seconds) ? `, at most ${Math.round(seconds)} s` : '';
  return `slower: ${name}; profiling both sides to find the functions${most} (--no-explain skips this)`;
}

/** @param {{ round: number, decided: number }} look */
function lookLine({ round, decided }) {
  return `looked at ${round + 1} rounds: ${decided} ${decided === 1 ? 'case is' : 'cases are'} decided`;
}

/**
 * @param {string} head
 * @param {import('../../types.js').Failure} failure
 * @param {Set<string>} known
 */
function failureLine(head, { kind, message, logHead = [], logTail = [], command }, known) {
  const printed = [...(logHead.length > 0 ? [...logHead, '…'] : []), ...logTail];
  const text = printed.join('\n');
  if (text !== '' && known.has(text)) return `${head}${kind}: ${message} (it printed the same as before)`;
  known.add(text);
  const byHand = command === undefined ? [] : [`  by hand: ${command}`];
  return [`${head}${kind}: ${message}`, ...printed.map((line) => `    ${line}`), ...byHand].join('\n');
}

/** @param {number} seconds */
function secondsLeft(seconds) {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  return minutes > 0 ? `${minutes} min ${whole % 60} s left` : `${whole} s left`;
}
