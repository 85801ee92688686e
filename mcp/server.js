#!/usr/bin/env node
/**
 * The verbs that answer an assistant's questions, as tools of a Model Context Protocol server on standard
 * input and output. Each call is a separate command, which is cancelled as Ctrl+C cancels it.
 * @import { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
 * @import { Comparison, Run } from '../scripts/types.js'
 * @import { Option } from '../scripts/verbs.js'
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { jsonIn } from '../scripts/model/json.js';
import { splitList } from '../scripts/model/units.js';
import { metric } from '../scripts/samples/figures.js';
import { figuresText, labelOf } from '../scripts/report/text/change-words.js';
import { unmarked } from '../scripts/report/text/inline.js';
import { wordsIn } from '../scripts/report/text/words.js';
import { cancelOnSignals, shortened } from '../scripts/system/exit.js';
import { placeInside } from '../scripts/system/folder.js';
import { ROOT, VERSION } from '../scripts/system/this-project.js';
import { VERBS } from '../scripts/verbs.js';

const CLI = join(ROOT, 'scripts/cli.js');

/** What a model must know to read the answers. */
const INSTRUCTIONS =
  'perf-action load-tests HTTP servers and compares two versions. Believe verdicts, not figures: two measurements of one unchanged ' +
  'server differ by 15 to 30 %. "improved" and "regressed" are proven by their interval; of a hundred reports about an ' +
  'unchanged server, at most one says "regressed", and at most one "improved". "same": any change is smaller than the margin (5 %, option margin). "unsure": nothing is proven; ' +
  'measure longer (option budget) or report no change. Never report a gain for "same" or "unsure". Run one measurement at a time, and nothing else beside it.';

/**
 * verb: what it calls; args: that it always has; words: arguments besides options, in order; leave: options
 * that make no sense here.
 * @typedef {{ verb: string, does: string, args?: string[], words?: Record<string, string>, leave?: string[]
 *   }} Tool
 */

/** @type {Record<string, Tool>} */
const TOOLS = {
  run: {
    verb: 'run',
    does: 'Measures the servers of a checkout and, with "against" (a commit, a package version like fastify@5.2.0, or self), judges the change. Takes up to five minutes (option budget), after installing and building.',
    args: ['--no-explain'],
    leave: ['explain', 'capacity'],
  },
  explain: {
    verb: 'run',
    does: 'The same as run, and profiles servers that regressed: names the functions whose CPU time per request changed, within the same budget.',
    args: ['--explain'],
    leave: ['explain', 'capacity', 'counts'],
  },
  compare: {
    verb: 'compare',
    does: 'Judges a run file against another one or a folder of stored runs; measures nothing.',
  },
  bisect: {
    verb: 'bisect',
    does: 'Finds the commit (with "packages": the package) between two commits that made a server slower. Takes many minutes.',
    words: { good: 'a commit before the slowdown', bad: 'a commit with it' },
  },
  plan: { verb: 'plan', does: 'Says what a run would measure and how long it would take; starts nothing.' },
};

/** They belong to runs over several machines or to what the tool itself prints. */
const NOT_OFFERED = ['json', 'shard', 'resume'];
/** An assistant may have been told by a stranger's text what to read and where to write. */
const PATHS = ['config', 'servers', 'reference', 'script', 'library', 'baseline', 'base', 'head', 'out'];
/** A package from elsewhere on this machine, as npm reads it: express@file:../fork. */
const ELSEWHERE = /@file:(?:\/\/)?(.+)$/s;
/** Characters of one argument: Linux starts no program with one of more than 128 KiB. */
const LONGEST = 32_768;

const ended = cancelOnSignals();
/** @type {Set<Promise<unknown>>} */
const calls = new Set();
const handle = serveStdio(() => {
  const server = new McpServer({ name: 'perf-action', version: VERSION }, { instructions: INSTRUCTIONS });
  for (const [name, tool] of Object.entries(TOOLS)) {
    const options = optionsOf(tool);
    const inputSchema = fromJsonSchema(schemaOf(tool, options));
    server.registerTool(name, { description: tool.does, inputSchema }, (input, context) => {
      const call = answer(tool, options, /** @type {Record<string, any>} */ (input), context);
      calls.add(call);
      return call.finally(() => calls.delete(call));
    });
  }
  return server;
});
await Promise.race([once(process.stdin, 'close'), once(ended, 'abort')]);
await handle.close();
await Promise.allSettled(calls);

/** @type {(tool: Tool) => [string, Option][]} */
function optionsOf({ verb, leave = [] }) {
  return Object.entries(VERBS[verb]?.options ?? {}).filter(
    ([name]) => !NOT_OFFERED.includes(name) && !leave.includes(name),
  );
}

/**
 * @param {Tool} tool
 * @param {[string, Option][]} options
 */
