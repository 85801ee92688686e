/**
 * Wraps the dependencies of a run so that secrets reach servers and load tools, and are taken out of failures.
 * @import { Plan } from '../types.js'
 * @import { Target } from '../load/tools.js'
 * @import { Dependencies } from '../run/dependencies.js'
 */

import { concealing, knownSecrets, revealPath, revealRequest, valuesOf } from './secrets.js';

/** @param {Dependencies} dependencies @param {Pick<Plan, 'sides' | 'cases'>} plan @param {NodeJS.ProcessEnv} env the caller's @returns {Dependencies} */
export function withSecrets(dependencies, { sides, cases }, env) {
  /** Each request is revealed once, since its data may be long. @type {WeakMap<object, Target['request']>} */
  const revealed = new WeakMap();
  /** @template {Pick<Target, 'request'>} T @param {T} target */
  const sent = (target) => {
    const request = revealed.get(target.request) ?? revealRequest(target.request, env);
    revealed.set(target.request, request);
    return { ...target, request };
  };
  return {
    ...dependencies,
    conceal: concealing(knownSecrets(sides, cases, env)),
    startServer: ({ ready, ...server }, options) =>
      dependencies.startServer(
        { ...server, ready: { ...ready, path: revealPath(ready.path, valuesOf(env)) } },
        options,
      ),
    verify(instance, routes, options) {
      const sentRoutes = routes.map((route) => revealRequest(route, env));
      return dependencies.verify(instance, sentRoutes, options);
    },
    load: (target) => dependencies.load(sent(target)),
    interleave: (targets, signal) => dependencies.interleave(targets.map(sent), signal),
  };
}
