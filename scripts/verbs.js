/** The table of commands: their options and the module that runs each. @import { Io } from './main.js' */

import { INPUTS } from './github/contract/inputs.js';
import { helpText, OPTIONS, optionsOf } from './config/options.js';

/**
 * @typedef {object} Option
 * @property {'string' | 'boolean'} type
 * @property {boolean} [multiple] it may be given several times
 * @property {true} [negatable] `--no-NAME` turns it off
 * @property {string} [group] where help prints it
 * @property {string} help
 */

/**
 * A command returns the exit code. examples: arguments; words: it takes arguments besides options.
 * @typedef {{ values: import('./types.js').Asked, positionals: string[] }} Arguments
 * @typedef {(args: Arguments, io: Io) => Promise<number>} Command
 * @typedef {{ usage: string, does: string, examples?: string[], options: Record<string, Option>,
 *   words?: true, run: Command }} Verb
 */

const JSON_OPTION = { type: /** @type {const} */ ('boolean'), help: 'print JSON instead of text' };

/** @type {(help: string) => Option} */
const value = (help) => ({ type: 'string', help });

/** @type {(rows: readonly import('./config/options.js').Option[]) => Record<string, Option>} */
function flags(rows) {
  return Object.fromEntries(
    rows.map((option) => [
      option.name,
      {
        type: option.kind === 'boolean' || option.kind === 'switch' ? 'boolean' : 'string',
        ...(option.kind === 'switch' && { negatable: true }),
        group: option.everyday ? 'everyday' : (option.group ?? 'load'),
        help: helpText(option),
      },
    ]),
  );
}

/** Of a command that only judges. */
const JUDGING = ['config', 'margin', 'fail-on', 'json'];

/** Each command imports only what it needs, to start sooner. @type {Record<string, Verb>} */
export const VERBS = {
  init: {
    usage: 'init [ID...]',
    does: 'writes perf.yml and a workflow for the servers of this repository, or for those with the given ids; overwrites nothing',
    options: {
      start: {
        type: 'boolean',
        negatable: true,
        help: 'installs, starts and asks the servers in a copy, to find routes, settings and services (default: yes)',
      },
      json: JSON_OPTION,
    },
    words: true,
    run: async (args, io) => (await import('./cli/init-command.js')).init(args, io),
  },
  run: {
    usage: 'run [options]',
    does: 'measures, and compares if there is a baseline or --against',
    examples: ['--preset quick', '--against main', '--against main --routes /me,/orders --budget 10m'],
    options: flags(OPTIONS),
    run: async (args, io) => (await import('./cli/measuring-commands.js')).run(args, io),
  },
  plan: {
    usage: 'plan [options of run]',
    does: 'prints cases, order and estimated time; starts nothing, unless --touched asks for it',
    options: {
      touched: {
        type: 'boolean',
        help: 'starts both sides of Node servers once and says which routes execute changed code; needs --against',
      },
      ...flags(optionsOf('plan')),
    },
    run: async (args, io) => (await import('./cli/measuring-commands.js')).plan(args, io),
  },
  compare: {
    usage: 'compare --base RUN|FOLDER --head RUN',
    does: 'judges a run file against another one, or against a folder of stored runs',
    options: {
      base: value('the run file to compare with, or a folder of stored runs'),
      head: value('the run file to judge'),
      ...flags(OPTIONS.filter(({ name }) => JUDGING.includes(name))),
    },
    words: true,
    run: async (args, io) => (await import('./cli/compare-command.js')).compareRuns(args, io),
  },
  bisect: {
    usage: 'bisect GOOD BAD [options of run]',
    does: 'finds the commit between two that made a server slower',
    options: {
      packages: {
        type: 'boolean',
        help: 'finds the package instead, among those whose versions in package-lock.json differ between the two',
      },
      resume: value('the results folder of an interrupted search to finish; takes no other options'),
      ...flags(optionsOf('bisect')),
    },
    words: true,
    run: async (args, io) => (await import('./cli/measuring-commands.js')).bisect(args, io),
  },
  prove: {
    usage: 'prove [options of run]',
    does: 'plants work into a Node or Java server of yours, from outside, and says whether a run finds it; exit code 1: it was not found',
    options: {
      by: value('how much more CPU each request costs (default: 5%)'),
      ...flags(optionsOf('prove')),
    },
    run: async (args, io) => (await import('./cli/measuring-commands.js')).prove(args, io),
  },
  soak: {
    usage: 'soak [options of run]',
    does: 'loads one Node server with pauses and says whether its memory leaks, and with what it grows; exit code 1: it leaks',
    options: { for: value('how long, at least 2m (default: 10m)'), ...flags(optionsOf('soak')) },
    run: async (args, io) => (await import('./cli/measuring-commands.js')).soak(args, io),
  },
  report: {
    usage: 'report RUN|FOLDER | --history FOLDER|BRANCH',
    does: 'renders a run with its comparison, or the trend of stored runs',
    options: {
      comparison: value('the comparison.json to include (default: the one beside the run)'),
      history: value(
        'the folder of stored runs, or the branch of the remote "origin", whose trend is rendered',
      ),
      format: value('md, html, json or, for a run, benchmark-action (default: md)'),
      json: { type: 'boolean', help: 'the same as --format json' },
    },
    words: true,
    run: async (args, io) => (await import('./cli/report-command.js')).report(args, io),
  },
  merge: {
    usage: 'merge RUN... --out FILE',
    does: 'joins the shards of a run',
    options: { out: value('the file to write'), json: JSON_OPTION },
    words: true,
    run: async (args, io) => (await import('./cli/merge-command.js')).merge(args, io),
  },
  baseline: {
    usage: 'baseline save RUN | list | show FILE',
    does: 'stores, lists and shows runs',
    options: {
      dir: value('the folder of baselines (default: baselines)'),
      branch: value('stores them on this branch of the remote "origin" instead, like perf-baselines'),
      keep: value('how many runs of the same cases to keep for each kind of machine (default: 20)'),
      json: JSON_OPTION,
    },
    words: true,
    run: async (args, io) => (await import('./cli/baseline-command.js')).baseline(args, io),
  },
  comment: {
    usage: 'comment [--dir DIR]',
    does: 'posts or updates the pull-request comment from a result folder',
    options: {
      dir: value('the result folder (default: perf-results)'),
      key: value('separates several comments on one pull request (default: perf)'),
      json: JSON_OPTION,
    },
    run: async (args, io) => (await import('./github/comment/post.js')).comment(args, io),
  },
  list: {
    usage: 'list',
    does: 'lists the catalogue: servers, routes, load tools, presets; says which servers cannot be built here',
    options: { json: JSON_OPTION },
    run: async (args, io) => (await import('./cli/list-command.js')).list(args, io),
  },
  doctor: {
    usage: 'doctor [--no-start]',
    does: 'says what this machine lacks and how to install it; checks perf.yml and the workflow, starts the servers, and says what they answer',
    options: {
      start: {
        type: 'boolean',
        negatable: true,
        help: 'installs, builds, starts and checks the servers, as run does (default: true)',
      },
      json: JSON_OPTION,
    },
    run: async (args, io) => (await import('./cli/doctor-command.js')).doctor(args, io, INPUTS),
  },
};
