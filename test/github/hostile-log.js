/** What measured code may write in the hope that a job's log shows it, and what must not come of it. */

import assert from 'node:assert/strict';

/** Each as a line of its own; the word tells whether it was shown at all. */
export const HOSTILE = [
  '::error::EVIL-a',
  '  ::set-env name=EVIL::EVIL-b',
  'EVIL ##[error]EVIL-c',
  '\u001b]8;;https://evil.example\u0007EVIL-d\u001b]8;;\u0007',
  '\u001b[2J\u009b31mEVIL-e\r::add-mask::EVIL-f',
  '\u200b::stop-commands::EVIL-g',
];
export const PRINTED = HOSTILE.join('\n');

/**
 * @param {string} log
 * @param {RegExp} shown
 * @param {RegExp} [prefix] what stands before each line that a step prints; other lines are no log
 */
export function assertHarmless(log, shown, prefix = /^/) {
  assert.match(log, shown);
  for (const line of log.split('\n').filter((each) => prefix.test(each) && each.includes('EVIL'))) {
    assert.doesNotMatch(line.replaceAll('\t', ''), /[\u0000-\u001f\u007f-\u009f]/, JSON.stringify(line));
    assert.doesNotMatch(line, /##\[/, JSON.stringify(line));
    // Our own command, whose text is escaped by the toolkit.
    if (!/::(error|warning|notice) (file=[^:]*,)?title=/.test(line))
      assert.doesNotMatch(line.replace(prefix, ''), /^[\s\p{Cf}]*::(?!\u200b)/u, JSON.stringify(line));
  }
}
