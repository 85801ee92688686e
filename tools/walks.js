/**
 * How many files somebody opens who follows a value through the code. `node tools/walks.js` prints the walks
 * of this checkout, `node tools/walks.js FOLDER` those of another one's `scripts/`, and `npm run walks`
 * writes them to `tools/walks.md`.
 *
 * A walk leads from stop to stop. Between two stops lies the shortest chain of references: first upward, from
 * a declaration to one that refers to it (a value is returned to its caller), then downward (a value is
 * handed to what is called). A new leg begins where data passes between declarations that do not refer to
 * each other: through an injected dependency, a file or a process. Every declaration of every chain lies on
 * the walk. A file counts if one of its declarations on the walk names the value; names are compared by
 * spelling, without those of functions that are called or declared.
 */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { graphOf } from './call-graph.js';

/** @typedef {import('./call-graph.js').Graph} Graph */
/**
 * back: who refers to a declaration; known: what the entries reach
 * @typedef {{ graph: Graph, back: Map<string, Set<string>>, known: Set<string> }} Surroundings
 */
/**
 * named: the value's names on these legs, or those of the record that holds it; legs: stops, each `file#name`
 * or the end of it
 * @typedef {{ named: string[], legs: string[][] }} Part
 */
/** goal: the most files @typedef {{ title: string, goal: number, parts: Part[] }} Walk */

export const OUTPUT = fileURLToPath(new URL('./walks.md', import.meta.url));
const SCRIPTS = fileURLToPath(new URL('../scripts', import.meta.url));
const ENTRIES = ['cli.js#', 'github/action.js#'];

