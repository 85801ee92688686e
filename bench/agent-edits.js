/**
 * What an assistant that asks the MCP server hears of ten edits of a small app: five that save work, and
 * five that save none. `npm ci --prefix mcp && node bench/agent-edits.js`
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { markdownTable } from 'markdown-table';
import { stringify } from 'yaml';
import { commitAll, initRepository } from './copy-repository.js';

const LONGEST_MS = 30 * 60 * 1000;

const APP = `const fastify = require('fastify')();
const items = Array.from({ length: 120 }, (_, id) => ({ id, name: 'Item ' + id, price: (id * 7919) % 1000 }));
const text = JSON.stringify(items);

fastify.get('/items', async (request, reply) => {
  const copy = JSON.parse(JSON.stringify(items.slice(0, 25)));
  const sorted = [...items].sort((a, b) => a.name.localeCompare(b.name));
  const days = Array.from({ length: 15 }, (_, day) => new Date(1.7e12 + day * 864e5).toISOString());
  const byId = new Map(items.map((item) => [item.id, item]));
  const words = text.split(/[^a-z]+/i).length;
  reply.header('x-day', days[0].slice(0, 10));
  return { first: copy[0], top: sorted[0], item: byId.get(17), words };
});

fastify.listen({ port: Number(process.env.PORT), host: process.env.HOST });
`;

/**
 * changes: the texts that are replaced, and what stands there afterwards.
 * @type {{ edit: string, saves: boolean, changes: [string, string][] }[]}
 */
const EDITS = [
  {
    edit: 'use the items, not a deep copy',
    saves: true,
    changes: [['JSON.parse(JSON.stringify(items.slice(0, 25)))', 'items']],
  },
  {
    edit: 'rename a variable',
    saves: false,
    changes: [
      ['const copy', 'const all'],
      ['copy[0]', 'all[0]'],
    ],
  },
  {
    edit: 'sort once, not per request',
    saves: true,
    changes: [
      ['const sorted = [...items].sort((a, b) => a.name.localeCompare(b.name));', ''],
      [
        '\n\nfastify.get',
        '\nconst sorted = [...items].sort((a, b) => a.name.localeCompare(b.name));\n\nfastify.get',
      ],
    ],
  },
  { edit: 'use a template string', saves: false, changes: [["'Item ' + id", '`Item ${id}`']] },
  { edit: 'format one date, not fifteen', saves: true, changes: [['length: 15', 'length: 1']] },
  {
    edit: 'call substring instead of slice',
    saves: false,
    changes: [['slice(0, 10)', 'substring(0, 10)']],
  },
  {
    edit: 'look an item up without a map',
    saves: true,
    changes: [
      ['const byId = new Map(items.map((item) => [item.id, item]));', ''],
      ['byId.get(17)', 'items[17]'],
    ],
  },
  { edit: 'name the unused parameter _', saves: false, changes: [['(request, reply)', '(_, reply)']] },
  {
    edit: 'count the words once',
    saves: true,
    changes: [
      ['const words = text.split(/[^a-z]+/i).length;', ''],
      ['\n\nfastify.get', '\nconst words = text.split(/[^a-z]+/i).length;\n\nfastify.get'],
    ],
  },
  {
    edit: 'declare the answer before returning it',
    saves: false,
    changes: [
      ['return { first', 'const answer = { first'],
      ['words };', 'words };\n  return answer;'],
    ],
  },
];

const folder = mkdtempSync(join(tmpdir(), 'perf-edits-'));
const { connect } = await import(new URL('../mcp/client.js', import.meta.url).href);
const client = await connect(folder);
/** @type {string[][]} */
const rows = [];
try {
  writeApp(APP);
  initRepository(folder);
  execFileSync('git', ['tag', 'before'], { cwd: folder });
  for (const { edit, saves, changes } of EDITS) {
    writeApp(changes.reduce((text, [from, to]) => text.replace(from, to), APP));
    commitAll(folder);
    const { verdict, change } = await askAbout();
    console.error(`${edit}: ${verdict}, ${change}`);
    rows.push([edit, saves ? 'work' : 'nothing', verdict, change]);
  }
} finally {
  await client.close();
  rmSync(folder, { recursive: true, force: true });
}
const table = [['edit', 'saves', 'verdict', 'CPU per request'], ...rows];
console.log(markdownTable(table, { align: ['l', 'l', 'l', 'r'] }));

/** @param {string} app */
function writeApp(app) {
  writeFileSync(join(folder, 'app.js'), app);
  writeFileSync(join(folder, '.gitignore'), 'node_modules\nperf-results\n');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: { fastify: '^5.0.0' } }));
  const server = { id: 'app', folder: '.', runtime: 'node', install: 'npm install', start: 'node app.js' };
  writeFileSync(
    join(folder, 'perf.yml'),
    stringify({ servers: [{ ...server, routes: [{ path: '/items' }] }] }),
  );
}

/** @returns {Promise<{ verdict: string, change: string }>} about HEAD */
async function askAbout() {
  const { structuredContent } = await client.callTool(
    { name: 'run', arguments: { against: 'before', 'fail-on': 'never' } },
    { timeout: LONGEST_MS },
  );
  const { error, comparison } = /** @type {any} */ (structuredContent);
  if (error) throw new Error(error.message);
  const [{ verdict, metrics }] = comparison.cases;
  const cpu = metrics.find((/** @type {any} */ { metric }) => metric === 'cpuPerRequest');
  const [low, high] = (cpu?.ciPct ?? []).map((/** @type {number} */ end) => end.toFixed(1));
  return { verdict, change: cpu ? `${cpu.effectPct.toFixed(1)} % (${low} to ${high} %)` : '' };
}
