/**
 * What GitHub and the manual make us repeat, written from the tables: `npm run generate` writes it, and
 * `npm run generate -- --check` names the files that do not say what the tables say.
 */

import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { SERVER_SCHEMA } from '../scripts/catalog/catalog.js';
import { CONFIG_SCHEMA } from '../scripts/config/layers.js';
import { helpText } from '../scripts/config/options.js';
import {
  ACTION_INPUTS,
  COMMENT_INPUTS,
  INPUTS,
  OPTION_INPUTS,
  WORKFLOW_INPUTS,
} from '../scripts/github/contract/inputs.js';
import { OUTPUTS } from '../scripts/github/contract/outputs.js';
import { withDimensions } from './load-schema.js';
import { rowsOf } from './manual.js';
import { presetRows } from './presets.js';
import { storedTypes } from './stored-types.js';

/** @typedef {import('../scripts/github/contract/inputs.js').Input} Input */

/** Inputs of the action that no caller of the workflow gives. */
const NOT_HANDED_ON = ['shard', 'github-token'];
const HANDED_ON = INPUTS.filter(({ name }) => !NOT_HANDED_ON.includes(name));
const PERF_YML = withDimensions(CONFIG_SCHEMA);

/** By step and name. */
const ACTION_OUTPUTS = [
  ...['run.verdict', 'run.results-path', 'run.report-path', 'run.cases'],
  ...['comment.comment-url', 'baseline.baseline-path'],
];

const STORED_SCHEMAS = Object.fromEntries(
  ['run', 'comparison', 'bisection', 'soak', 'past-run'].map((name) => {
    const file = new URL(`../scripts/store/${name}.schema.json`, import.meta.url);
    return [`perf-action/${name}@1`, JSON.parse(readFileSync(file, 'utf8'))];
  }),
);

/**
 * Each file's parts: from the line that `from` ends to the one that `to` begins.
 * @type {Record<string, { from: string, to: string, lines: string[] }[]>}
 */
const PARTS = {
  'action.yml': [
    { from: '\ninputs:\n', to: '\noutputs:\n', lines: INPUTS.flatMap(actionInput) },
    { from: '\noutputs:\n', to: '\nruns:\n', lines: ACTION_OUTPUTS.flatMap((output) => outputOf(output)) },
  ],
  '.github/workflows/perf.yml': [
    {
      from: '\n    inputs:\n',
      to: '      artifact:\n',
      lines: [
        ...[...WORKFLOW_INPUTS, ...HANDED_ON].flatMap(workflowInput),
        ...outputsOf('report', ['merge.verdict', 'comment.comment-url']),
      ],
    },
  ],
  '.github/workflows/perf-comment.yml': [
    {
      from: '\n    inputs:\n',
      to: '\njobs:\n',
      lines: [
        ...['comment-key', 'working-directory', 'config', 'margin', 'fail-on', 'sha', 'action-ref'].flatMap(
          workflowInputOf,
        ),
        ...outputsOf('comment', ['receive.comment-url']),
      ],
    },
  ],
  '.github/workflows/perf-ask.yml': [
    {
      from: '\n    inputs:\n',
      to: '\njobs:\n',
      lines: [...workflowInputOf('action-ref'), ...outputsOf('ask', ['ask.options', 'ask.sha', 'ask.base'])],
    },
  ],
  'docs/perf-yml.md': [keysOf('perf.yml', PERF_YML), keysOf('server.yml', SERVER_SCHEMA)],
  'docs/presets.md': [
    {
      from: '<!-- presets -->\n\n',
      to: '<!-- end -->',
      lines: ['| preset | asks | minutes | needs |', '| --- | --- | ---: | --- |', ...presetRows(), ''],
    },
  ],
  'docs/inputs.md': [
    {
      from: '<!-- option inputs -->\n\n',
      to: '<!-- end -->',
      lines: [OPTION_INPUTS.map(({ name }) => `\`${name}\``).join(', '), ''],
    },
    { from: '<!-- action inputs -->\n\n', to: '<!-- end -->', lines: [...tableOf(ACTION_INPUTS), ''] },
    {
      from: '<!-- outputs -->\n\n',
      to: '<!-- end -->',
      lines: [
        '| output | contains |',
        '| --- | --- |',
        ...ACTION_OUTPUTS.map(rowOf).map(({ name, help }) => `| \`${name}\` | ${help} |`),
        '',
      ],
    },
    { from: '<!-- workflow inputs -->\n\n', to: '<!-- end -->', lines: [...tableOf(WORKFLOW_INPUTS), ''] },
  ],
};

/**
 * @param {string} name
 * @param {object} schema
 * @param {object} root of the schema's file, which its references are relative to
 */
