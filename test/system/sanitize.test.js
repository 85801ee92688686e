import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harmless, harmlessJson } from '../../scripts/system/sanitize.js';

test('control sequences are removed, the text around them stays', () => {
  const link = (/** @type {string} */ end) => `\u001b]8;;https://evil.example${end}here\u001b]8;;${end}`;
  /** @type {[string, string][]} */
  const cases = [
    ['\u001b[31mred\u001b[0m\tplain', 'red\tplain'],
    [`${link('\u0007')} ${link('\u001b\\')} ${link('\u009c')}`, 'here here here'],
    ['\u009b2Jgone \u009d0;title\u0007kept', 'gone kept'],
    ['50 %\r100 %\r\ndone', '50 %\n100 %\ndone'],
    ['a\u0008\u007f\u0085\u0000b\u001bc', 'abc'],
    ['\u202eevil\u2066\u200f\u061c', 'evil'],
    ['\u001b]8;;never ended', ']8;;never ended'],
  ];
  for (const [text, wanted] of cases) assert.equal(harmless(text), wanted);
});

test('no line is a workflow command, whatever precedes it', () => {
  const signs = ['\u00a0', '\ufeff', '\u200b', '\u2003', '\u001b[0m', '\u202e'];
  for (const start of ['', ' ', '\t ', 'x\n', 'x\r', ...signs]) {
    const line = harmless(`${start}::set-output name=a::b`).split('\n').at(-1);
    assert.doesNotMatch(String(line), /^[\s\p{Cf}]*::/u, JSON.stringify(start));
  }
  for (const text of ['##[error]x', 'said: ##[set-env name=a]b', '###[x]', '#\u001b[0m#[x]', '#\u0007#[x]'])
    assert.doesNotMatch(harmless(text), /##\[/);
  assert.equal(harmless('std::string at [::1]:80 ## [a]'), 'std::string at [::1]:80 ## [a]');
});

test('JSON keeps every character of its texts and is harmless', () => {
  const value = { 'key\u001b[31m': '\u009b2J ##[error] ::x\n::y \u202e\u007f', list: ['::z'] };
  const text = harmlessJson(value);
  assert.deepEqual(JSON.parse(text), value);
  assert.equal(harmless(text), text);
});

test('long hostile lines are made harmless, too', () => {
  for (const part of ['\u009d', '\u001b]', '\u001b[;', '\ufeff', ' ', '\n', ':', '#', '\u001b[0', '\u200b'])
    assert.ok(harmless(part.repeat(500_000)).length <= 1_000_000);
});
