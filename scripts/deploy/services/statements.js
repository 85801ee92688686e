/** Statements that a database counts, and what may be said of each. @import { Started } from './ready.js' */

import { totals } from '../../model/totals.js';
import { databaseOf } from './ready.js';

/** How often each was executed, by its name. @typedef {Map<string, number>} Statements */

/** Databases take the values out of these; others may hold a password. */
const NORMALIZED = /^(SELECT|INSERT|UPDATE|DELETE|MERGE)\b/i;
/** Transactions, and settings of a connection. */
const CONTROL = /^(BEGIN|START|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE|SET|RESET|DISCARD)$/;
/** A text may be cut within them; comments of PostgreSQL have comments. */
const COMMENT_OR_VALUE =
  /\/\*(?:\/\*[^]*?\*\/|[^])*?(?:\*\/|$)|--.*|'(?:[^']|'')*'?|(\$[a-z_]*\$)[^]*?(?:\1|$)|(?<![\w$."])\.?\d[\w.]*/gi;
const LONGEST_NAME = 200;
/** Prints the empty line that ends an answer. */
export const END = "; SELECT '';";

/**
 * Asks a client that is kept, which prints how many its counters lost, and then a line of JSON for each: text
 * and count. countsOf: what it asks about a database; unclear: see {@link nameOf}.
 * @type {(ask: (sql: string) => Promise<string[]>, countsOf: (database: string) => string, unclear?: RegExp)
 *   => NonNullable<Started['statementsOf']>}
 */
export function askStatements(ask, countsOf, unclear) {
  return async (side) => {
    const [lost, ...lines] = await ask(`${countsOf(databaseOf(side))}${END}`);
    const counted = lines.map((line) => JSON.parse(line));
    return lost === '0' ? totals(counted.map(([text, count]) => [nameOf(text, unclear), count])) : undefined;
  };
}

/**
 * Without comments, and without the values that a database leaves now and then; long lists are shortened.
 * unclear: what may begin or end a value, by the settings of a database; such a text is its keyword.
 * @type {(text: string, unclear?: RegExp) => string}
 */
export function nameOf(text, unclear = /\\/) {
  const bare = text
    .replace(COMMENT_OR_VALUE, (found) => (/^(\/\*|--)/.test(found) ? ' ' : '?'))
    .replace(/`/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const isClear = !unclear.test(text) && !bare.includes('*/');
  if (!NORMALIZED.test(bare) || !isClear) return /^\w+/.exec(bare)?.[0].toUpperCase() ?? '?';
  const name = bare
    .replace(/ (?=[,.)])|(?<=[(.]) /g, '')
    .replace(/\((\$\d+|\?)(, ?(\$\d+|\?))+\)/g, '(...)')
    .replace(/^SELECT ((?!FROM ).){30,} FROM /i, 'SELECT ... FROM ');
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}...` : name;
}

/** Whether a statement, by its name, is about others alone. @type {(name: string) => boolean} */
export function isTransaction(name) {
  return CONTROL.test(name);
}
