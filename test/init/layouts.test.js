/** Where servers lie in a repository: in workspaces, beside other programs, and in folders of any name. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relevantServers } from '../../scripts/plan/relevant.js';
import { found } from './found.js';

const LISTENS = 'app.listen(process.env.PORT);';
const EXPRESS = { dependencies: { express: '5' } };

test("a workspace below the repository's root, with what its patterns leave out", () => {
  const { servers } = found({
    'backend/package.json': {},
    'backend/pnpm-workspace.yaml':
      "packages: ['apps/**', libs/*/, '!**/old/**']\nonlyBuiltDependencies:\n  - '!apps/*'\n",
    'backend/pnpm-lock.yaml': '',
    'backend/.env.example': 'MODE=fast\n',
    'backend/libs/log/package.json': { name: 'log', scripts: { build: 'tsc' } },
    'backend/apps/api/package.json': { name: 'api', dependencies: { express: '5', log: '*' } },
    'backend/apps/api/index.js': `use(process.env.MODE);\n${LISTENS}`,
    'backend/apps/old/web/package.json': { name: 'web', ...EXPRESS },
    'backend/apps/old/web/index.js': LISTENS,
  });
  assert.deepEqual(
    servers.map(({ id, install, build, paths, tries }) => ({
      id,
      install,
      build,
      mode: tries.settings.values.MODE,
      paths,
    })),
    [
      {
        id: 'api',
        install: 'pnpm install --frozen-lockfile',
        build: '(cd ../../libs/log && pnpm run build)',
        mode: 'fast',
        paths: [
          'backend/apps/api/**',
          'backend/libs/log/**',
          'backend/package.json',
          'backend/pnpm-lock.yaml',
        ],
      },
      {
        id: 'web',
        install: 'npm install --no-audit --no-fund',
        build: undefined,
        mode: undefined,
        paths: [],
      },
    ],
  );
});

test('folders whose names are patterns or have spaces', () => {
  const { servers, planned } = found({
    'package.json': { workspaces: ['apps/*', 'my libs/*'] },
    'my libs/log/package.json': { name: 'log', scripts: { build: 'tsc' } },
    'apps/[shop]/package.json': { name: 'web', dependencies: { express: '5', log: '*' } },
    'apps/[shop]/the server.js': LISTENS,
    'apps/s/package.json': { name: 's', ...EXPRESS },
    'apps/s/index.js': LISTENS,
  });
  const [web] = servers;
  assert.equal(web?.start, "node 'the server.js'");
  assert.equal(web?.build, "(cd '../../my libs/log' && npm run build)");
  const changedBy = (/** @type {string} */ file) =>
    relevantServers({ servers: planned, ignore: [] }, [file]).map(({ id }) => id);
  assert.deepEqual(changedBy('apps/[shop]/the server.js'), ['web']);
  assert.deepEqual(changedBy('apps/s/index.js'), ['s']);
});

test('programs of one Go module get a binary each', () => {
  const program = (/** @type {string} */ name, /** @type {string} */ path) => ({
    [`services/${name}/cmd/server/main.go`]: `package main\n\nimport "example.com/shop/services/${name}/http"\n\nfunc main() {\n\tListenAndServe(":"+os.Getenv("PORT"), http.Mux())\n}`,
    [`services/${name}/http/http.go`]: `package http\n\nfunc Mux() {\n\tmux.HandleFunc("GET ${path}", all)\n}`,
  });
  const { servers } = found({
    'go.mod': 'module example.com/shop\n',
    ...program('orders', '/orders'),
    ...program('my users', '/users'),
  });
  assert.deepEqual(
    servers.map(({ id, build, start }) => ({ id, build, start })),
    [
      {
        id: 'server',
        build: "go build -o bin/services-my-users-cmd-server './services/my users/cmd/server'",
        start: './bin/services-my-users-cmd-server',
      },
      {
        id: 'server-2',
        build: 'go build -o bin/services-orders-cmd-server ./services/orders/cmd/server',
        start: './bin/services-orders-cmd-server',
      },
    ],
  );
});
