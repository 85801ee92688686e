import { markdownTable } from 'markdown-table';
import { whyNotBuilt } from '../deploy/process/programs.js';
import { harmlessJson } from '../system/sanitize.js';
import { checkConfig, findConfig } from '../config/layers.js';
import { abilitiesOf } from '../config/refusals.js';
import { TOOLS } from '../load/tools.js';
import { COUNTS } from '../samples/figures.js';
import { catalogServers, readCatalog } from '../catalog/catalog.js';
import { readRunConfig } from '../session/run-config.js';
import { ROOT, thisProcess } from '../system/this-project.js';
import { readYaml } from '../system/yaml-file.js';

/** @type {import('../verbs.js').Command} */
export async function list({ values }, io) {
  const own = findConfig(io.cwd) === undefined ? [] : readRunConfig({}, io.cwd).servers;
  const builtIn = catalogServers(ROOT, thisProcess()).filter(({ id }) => own.every((each) => each.id !== id));
  const servers = [...own, ...builtIn].map((server) => ({
    ...server,
    notBuilt: whyNotBuilt(server, io.env),
  }));
  // Statements are of services that a run starts.
  const counts = COUNTS.map(({ id, runtimes: of = ['postgres', 'mysql', 'redis'] }) => ({ id, of }));
  const presets = [...readCatalog(ROOT).presets];
  if (values.json) {
    const byId = TOOLS.map(({ id, label, install, package: debian, can, wholeSeconds }) => {
      return [id, { label, install, package: debian, can, wholeSeconds }];
    });
    const ids = presets.map(([id]) => id);
    io.stdout.write(harmlessJson({ servers, tools: Object.fromEntries(byId), presets: ids, counts }));
    return 0;
  }
  const serverRows = servers.map(({ id, name, runtime, routes, reference }) => [
    id,
    reference ? `${name} (reference)` : name,
    runtime,
    routes.map((route) => route.id).join(' '),
  ]);
  const notBuilt = servers.flatMap(({ id, notBuilt: why }) =>
    why === undefined ? [] : `${id} cannot be built here: ${why}`,
  );
  const tools = TOOLS.map(
    (tool) => `- ${[tool.id, abilitiesOf(tool).join('; ')].filter(Boolean).join(' can ')}`,
  );
  const presetRows = presets.map(([id, file]) => [id, readYaml(file, checkConfig).value.description]);
  const parts = [
    markdownTable([['Server', 'Name', 'Runtime', 'Routes'], ...serverRows]),
    notBuilt.join('\n'),
    `Load tools, beside what all can:\n\n${tools.join('\n')}`,
    markdownTable([['Preset', 'Asks'], ...presetRows]),
    `Counts, by runtime or service:\n\n${counts.map(({ id, of }) => `- ${id} (${of.join(', ')})`).join('\n')}`,
  ];
  io.stdout.write(`${parts.filter(Boolean).join('\n\n')}\n`);
  return 0;
}
