/**
 * The table of presets in the manual, from the presets themselves.
 * @import { Config } from '../scripts/types.js'
 */

import { fileURLToPath } from 'node:url';
import { readCatalog } from '../scripts/catalog/catalog.js';
import { readConfig } from '../scripts/config/config.js';
import { checkConfig } from '../scripts/config/layers.js';
import { RUNTIMES } from '../scripts/deploy/runtimes.js';
import { SERVICES } from '../scripts/deploy/services.js';
import { findTool } from '../scripts/load/tools.js';
import { makePlan } from '../scripts/plan/plan.js';
import { readYaml } from '../scripts/system/yaml-file.js';

/** Installed with perf-action. */
const AT_HAND = ['autocannon', 'Node'];

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const CALLER = { environment: {}, folder: ROOT, cores: 2 };

/**
 * @returns {string[]} id, question, minutes of the load on two cores, and what must be installed, as Markdown
 */
export function presetRows() {
  const rows = [...readCatalog(ROOT).presets].map(([id, file]) => {
    const config = readConfig({ options: { preset: id }, cwd: ROOT, root: ROOT, seed: 1, caller: CALLER });
    const minutes = Math.round(makePlan(config).estimateSeconds / 60);
    const { description } = readYaml(file, checkConfig).value;
    return { minutes, cells: [`[\`${id}\`](../presets/${id}.yml)`, description, minutes, needsOf(config)] };
  });
  return rows.sort((a, b) => a.minutes - b.minutes).map(({ cells }) => `| ${cells.join(' | ')} |`);
}

/** @param {Config} config */
function needsOf({ cases, servers }) {
  const labels = [
    ...cases.map(({ load }) => findTool(load.tool).label),
    ...cases.flatMap(({ proxy = '' }) => (proxy.includes('nginx') ? 'nginx' : [])),
    ...servers.map(({ runtime }) => RUNTIMES[runtime]?.label),
    ...servers.flatMap(({ needs }) => needs.map((service) => SERVICES[service]?.label)),
  ];
  return [...new Set(labels)].filter((label) => label && !AT_HAND.includes(label)).join(', ');
}