/** @type {Walk[]} */
const WALKS = [
  {
    title: '`connections`, from an input or a flag to the load tool and to the report',
    goal: 25,
    parts: [
      {
        named: ['connections', 'inputs', 'options', 'settings', 'load', 'loads'],
        legs: [
          ['#OPTIONS', '#DIMENSIONS'],
          ['#readInputs', '#readOptions', 'action/plan-step.js#plan', '#readRunConfig'],
          ['#readArguments', 'cli/measuring-commands.js#run', '#readRunConfig', '#readConfig', '#readLayers'],
          ['#readLayers', '#readYaml'],
          ['#readConfig', '#readSettings', 'kinds.js#KINDS', '#parseCount'],
          ['#readConfig', '#readMatrix', '#withLimitRates'],
          ['#readConfig', '#readLoads', '#settingOf'],
          ['#readConfig', '#makeCase'],
          ['#readConfig', '#checkAbilities', '#refusals'],
        ],
      },
      {
        named: ['connections', 'load', 'loads'],
        legs: [
          ['#runSession', '#sidesOf', '#readRunConfig'],
          ['#runSession', '#planOf', '#makePlan', '#makeOrder'],
          ['#makePlan', 'timetable.js#timed'],
          ['#makePlan', '#withWarmUps'],
          ['#runSession', '#requireForPlan'],
          ['#runSession', '#measureTurn', '#targetOf'],
          ['#withSecrets'],
          ['#realDependencies', '#startLoading', '#keepTool', '#runTool'],
          ['#startLoading', 'tools/autocannon.js#autocannon', 'autocannon-driver.js#', '#pace'],
          ['#measure', '#runCase'],
        ],
      },
      {
        named: ['connections', 'load', 'conditionsOf'],
        legs: [
          [
            'finish.js#finish',
            '#caseTables',
            'table-rows.js#tablesOf',
            'text/load-words.js#loadText',
            '#distinguishing',
            '#DIMENSIONS',
          ],
          ['en.js#en'],
        ],
      },
    ],
  },
  {
    title: "one window's number of requests, to the word `regressed`",
    goal: 14,
    parts: [
      {
        named: ['requests'],
        legs: [
          ['#startSliced', 'autocannon-driver.js#'],
          ['#readAutocannon', 'tools/autocannon.js#autocannon'],
          ['#requireWindow', '#readWindow', '#startLoading', '#realDependencies'],
          ['#startLoading', '#silentConnections'],
          ['#loadTurn', '#keepWindow', '#runCase', '#summarize'],
          ['#runCase', '#runSession'],
        ],
      },
      {
        named: ['requests', 'samples', 'effect', 'effects', 'decision', 'decisions', 'verdict', 'regressed'],
        legs: [
          [
            '#runSession',
            'finish.js#finish',
            'finish.js#judge',
            '#compareMarked',
            '#effectsOf',
            'case-figures.js#samplesOf',
            'figures.js#FIGURES',
          ],
          ['#effectsOf', 'mean-estimate.js#estimate'],
          ['#compareMarked', '#decide'],
          ['#compareMarked', '#caseOf', '#caseVerdict'],
          ['finish.js#finish', '#writeResults'],
        ],
      },
      {
        named: ['verdict', 'verdicts', 'regressed'],
        legs: [
          ['#postResults', '#renderComment', '#documentOf', '#wholeHeadline'],
          ['#documentOf', 'changes.js#changesOf', '#figuresText'],
          ['#verdictText', '#wordsIn', 'en.js#VERDICTS'],
        ],
      },
    ],
  },
  {
    title: "a route's `body`, from perf.yml to the wire",
    goal: 12,
    parts: [
      {
        named: ['body', 'bodyFile', 'route', 'routes', 'request'],
        legs: [
          ['#readYaml', '#readLayers', '#readConfig', '#findServer', '#resolveServer', '#resolveRoute'],
          ['#resolveRoute', '#readBodyFile'],
          ['#resolveRoute', '#checkRequest'],
          ['verify.js#verify', 'verify.js#check'],
          ['#readConfig', '#makeCase'],
          ['#runSession', '#measureTurn', '#targetOf'],
          ['#withSecrets', '#revealRequest'],
          ['#startLoading', 'tools/autocannon.js#autocannon', '#encodedBody'],
          ['tools/autocannon.js#autocannon', 'autocannon-client.cjs#'],
        ],
      },
    ],
  },
  {
    title: 'a server that does not start, to what the comment says',
    goal: 14,
    parts: [
      {
        named: ['MeasureError', 'failure', 'failed', 'logTail'],
        legs: [
          ['#startGroup', '#startOn', '#untilReady', '#exitedAtStart'],
          ['#startOn', '#withHints'],
          ['#startOn', '#startServer', '#realDependencies'],
          ['#withSecrets'],
          ['#attempt', '#failureOf'],
          ['#attempt', '#runGroup', '#conduct', '#runCase'],
          ['finish.js#finish', 'finish.js#judge', '#compareMarked', '#caseOf'],
          ['finish.js#finish', '#isIncomplete'],
          ['finish.js#finish', '#writeResults'],
          ['#postResults', '#renderComment', '#documentOf', '#wholeHeadline'],
          ['#documentOf', '#failedText'],
          ['#documentOf', '#failureBlocks'],
        ],
      },
    ],
  },
  {
    title: '`--budget`, from an input or a flag to the length of a window and to the report',
    goal: 14,
    parts: [
      {
        named: ['budget', 'options', 'inputs', 'settings', 'layers', 'budgetSeconds'],
        legs: [
          ['#OPTIONS'],
          ['#readInputs', '#readOptions', 'action/plan-step.js#plan', '#readRunConfig'],
          ['slash-command.js#ask'],
          ['#readArguments', 'cli/measuring-commands.js#run', '#readRunConfig', '#readConfig', '#readLayers'],
          ['#readLayers', '#changedDefaults'],
          ['#readConfig', '#readSettings', 'kinds.js#KINDS', '#parseDuration'],
        ],
      },
      {
        named: [
          'budgetSeconds',
          'secondsLeft',
          'estimateSeconds',
          'mostSeconds',
          'endsAt',
          'deadline',
          'budget',
          'fits',
        ],
        legs: [
          ['#runSession', '#planOf', '#makePlan', '#makeOrder'],
          ['#makePlan', 'timetable.js#timesAsked'],
          ['#makePlan', 'timetable.js#shortened'],
          ['#makePlan', 'timetable.js#timed'],
          ['#planOf', '#requireWholeRound'],
          ['#watching'],
          ['experiments/soak.js#soak'],
          ['experiments/prove.js#prove'],
          ['#searchCapacity'],
          ['#runSession', '#measure', '#conduct', '#nextAction'],
          ['#conduct', '#reservedSeconds'],
          ['#conduct', '#measureGroup', 'timetable.js#windowsOf'],
          ['#runGroup', '#lengthenWindows'],
          ['#runGroup', '#warmUp', '#warmUntilLevel'],
          ['#attempt', 'server-run.js#fail'],
          ['#progressOn'],
          ['#profileRegressions'],
        ],
      },
      {
        named: ['budget', 'budgetSeconds', 'estimateSeconds'],
        legs: [
          ['finish.js#finish', '#documentOf', 'changes.js#rerunItems'],
          ['report/document/plan-answer.js#planAnswer'],
          ['en.js#en'],
        ],
      },
    ],
  },
];

/**
 * on: the declarations on the walk, in its order; names: those of the value in them
 * @typedef {{ file: string, on: string[], names: string[] }} WalkedFile
 */

