/** What each step of the action and of its workflows hands on. */

/** Of the step that measures, or that merges what several machines measured. */
const MEASURED = /** @type {const} */ ({
  verdict: 'regressed, improved, same, unsure or failed; empty if nothing was compared',
  'results-path': 'a folder with copies of run.json, report.md, report.html and comparison.json',
  'report-path': 'the report as Markdown',
  cases: 'JSON: id, throughput, p99Ms of every case, with verdict, effectPct and ciPct where it was compared',
  code: 'the exit code of the run',
});

/** By step and name. `npm run generate` writes what callers read to action.yml, workflows, docs/inputs.md. */
export const OUTPUTS = /** @type {const} */ ({
  plan: {
    plan: 'the file with the configuration for the step that measures',
    out: 'the folder of results, without links',
    artifacts: 'whether this server keeps artifacts',
    sockets: 'the input',
    shard: 'the number of this machine, if it is one of several',
    part: 'that number, after the label of its kind where several kinds measure: arm@1',
    setups: 'the runtimes that a step of the action installs, as JSON',
    packages: 'the Debian packages to install',
  },
  guard: {
    environment: 'bash that leaves only variables which are safe, and names Node.js in `node`',
    node: 'the digests of Node.js and its libraries, for sha256sum',
    files: 'a digest by path, as JSON',
    changed: 'a program that prints the paths whose digest is another',
  },
  run: MEASURED,
  comment: {
    'comment-url': 'the comment; empty where none could be written',
    accepted: 'who accepted the regression',
  },
  baseline: {
    'baseline-path': 'where the run was kept as a baseline; empty where it was not',
    cache: "whether to save the job's cache",
  },
  gate: {},
  split: {
    machines: 'a matrix of labels of runners as JSON, ["ubuntu-latest"]',
    shards: 'a matrix of machines of one kind as JSON, [1,2]',
    count: 'how many machines of one kind measure',
    seed: 'the seed that they share',
  },
  merge: MEASURED,
  receive: { 'comment-url': 'the comment; empty where there was nothing to post' },
  ask: {
    options: 'what was asked for, by the names of the inputs, as JSON; empty where no run is to start',
    sha: "the pull request's head when the run was asked for",
    base: 'the commit it branched off',
  },
});

/** @typedef {{ env: NodeJS.ProcessEnv, cwd: string, signal: AbortSignal }} Context */

/**
 * Undefined: it has no value.
 * @template {keyof typeof OUTPUTS} Name
 * @typedef {Record<keyof typeof OUTPUTS[Name], string | undefined>} Outputs
 */

/**
 * It throws UserErrors.
 * @template {keyof typeof OUTPUTS} Name
 * @typedef {(context: Context) => Promise<Outputs<Name> | undefined>} Step
 */
