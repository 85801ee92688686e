/** @import { Runtime } from '../runtimes.js' */

import { fileURLToPath } from 'node:url';
import { preloading } from '../../system/process/allowed-environment.js';

const NPM = {
  run: 'npm run',
  add: 'npm install --save-exact --no-audit --no-fund',
  pack: 'npm pack --pack-destination {}',
};
const PNPM = { run: 'pnpm run', add: 'pnpm add --save-exact', pack: 'pnpm pack --pack-destination {}' };
const YARN = { run: 'yarn run', add: 'yarn add --exact', pack: 'yarn pack --out {}/package.tgz' };
/** Yarn 1. */
const CLASSIC = { ...YARN, says: /# yarn lockfile v1/, pack: 'yarn pack --filename {}/package.tgz' };
const BUN = { run: 'bun run', add: 'bun add --exact', pack: 'bun pm pack --destination {}' };

const DOWNLOAD =
  'npm install --prefix=. --save-exact --ignore-scripts=false --no-audit --no-fund --loglevel=error';

const PLANTED_WORK = fileURLToPath(new URL('./planted-work.cjs', import.meta.url));

/** @type {Runtime} */
export const node = {
  label: 'Node',
  cores: 1,
  plant:
    async () =>
    ({ us }) => ({ ...preloading([PLANTED_WORK]), PLANTED_US: String(us) }),
  preload: fileURLToPath(new URL('./node-preload.cjs', import.meta.url)),
  movesPort: true,
  programs: { pnpm: 'corepack enable', yarn: 'corepack enable' },
  manifests: ['package.json'],
  requires: [{ file: 'package.json', says: /"engines"\s*:\s*\{[^}]*"node"\s*:\s*"([^"]+)/ }],
  packages: {
    manifest: 'package.json',
    locked: [
      { lock: 'package-lock.json', command: 'npm ci', ...NPM },
      { lock: 'npm-shrinkwrap.json', command: 'npm ci', ...NPM },
      { lock: 'pnpm-lock.yaml', command: 'pnpm install --frozen-lockfile', ...PNPM },
      { lock: 'yarn.lock', command: 'yarn install --frozen-lockfile', ...CLASSIC },
      { lock: 'yarn.lock', command: 'yarn install --immutable', ...YARN },
      { lock: 'bun.lock', command: 'bun install --frozen-lockfile', ...BUN },
      { lock: 'bun.lockb', command: 'bun install --frozen-lockfile', ...BUN },
    ],
    unlocked: { says: /"(dev)?dependencies"\s*:/i, command: 'npm install --no-audit --no-fund', ...NPM },
  },
  made: ['node_modules'],
  heap: {
    variable: 'NODE_OPTIONS',
    option: (bytes) => `--max-old-space-size=${Math.round(bytes / 2 ** 20)}`,
  },
  variables: (
    'NODE_ENV NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_USE_ENV_PROXY UV_THREADPOOL_SIZE NVM_DIR ' +
    'NVM_BIN VOLTA_HOME FNM_DIR FNM_MULTISHELL_PATH COREPACK_HOME COREPACK_ENABLE_* npm_config_* ' +
    'NPM_CONFIG_* PNPM_HOME YARN_* ELECTRON_* PUPPETEER_SKIP_DOWNLOAD'
  ).split(' '),
  version: {
    describe: ['-p', '`${process.versions.node}\\n${process.execPath}`'],
    bring: (version) => `${DOWNLOAD} node@${version}`.split(' '),
    program: 'node_modules/node/bin/node',
  },
};
