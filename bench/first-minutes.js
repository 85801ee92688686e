/**
 * The first minutes with a repository, step by step: init, doctor, run, and a run against the commit before,
 * with no edit in between.
 */

import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commitAll, copyRepository } from './copy-repository.js';

const CLI = fileURLToPath(new URL('../scripts/cli.js', import.meta.url));
const REPOSITORIES = fileURLToPath(new URL('../test/repositories', import.meta.url));
/** A build or a download may take this long. */
const LONGEST_MS = 20 * 60_000;

/**
 * Each shows one shape. change: the file that gets a comment; quick: installs and starts in seconds; ignored:
 * what lies in its author's folder and not in git; budget: the least of a comparison where a JVM warms up,
 * whose rounds take a minute each.
 * @typedef {{ shape: string, change: string, quick?: true, ignored?: Record<string, string>,
 *   budget?: string }} Shape
 */

/** @type {Record<string, Shape>} */
export const SHAPES = {
  'express-routers': { shape: 'Express, routers in routers', change: 'routes/items.js' },
  'fastify-plugins': { shape: 'Fastify, a plugin with a prefix', change: 'src/items.js' },
  'koa-no-start': { shape: 'Koa, no start script, app.mjs listens', change: 'app.mjs' },
  'hono-base-path': { shape: 'Hono, a base path', change: 'src/books.js' },
  polka: { shape: 'Polka', change: 'index.js' },
  trpc: { shape: 'tRPC, its own server', change: 'server.js' },
  'graphql-yoga': { shape: 'GraphQL, Yoga', change: 'index.js' },
  nest: { shape: 'NestJS, built, a global prefix', change: 'src/cats.controller.ts' },
  next: { shape: 'Next.js', change: 'app/page.jsx' },
  'fixed-port': { shape: 'listen(PORT) written down', change: 'app.js', quick: true },
  'settings-example': { shape: '.env.example, a secret', change: 'server.js' },
  'settings-ignored': {
    shape: '.env, ignored by git',
    change: 'server.js',
    quick: true,
    ignored: { '.env': 'GREETING=hello\n' },
  },
  typescript: { shape: 'TypeScript, built', change: 'src/main.ts' },
  workspace: { shape: 'npm workspace with siblings', change: 'packages/money/index.js' },
  'start-script-only': { shape: 'a start script of nobody knows what', change: 'serve.sh', quick: true },
  'postgres-parts': { shape: 'PostgreSQL, given in parts', change: 'server.js' },
  'mysql-address': { shape: 'MySQL', change: 'server.js' },
  'redis-compose': { shape: "docker-compose.yml's Redis", change: 'server.js', quick: true },
  fastapi: { shape: 'FastAPI', change: 'app/main.py' },
  'flask-factory': { shape: 'Flask, a factory and a blueprint', change: 'shop/items.py' },
  django: { shape: 'Django', change: 'items/views.py' },
  'go-service': { shape: 'Go, a client beside it', change: 'cmd/server/main.go' },
  'spring-two-builds': {
    shape: 'Spring Boot, Maven and Gradle',
    change: 'src/main/java/shop/Items.java',
    budget: '4m',
  },
  quarkus: { shape: 'Quarkus', change: 'src/main/java/shop/Items.java', budget: '4m' },
};

/**
 * code: how it ended; outcome: in one line; seconds: how long it took.
 * @typedef {{ step: 'init' | 'doctor' | 'run' | 'against', code: number, outcome: string, seconds: number }}
 *   Step
 */

/**
 * @param {string} name of a shape
 * @param {{ scratch: string, run: string[], against: string[] }} options run, against: arguments of the two
 *   runs
 * @returns {Promise<Step[]>} up to the first that failed
 */
export async function firstMinutes(name, { scratch, run, against }) {
  const { change, ignored = {} } = /** @type {Shape} */ (SHAPES[name]);
  const top = copyRepository(join(REPOSITORIES, name), scratch);
  for (const [file, text] of Object.entries(ignored)) writeFileSync(join(top, file), text);
  /** @type {{ step: Step['step'], args: string[], tell: (printed: string) => string }[]} */
  const plan = [
    { step: 'init', args: ['init'], tell: foundIn },
    { step: 'doctor', args: ['doctor'], tell: (printed) => /^✓ perf\.yml: +(.*)$/m.exec(printed)?.[1] ?? '' },
    { step: 'run', args: ['run', ...run], tell: () => figuresOf(top) },
    { step: 'against', args: ['run', '--against', 'HEAD~1', ...against], tell: () => verdictsOf(top) },
  ];
  /** @type {Step[]} */
  const steps = [];
  for (const { step, args, tell } of plan) {
    if (step === 'against') {
      commitAll(top);
      comment(join(top, change));
      commitAll(top);
    }
    const startedAt = performance.now();
    const { code, stdout, stderr } = await perfAction(top, scratch, args);
    const outcome = code === 0 ? tell(stdout) : complaint(stdout, stderr);
    steps.push({ step, code, outcome, seconds: (performance.now() - startedAt) / 1000 });
    if (code !== 0) break;
  }
  return steps;
}

/** With what is left to do. @param {string} printed */
function foundIn(printed) {
  return (printed.match(/^found .*| +to do: .*/gm) ?? []).join(';');
}

/** @param {string} file */
function comment(file) {
  const sign = ['.py', '.sh'].includes(extname(file)) ? '#' : '//';
  writeFileSync(file, `${readFileSync(file, 'utf8')}${sign} A comment.\n`);
}

/** @param {string} top */
function figuresOf(top) {
  /** @type {import('../scripts/types.js').Run} */
  const { cases } = JSON.parse(readFileSync(join(top, 'perf-results/run.json'), 'utf8'));
  const measured = cases.filter(({ reference }) => !reference);
  return measured
    .map(({ server, route, summary }) => `${server} ${route} ${Math.round(summary?.throughput ?? 0)}/s`)
    .join(', ');
}

/** @param {string} top */
function verdictsOf(top) {
  /** @type {import('../scripts/types.js').Comparison} */
  const { cases } = JSON.parse(readFileSync(join(top, 'perf-results/comparison.json'), 'utf8'));
  return cases
    .map(({ id, verdict, only }) => `${id}: ${only ? `on the ${only}'s side only` : verdict}`)
    .join(', ');
}

/** The line that says why. @type {(stdout: string, stderr: string) => string} */
function complaint(stdout, stderr) {
  const lines = `${stderr}\n${stdout}`.split('\n').map((line) => line.trim());
  return (
    lines.find((line) => /^(perf-action:|✗)/.test(line)) ??
    lines.find((line) => /failed|could not|does not|ended|never/i.test(line)) ??
    lines.find(Boolean) ??
    ''
  );
}

/**
 * With an empty cache, except for the downloads of package managers.
 * @param {string} cwd
 * @param {string} scratch
 * @param {string[]} args
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
function perfAction(cwd, scratch, args) {
  const { DATABASE_URL: _, MYSQL_URL: __, REDIS_URL: ___, ...inherited } = process.env;
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const env = {
    ...inherited,
    XDG_CACHE_HOME: join(scratch, '.cache'),
    PIP_CACHE_DIR: process.env.PIP_CACHE_DIR ?? join(cache, 'pip'),
    GOCACHE: process.env.GOCACHE ?? join(cache, 'go-build'),
  };
  return new Promise((resolve) => {
    const options = { cwd, env, maxBuffer: 2 ** 26, timeout: LONGEST_MS };
    execFile(process.execPath, [CLI, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}
