/**
 * Wraps the dependencies of a run so that secrets reach servers and load tools, but never logs or files.
 * @import { Plan } from '../types.js'
 * @import { Dependencies } from '../run/dependencies.js'
 */

import { concealing, knownSecrets, revealPath, revealRequest } from './secrets.js';

/** @param {Dependencies} dependencies @param {Pick<Plan, 'sides' | 'cases'>} plan @param {NodeJS.ProcessEnv} env the caller's @returns {Dependencies} */
export function withSecrets(dependencies, { sides, cases }, env) {
  const conceal = concealing(knownSecrets(sides, cases, env));
  const concealAll = (/** @type {string[]} */ lines) => lines.map(conceal);
  /** @template T @param {Promise<T>} work @returns {Promise<T>} */
  const redacted = (work) =>
    work.catch((error) => {
      const { message, logHead, logTail, command } = error;
      throw Object.assign(error, {
        message: conceal(message),
        ...(logHead && { logHead: concealAll(logHead) }),
        ...(logTail && { logTail: concealAll(logTail) }),
        ...(command !== undefined && { command: conceal(command) }),
      });
    });
  /** @template {Parameters<Dependencies['load']>[0] | Parameters<Dependencies['interleave']>[0][number]} T @param {T} target */
  const revealed = (target) => ({ ...target, request: revealRequest(target.request, env) });
  return {
    ...dependencies,
    prepare: (server, options) => redacted(dependencies.prepare(server, options)),
    async startServer({ ready, ...server }, options) {
      const own = { ...server, ready: { ...ready, path: revealPath(ready.path, env) } };
      const instance = await redacted(dependencies.startServer(own, options));
      const { proxy } = instance;
      return {
        ...instance,
        ...(proxy && { proxy: { ...proxy, logTail: () => concealAll(proxy.logTail()) } }),
        command: conceal(instance.command),
        logHead: () => concealAll(instance.logHead()),
        logTail: () => concealAll(instance.logTail()),
      };
    },
    verify(instance, routes, options) {
      const sent = routes.map((route) => revealRequest(route, env));
      return redacted(dependencies.verify(instance, sent, options));
    },
    load: (target) => redacted(dependencies.load(revealed(target))),
    interleave: (targets, signal) => redacted(dependencies.interleave(targets.map(revealed), signal)),
  };
}