/**
 * @param {string} root the folder `scripts/`
 * @returns {(Pick<Walk, 'title' | 'goal'> & { count: number, files: WalkedFile[] })[]} count: of the files
 *   that name the value
 */
export function walksOf(root = SCRIPTS) {
  const graph = graphOf(root);
  const map = { graph, back: reversed(graph), known: reached(graph, ENTRIES) };
  return WALKS.map(({ title, goal, parts }) => {
    /** @type {Map<string, WalkedFile>} */
    const files = new Map();
    for (const { named, legs } of parts)
      for (const id of legs.flatMap((leg) => walkedOn(leg, map))) {
        const { file, names } = /** @type {import('./call-graph.js').Declaration} */ (graph.get(id));
        const walked = files.get(file) ?? { file, on: [], names: [] };
        const name = id.slice(file.length + 1) || '(module)';
        walked.on = [...new Set([...walked.on, name])];
        walked.names = [...new Set([...walked.names, ...named.filter((each) => names.has(each))])];
        files.set(file, walked);
      }
    const all = [...files.values()];
    return { title, goal, count: all.filter(({ names }) => names.length > 0).length, files: all };
  });
}

/** @type {(leg: string[], map: Surroundings) => string[]} */
function walkedOn(leg, map) {
  const stops = leg.map((stop) => stopIn(map.known, stop));
  return stops.flatMap((stop, place) => (place === 0 ? stop : chain(map, stops[place - 1] ?? '', stop)));
}

/** The one declaration whose id ends so. @type {(known: Set<string>, stop: string) => string} */
function stopIn(known, stop) {
  const [found, ...others] = [...known].filter(
    (id) => id === stop || id.endsWith(stop.startsWith('#') ? stop : `/${stop}`),
  );
  if (found !== undefined && others.length === 0) return found;
  const problem = found === undefined ? 'there is no' : 'more than one declaration is called';
  throw new Error(`tools/walks.js: ${problem} ${stop}; name the stop that takes its place`);
}

/**
 * @param {Graph} graph
 * @returns {Map<string, Set<string>>} who refers to each declaration
 */
function reversed(graph) {
  const back = new Map([...graph.keys()].map((id) => [id, new Set()]));
  for (const [id, { to }] of graph) for (const target of to) back.get(target)?.add(id);
  return back;
}

/** @type {(graph: Graph, entries: string[]) => Set<string>} */
function reached(graph, entries) {
  const seen = new Set(entries);
  for (const id of seen)
    for (const target of graph.get(id)?.to ?? []) if (graph.has(target)) seen.add(target);
  return seen;
}

/**
 * @param {Surroundings} map
 * @param {string} from
 * @param {string} to
 * @returns {string[]} the shortest way: up through callers, then down through what is called
 */
function chain({ graph, back, known }, from, to) {
  /** @type {{ id: string, isDown: boolean, way: string[] }[]} */
  const queue = [{ id: from, isDown: false, way: [from] }];
  const seen = new Set();
  for (const { id, isDown, way } of queue) {
    if (id === to) return way;
    const next = [
      ...(isDown ? [] : [...(back.get(id) ?? [])].map((target) => ({ target, isDown: false }))),
      ...[...(graph.get(id)?.to ?? [])].map((target) => ({ target, isDown: true })),
    ];
    for (const step of next) {
      const state = `${step.isDown} ${step.target}`;
      if (!known.has(step.target) || seen.has(state)) continue;
      seen.add(state);
      queue.push({ id: step.target, isDown: step.isDown, way: [...way, step.target] });
    }
  }
  throw new Error(`tools/walks.js: no way leads from ${from} to ${to}`);
}

/** @type {(walks: ReturnType<typeof walksOf>) => string} */
export function asMarkdown(walks) {
  const counts = walks.map(
    ({ title, goal, count, files }) => `| ${title} | ${goal} | ${count} | ${files.length} |`,
  );
  const tables = walks.flatMap(({ title, files }) => [
    '',
    `## ${title[0]?.toUpperCase()}${title.slice(1)}`,
    '',
    '| file | declarations on the walk | names |',
    '| --- | --- | --- |',
    ...files.map(({ file, on, names }) => `| ${file} | ${on.join(', ')} | ${names.join(', ')} |`),
  ]);
  return [
    '# Five walks through `scripts/`',
    '',
    'Written by `npm run walks`; `tools/walks.js` says how a file counts.',
    '',
    '| walk | goal | files that name the value | files on the walk |',
    '| --- | ---: | ---: | ---: |',
    ...counts,
    ...tables,
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2).filter((word) => word !== '--write');
  const text = asMarkdown(walksOf(folder));
  if (process.argv.includes('--write')) writeFileSync(OUTPUT, text);
  else process.stdout.write(text);
}