function schemaOf({ words = {} }, options) {
  const string = (/** @type {string} */ description) => ({ type: 'string', maxLength: LONGEST, description });
  const properties = {
    folder: string('the checkout, from where this server was started (default: there)'),
    ...Object.fromEntries(Object.entries(words).map(([name, help]) => [name, string(help)])),
    ...Object.fromEntries(
      options.map(([name, { type, multiple, help }]) => [
        name,
        multiple
          ? { type: 'array', items: string(help), description: help }
          : type === 'string'
            ? string(help)
            : { type, description: help },
      ]),
    ),
  };
  return {
    type: /** @type {const} */ ('object'),
    properties,
    required: Object.keys(words),
    additionalProperties: false,
  };
}

/**
 * @param {Tool} tool
 * @param {[string, Option][]} options
 * @param {Record<string, any>} input
 * @param {ServerContext} context
 * @returns {Promise<CallToolResult>} what the command prints with --json, and a sentence
 */
async function answer({ verb, args = [], words = {} }, options, { folder = '.', ...input }, context) {
  const cwd = resolve(folder);
  const outside = outsideOf(process.cwd(), { folder, ...input }, cwd);
  if (outside !== undefined) return failed({ error: { code: 'usage', message: outside } });
  const given = options.flatMap(([name, option]) => argumentsOf(name, option, input[name]));
  const positionals = Object.keys(words).map((name) => input[name]);
  const { signal } = context.mcpReq;
  const child = spawn(process.execPath, [CLI, verb, '--json', ...args, ...given, '--', ...positionals], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.any([signal, ended]),
    killSignal: 'SIGTERM',
  });
  /** @type {string[]} */
  const lines = [];
  createInterface(child.stderr).on('line', (line) => {
    lines.push(line);
    report(line, lines.length, context);
  });
  const closed = new Promise((done) => child.once('close', done).once('error', done));
  const output = await text(child.stdout);
  await closed;
  // A command that was ended prints none.
  const result = jsonIn(output) ?? {
    error: { code: 'bug', message: lines.at(-1) ?? `${folder} is no folder` },
  };
  if (result.error) return failed(result);
  const structuredContent = verb === 'run' ? brief(result) : result;
  const sentences = sentencesOf(verb === 'compare' ? result : result.comparison);
  return {
    content: [...sentences, JSON.stringify(structuredContent)].map((each) => ({ type: 'text', text: each })),
    structuredContent,
  };
}

/** @type {(result: { error: { code: string, message: string } }) => CallToolResult} */
function failed(result) {
  return {
    content: [{ type: 'text', text: result.error.message }],
    structuredContent: result,
    isError: true,
  };
}

/**
 * @param {string} root where this server was started
 * @param {Record<string, any>} input
 * @param {string} cwd of the command
 * @returns {string | undefined} a line about a path that leads out of the root
 */
function outsideOf(root, input, cwd) {
  const [, place] = ELSEWHERE.exec(input.against ?? '') ?? [];
  // npm takes ~ for the home folder.
  /** @type {Record<string, any>} */
  const paths = { ...input, against: place?.replace(/^~(?=\/|$)/, homedir()) };
  for (const name of ['folder', ...PATHS, 'against'])
    // A path may have a comma, and a list has spaces.
    for (const path of [paths[name] ?? []].flat().flatMap((value) => [value, ...splitList(value)]))
      if (placeInside(root, name === 'folder' ? cwd : resolve(cwd, path)) === undefined)
        return shortened(
          `${name}: ${path} lies outside ${root}, where this server was started; use a place inside it`,
        );
  return undefined;
}

/**
 * @param {string} name
 * @param {Option} option
 * @param {any} value
 */
function argumentsOf(name, { type, negatable }, value) {
  if (value === undefined) return [];
  if (type === 'string') return [value].flat().map((each) => `--${name}=${each}`);
  if (value) return [`--${name}`];
  return negatable ? [`--no-${name}`] : [];
}

/** @type {(message: string, progress: number, context: ServerContext) => void} */
function report(message, progress, { mcpReq: { _meta, notify } }) {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return;
  // A client that has gone needs no progress.
  notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(() => {});
}

/** Without the windows, of which a model needs none. @param {{ run: Run, comparison?: Comparison }} result */
function brief({ run: { cases, warnings, limits, gate }, comparison }) {
  return {
    ...(comparison && { comparison }),
    cases: cases.map(({ id, counted, summary, trials }) => ({
      id,
      // Seconds of a run without clocks say nothing.
      ...(!counted && { summary }),
      failures: trials.flatMap(({ failure }) => (failure ? [failure] : [])),
    })),
    warnings,
    limits,
    gate,
  };
}

/** A line a case: its verdict, and what changed. @type {(comparison: Comparison | undefined) => string[]} */
function sentencesOf(comparison) {
  const words = wordsIn();
  if (!comparison) return [];
  return comparison.cases.map(({ id, verdict, metrics }) => {
    const changes = metrics
      .filter((change) => ['regressed', 'improved'].includes(change.verdict))
      .filter((change) => change.verdict === verdict || metric(change.metric).judged.role === 'count')
      .map((change) => `${labelOf(change, words)} ${figuresText(change, comparison, words)}`);
    return unmarked(`${id}: ${[verdict, ...changes].join(', ')}`);
  });
}
