/**
 * Wraps the dependencies of a run so that secrets reach servers and load tools, and are taken out of
 * failures. A server with a login is asked for its token once it has started; only this module holds tokens.
 * @import { Plan } from '../types.js'
 * @import { Target } from '../load/tools.js'
 * @import { Dependencies } from './dependencies.js'
 */

import { defined } from '../model/defined.js';
import { concealing, knownSecrets, revealPath, revealRequest, valuesOf } from '../secrets/secrets.js';
import { TOKEN } from '../secrets/variables.js';

/**
 * @type {(dependencies: Dependencies, plan: Pick<Plan, 'sides' | 'cases'>, env: NodeJS.ProcessEnv) =>
 *   Dependencies}
 */
export function withSecrets(dependencies, { sides, cases }, env) {
  /** Of the server at each address. @type {Map<string, string>} */
  const tokens = new Map();
  let concealTokens = concealing(new Map());
  const concealKnown = concealing(knownSecrets(sides, cases, env));
  const valuesAt = (/** @type {string} */ url) => ({ ...env, ...defined({ [TOKEN]: tokens.get(url) }) });
  /**
   * What was sent to both sides of a comparison, since data may be long.
   * @type {{ of: object, token: string | undefined, request: Target['request'] }[]}
   */
  let revealed = [];
  /**
   * @template {Pick<Target, 'request' | 'url'>} T
   * @param {T} target
   */
  const sent = ({ request: of, ...target }) => {
    const token = tokens.get(target.url);
    const known = revealed.find((each) => each.of === of && each.token === token);
    const { request } = known ?? { request: revealRequest(of, valuesAt(target.url)) };
    revealed = [{ of, token, request }, ...revealed.filter((each) => each !== known)].slice(0, 2);
    return { ...target, request };
  };
  return {
    ...dependencies,
    conceal: (text) => concealTokens(concealKnown(text)),
    async startServer({ ready, before, ...server }, options) {
      const path = revealPath(ready.path, valuesOf(env));
      const instance = await dependencies.startServer({ ...server, ready: { ...ready, path } }, options);
      tokens.delete(instance.url);
      // Starts that are only compared are sent no request.
      if (!before || options.onOneCore) return instance;
      try {
        const { id, token: at, ...request } = before;
        const login = { ...revealRequest(request, env), id, token: at };
        tokens.set(instance.url, await dependencies.logIn(instance, login, options.signal));
      } catch (error) {
        await instance.stop();
        throw Object.assign(/** @type {Error} */ (error), { command: instance.command });
      }
      concealTokens = concealing(new Map([...tokens.values()].map((value) => [value, `\${${TOKEN}}`])));
      return instance;
    },
    verify(instance, routes, options) {
      const values = valuesAt(instance.url);
      const sentRoutes = routes.map((route) => revealRequest(route, values));
      return dependencies.verify(instance, sentRoutes, options);
    },
    load: (target) => dependencies.load(sent(target)),
    interleave: (targets, signal) => dependencies.interleave(targets.map(sent), signal),
  };
}
