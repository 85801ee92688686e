/**
 * Wraps the dependencies of a run so that secrets reach servers and load tools, and are taken out of failures.
 * @import { Plan } from '../types.js'
 * @import { Dependencies } from '../run/dependencies.js'
 */

import { concealing, knownSecrets, revealPath, revealRequest } from './secrets.js';

/** @param {Dependencies} dependencies @param {Pick<Plan, 'sides' | 'cases'>} plan @param {NodeJS.ProcessEnv} env the caller's @returns {Dependencies} */
export function withSecrets(dependencies, { sides, cases }, env) {
  /** @template {Parameters<Dependencies['load']>[0] | Parameters<Dependencies['interleave']>[0][number]} T @param {T} target */
  const revealed = (target) => ({ ...target, request: revealRequest(target.request, env) });
  return {
    ...dependencies,
    conceal: concealing(knownSecrets(sides, cases, env)),
    startServer: ({ ready, ...server }, options) =>
      dependencies.startServer(
        { ...server, ready: { ...ready, path: revealPath(ready.path, env) } },
        options,
      ),
    verify(instance, routes, options) {
      const sent = routes.map((route) => revealRequest(route, env));
      return dependencies.verify(instance, sent, options);
    },
    load: (target) => dependencies.load(revealed(target)),
    interleave: (targets, signal) => dependencies.interleave(targets.map(revealed), signal),
  };
}
