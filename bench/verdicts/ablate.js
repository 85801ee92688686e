/**
 * The judge with one part taken out or one constant changed: copies of its sources, each changed in one
 * place.
 */

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * file: in scripts/; from, to: the change.
 * @typedef {{ name: string, file: string, from: string, to: string }} Ablation
 */

/** @type {Ablation[]} */
export const ABLATIONS = [
  {
    name: 'wrecked rounds kept',
    file: 'judge/mean-estimate.js',
    from: 'const kept = withoutWrecked(means);',
    to: 'const kept = means;',
  },
  {
    name: 'no pairing of neighbours',
    file: 'judge/mean-estimate.js',
    from: 'const heads = group(head, roundOf);',
    to: 'const heads = group(head, (each) => roundOf(base[(head.indexOf(each) + 1) % base.length]));',
  },
  {
    name: 'throughput always decides',
    file: 'judge/case-verdict.js',
    from: 'const SHARPER = 1.5;',
    to: 'const SHARPER = Infinity;',
  },
  {
    name: 'p < 0.05 for wrecked',
    file: 'judge/mean-estimate.js',
    from: 'const WRECKED = 0.001;',
    to: 'const WRECKED = 0.05;',
  },
  {
    name: 'risk spent evenly',
    file: 'judge/alpha-spending.js',
    from: 'const SPENT = [0.05, 0.4, 0.5, 0.78, 0.85, 0.92];',
    to: 'const SPENT = LOOKS;',
  },
  {
    name: 'each look has the whole risk',
    file: 'judge/alpha-spending.js',
    from: 'return levels.map((level) => (level / claim) * whole);',
    to: 'return looks.map(() => whole);',
  },
  {
    name: 'looks added up',
    file: 'judge/alpha-spending.js',
    from: 'const level = last === 0 ? alpha :',
    to: 'const level = true ? alpha :',
  },
  {
    name: '`same` by 95 % after few rounds, too',
    file: 'judge/verdicts.js',
    from: 'const FEW_ROUNDS = 7;',
    to: 'const FEW_ROUNDS = 0;',
  },
  {
    name: 'intervals of 98 %',
    file: 'samples/interval.js',
    from: 'const BEYOND = 0.025;',
    to: 'const BEYOND = 0.01;',
  },
];

/**
 * @param {Ablation} ablation
 * @param {(judge: { compare: typeof import('../../scripts/judge/compare.js').compare,
 *   looks: typeof import('../../scripts/judge/alpha-spending.js') }) => void} use
 * @throws {Error} where the judge has no such line any more
 */
export async function withAblation({ name, file, from, to }, use) {
  const cache = join(ROOT, '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'ablation-'));
  try {
    cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const changed = join(folder, 'scripts', file);
    const source = readFileSync(changed, 'utf8');
    if (source.split(from).length !== 2)
      throw new Error(`${name}: ${file} has not exactly one line "${from}"`);
    writeFileSync(
      changed,
      source.replace(from, () => to),
    );
    const at = (/** @type {string} */ path) => pathToFileURL(join(folder, 'scripts', path)).href;
    const [{ compare }, looks] = [
      await import(at('judge/compare.js')),
      await import(at('judge/alpha-spending.js')),
    ];
    use({ compare, looks });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
