import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { cutRelease } from '../../tools/release.js';

const RELEASE = { version: '1.2.0', date: '2026-01-31' };

test('the Unreleased section becomes the release, an empty one replaces it, older ones stay', () => {
  const { changelog, notes } = cutRelease(
    '# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.1.0 (2026-01-01)\n\n- Old.\n',
    RELEASE,
  );
  assert.equal(notes, '- New.');
  assert.equal(
    changelog,
    '# Changelog\n\n## Unreleased\n\n## 1.2.0 (2026-01-31)\n\n- New.\n\n## 1.1.0 (2026-01-01)\n\n- Old.\n',
  );
});

test('an empty changelog section is refused', () => {
  for (const text of ['# Changelog\n', '# Changelog\n\n## Unreleased\n\n## 1.1.0\n\n- Old.\n']) {
    assert.throws(() => cutRelease(text, RELEASE), /CHANGELOG\.md: there is nothing under "## Unreleased"/);
  }
});

test('the project has release notes, and what the Marketplace requires of an action', () => {
  const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  assert.match(changelog, /^## Unreleased\n/m);
  const { name, description, author, branding } = parse(
    readFileSync(new URL('../../action.yml', import.meta.url), 'utf8'),
  );
  assert.ok(name && author);
  assert.ok(description.length < 125, `${description.length} characters`);
  assert.deepEqual(Object.keys(branding).sort(), ['color', 'icon']);
});
