/** The digest of a file or folder. Its text runs later, by `node -e`: measured code can change this file. */

const { createHash } = require('node:crypto');
const { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } = require('node:fs');
const { dirname, join, resolve } = require('node:path');

/**
 * Follows links, and reads regular files alone: a pipe, or a link to a device, would never end.
 * @param {string} root
 * @returns {string} depends on names, permissions and contents; that of nothing where nothing is
 */
function digestOf(root) {
  const hash = createHash('sha256');
  const seen = new Set();
  const add = (/** @type {string} */ path) => {
    if (seen.has(path)) return;
    seen.add(path);
    const stats = lstatSync(path);
    const names = stats.isDirectory() ? readdirSync(path).sort() : [];
    const target = stats.isSymbolicLink() ? readlinkSync(path) : '';
    const content = stats.isFile() ? readFileSync(path) : Buffer.from(target);
    hash.update(JSON.stringify([path, stats.mode, names, content.length])).update(content);
    for (const name of names) add(join(path, name));
    const linked = resolve(dirname(path), target);
    if (target !== '' && existsSync(linked)) add(realpathSync(linked));
  };
  if (existsSync(root)) add(realpathSync(root));
  return hash.digest('hex');
}

module.exports = { digestOf };
