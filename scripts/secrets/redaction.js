/**
 * The means of a run that has secrets: they are sent as they are, and told by their placeholders.
 * @import { Plan } from '../types.js'
 * @import { Means } from '../run/dependencies.js'
 */

import { concealing, knownSecrets, reveal, revealRequest } from './secrets.js';

/**
 * @param {Means} means
 * @param {Pick<Plan, 'sides' | 'cases'>} plan
 * @param {NodeJS.ProcessEnv} env the caller's, which `${NAME}` speaks of
 * @returns {Means}
 */
export function discreetMeans(means, { sides, cases }, env) {
  const conceal = concealing(knownSecrets(sides, cases, env));
  const concealAll = (/** @type {string[]} */ lines) => lines.map(conceal);
  /** @template T @param {Promise<T>} work @returns {Promise<T>} */
  const discreetly = (work) =>
    work.catch((error) => {
      const { message, logHead, logTail, command } = error;
      throw Object.assign(error, {
        message: conceal(message),
        ...(logHead && { logHead: concealAll(logHead) }),
        ...(logTail && { logTail: concealAll(logTail) }),
        ...(command !== undefined && { command: conceal(command) }),
      });
    });
  /** @template {Parameters<Means['load']>[0] | Parameters<Means['weave']>[0][number]} T @param {T} target */
  const revealed = (target) => ({ ...target, request: revealRequest(target.request, env) });
  return {
    ...means,
    prepare: (server, options) => discreetly(means.prepare(server, options)),
    async boot({ ready, ...server }, options) {
      const own = { ...server, ready: { ...ready, path: reveal(ready.path, env) } };
      const instance = await discreetly(means.boot(own, options));
      const { front } = instance;
      return {
        ...instance,
        ...(front && { front: { ...front, logTail: () => concealAll(front.logTail()) } }),
        command: conceal(instance.command),
        logHead: () => concealAll(instance.logHead()),
        logTail: () => concealAll(instance.logTail()),
      };
    },
    verify: (instance, routes, options) =>
      discreetly(
        means.verify(
          instance,
          routes.map((route) => revealRequest(route, env)),
          options,
        ),
      ),
    load: (target) => discreetly(means.load(revealed(target))),
    weave: (targets, signal) => discreetly(means.weave(targets.map(revealed), signal)),
  };
}
