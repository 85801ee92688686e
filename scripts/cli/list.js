/**
 * `perf-action list`: the catalogue, and which servers cannot be built here.
 * @import { Arguments } from '../verbs.js'
 * @import { Io } from '../main.js'
 */

import { markdownTable } from 'markdown-table';
import { whyNotBuilt } from '../deploy/preflight/programs.js';
import { harmlessJson } from '../system/sanitize.js';
import { TOOLS } from '../load/tools.js';
import { catalogServers, readCatalog } from '../catalog/catalog.js';
import { thisProcess } from '../system/caller.js';
import { ROOT } from '../system/repository.js';

/** @param {Arguments} args @param {Io} io @returns {Promise<number>} */
export async function list({ values }, io) {
  const servers = catalogServers(ROOT, thisProcess()).map((server) => {
    const notBuilt = whyNotBuilt(server, io.env);
    return { ...server, ...(notBuilt !== undefined && { notBuilt }) };
  });
  const presets = [...readCatalog(ROOT).presets.keys()];
  io.stdout.write(
    values.json
      ? `${harmlessJson({ servers, tools: Object.fromEntries(TOOLS.map(factsOf)), presets })}\n`
      : `${[serverTable(servers), ...notBuiltHere(servers), toolTable(), `Presets: ${presets.join(', ')}`].join('\n\n')}\n`,
  );
  return 0;
}

/** @param {import('../load/tools.js').ToolFacts} tool */
function factsOf({ id, label, install, package: debian, can, wholeSeconds }) {
  return [id, { label, install, package: debian, can, wholeSeconds }];
}

/** @param {import('../types.js').Server[]} servers */
function serverTable(servers) {
  const rows = servers.map(({ id, name, runtime, routes, reference }) => [
    id,
    reference ? `${name} (reference)` : name,
    runtime,
    routes.map((route) => route.id).join(' '),
  ]);
  return markdownTable([['Server', 'Name', 'Runtime', 'Routes'], ...rows]);
}

/** @param {(import('../types.js').Server & { notBuilt?: string })[]} servers */
function notBuiltHere(servers) {
  const lines = servers.flatMap(({ id, notBuilt }) =>
    notBuilt === undefined ? [] : `${id} cannot be built here: ${notBuilt}`,
  );
  return lines.length > 0 ? [lines.join('\n')] : [];
}

function toolTable() {
  const rows = TOOLS.map(({ id, can }) => [id, Object.keys(can).join(', ')]);
  return markdownTable([['Load tool', 'Can'], ...rows]);
}
