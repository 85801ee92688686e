/**
 * The routes that a Node server registered, by what its frameworks keep in memory.
 * @import { Inside } from './observers.js'
 */

import { fileURLToPath } from 'node:url';
import { preload } from './preload-channel.js';

const MODULE = fileURLToPath(new URL('./registered-routes-preload.cjs', import.meta.url));
/** Of pages, lists and logins. */
const METHODS = /^(get|post)$/i;
/** answerMs: a large heap is searched for seconds. */
const CHANNEL = { variable: 'PERF_ACTION_ROUTES', longest: 2 ** 22, answerMs: 20_000, isAnswer };

/**
 * The method in capitals; guard: a function before it.
 * @typedef {{ method: string, path: string, body?: string, guard?: string }} Registered
 */

/**
 * routes: of all its processes, each once; some may answer nowhere.
 * @returns {Promise<Inside & { routes: () => Promise<Registered[]> }>}
 */
export async function enterRoutes() {
  const { take, ...inside } = await preload(MODULE, CHANNEL);
  const routes = async () => {
    const all = (await take())
      .flatMap((answer) => answer ?? [])
      .filter(({ method, path }) => METHODS.test(method) && !path.includes('*'));
    const unique = new Map();
    for (const { method, path, ...route } of all) {
      const named = { method: method.toUpperCase(), path: `/${path}`.replace(/\/+/g, '/'), ...route };
      const key = `${named.method} ${named.path}`;
      if (!unique.get(key)?.guard) unique.set(key, named);
    }
    return [...unique.values()];
  };
  return { ...inside, routes };
}

/** @type {(answer: any) => answer is Registered[]} */
function isAnswer(answer) {
  return (
    Array.isArray(answer) &&
    answer.every(({ path, method }) => typeof path === 'string' && typeof method === 'string')
  );
}
