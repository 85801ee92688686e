/** A real server, started with what observers or profilers put into it. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startServer } from '../../scripts/deploy/start/start-server.js';
import { startWindow } from '../../scripts/observe/observe.js';
import { scratchFolder } from '../scratch.js';

/**
 * @import { Inside } from '../../scripts/observe/observers.js'
 * @import { Server } from '../../scripts/types.js'
 */

/**
 * @template T
 * @param {Pick<Server, 'runtime' | 'start'> & Partial<Server> & { files: Record<string, string>, inside:
 *   Inside[] }} server
 * @param {(instance: Awaited<ReturnType<typeof startServer>>, begin: () => ReturnType<typeof startWindow>) =>
 *   Promise<T>} use begin: starts a window
 */
export async function withObserved({ files, inside, ...server }, use) {
  const folder = join(scratchFolder(), 'with a space');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const instance = await startServer(
    {
      id: 'app',
      name: 'app',
      folder,
      env: {},
      needs: [],
      ready: { path: '/ready', timeoutSeconds: 120 },
      routes: [{ id: '/', method: 'GET', path: '/', headers: {}, expect: { status: 200 } }],
      ...server,
    },
    { signal: new AbortController().signal, inside },
  );
  try {
    return await use(instance, () => startWindow(instance.pid, { runtime: server.runtime, inside }));
  } finally {
    await instance.stop();
    for (const observer of inside) await observer.stop();
  }
}