function keysOf(name, schema, root = schema) {
  const find = (/** @type {string} */ ref) => {
    const [file, place = ''] = ref.split('#');
    /** @type {any} */
    const whole = file === '' ? root : SERVER_SCHEMA;
    return place.split('/').reduce((inside, part) => (part === '' ? inside : inside[part]), whole);
  };
  const lines = [`| ${name} | default | means |`, '| --- | --- | --- |', ...rowsOf(schema, find), ''];
  return { from: `<!-- keys of ${name} -->\n\n`, to: '<!-- end -->', lines };
}

const SCHEMA = 'scripts/config/config.schema.json';
const STORED = 'scripts/generated/stored.d.ts';

/**
 * @param {string} root of a checkout
 * @returns {Promise<{ file: string, text: string, isStale: boolean }[]>} the files as they have to be
 */
export async function generated(root) {
  const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8');
  const texts = Object.entries(PARTS).map(([file, parts]) => [file, parts.reduce(replaced, read(file))]);
  const schema = JSON.stringify(withDimensions(JSON.parse(read(SCHEMA))));
  const style = await resolveConfig(join(root, SCHEMA));
  const all = [
    ...texts,
    [SCHEMA, await format(schema, { ...style, parser: 'json' })],
    [STORED, await format(storedTypes(STORED_SCHEMAS), { ...style, parser: 'typescript' })],
  ];
  return all.map(([file = '', text = '']) => ({ file, text, isStale: text !== read(file) }));
}

/**
 * @param {string} text
 * @param {{ from: string, to: string, lines: string[] }} part
 */
function replaced(text, { from, to, lines }) {
  const [before, after = ''] = text.split(from);
  if (!after.includes(to))
    throw new Error(`there is no ${JSON.stringify(from)} with ${JSON.stringify(to)} after it`);
  return `${before}${from}${lines.join('\n')}\n${after.slice(after.indexOf(to))}`;
}

/**
 * @param {Input} input GitHub fills in a declared default, where expressions read it
 * @returns {string[]}
 */
function actionInput({ declared, ...input }) {
  const description = declared ? input.help : helpText(input);
  return [
    `  ${input.name}:`,
    `    description: ${quoted(description)}`,
    ...(declared ? [`    default: ${quoted(input.default ?? '')}`] : []),
  ];
}

/** @type {(input: Input) => string[]} */
function workflowInput({ declared, ...input }) {
  return [
    `      ${input.name}:`,
    `        description: ${quoted(declared ? input.help : helpText(input))}`,
    '        type: string',
    `        default: ${quoted((declared && input.default) || '')}`,
  ];
}

/** @param {string} name */
function workflowInputOf(name) {
  return [...INPUTS, ...WORKFLOW_INPUTS, ...COMMENT_INPUTS]
    .filter((input) => input.name === name)
    .flatMap(workflowInput);
}

/** Those of a workflow. @type {(job: string, outputs: string[]) => string[]} */
function outputsOf(job, outputs) {
  return ['    outputs:', ...outputs.flatMap((path) => outputOf(path, job).map((line) => `    ${line}`))];
}

/**
 * @param {string} path
 * @param {string} [job] of a workflow, which hands it on
 */
function outputOf(path, job) {
  const { step, name, help } = rowOf(path);
  const value = `\${{ ${job ? `jobs.${job}` : `steps.${step}`}.outputs.${name} }}`;
  return [`  ${name}:`, `    description: ${quoted(help)}`, `    value: ${value}`];
}

/** @param {string} path step and name of an output */
function rowOf(path) {
  const [step = '', name = ''] = path.split('.');
  return { step, name, help: Object(OUTPUTS)[step][name] };
}

/**
 * @param {string} text
 * @returns {string} as YAML, in the quotes that Prettier chooses
 */
function quoted(text) {
  return text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text.replaceAll("'", "''")}'`;
}

/** @type {(inputs: readonly Input[]) => string[]} */
function tableOf(inputs) {
  return [
    '| input | default | means |',
    '| --- | --- | --- |',
    ...inputs.map(({ name, help, default: standard, otherwise = standard && `\`${standard}\`` }) => {
      return `| \`${name}\` | ${otherwise ?? ''} | ${help} |`;
    }),
  ];
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../', import.meta.url));
  const stale = (await generated(root)).filter(({ isStale }) => isStale);
  const isCheck = process.argv.includes('--check');
  if (!isCheck) for (const { file, text } of stale) writeFileSync(join(root, file), text);
  for (const { file } of stale)
    process.stdout.write(isCheck ? `${file} is out of date; run: npm run generate\n` : `wrote ${file}\n`);
  if (isCheck && stale.length > 0) process.exitCode = 1;
}
