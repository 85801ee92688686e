/**
 * Preloaded into Node servers, it sends the routes that they registered: it searches the objects of the
 * process, whatever loaded, bundled or mounted them, for the shapes in which frameworks keep routes.
 */
'use strict';

const { answerOn, inspector } = require('./preload-answers.cjs');

/** @typedef {{ method: string, path: string, body?: string, guard?: string }} Registered */

const GUARD = /require|user|admin|auth|guard|protect|token|jwt|login|verif|permi|role/i;
/** Where servers of tRPC mostly are. */
const TRPC_PLACES = ['', '/trpc', '/api/trpc'];
const GRAPHQL_PLACES = ['/graphql', '/', '/api/graphql'];

answerOn('PERF_ACTION_ROUTES', () => ({
  end(send) {
    const objects = objectsHere();
    send([...ofRouters(objects), ...objects.flatMap(ofObject)]);
  },
}));

/** Every object of this process. @returns {any[]} */
function objectsHere() {
  const { session, post } = inspector();
  const { result } = post('Runtime.evaluate', { expression: 'Object.prototype' });
  const { objects } = post('Runtime.queryObjects', { prototypeObjectId: result.objectId });
  const place = '__perfActionObjects';
  post('Runtime.callFunctionOn', {
    objectId: objects.objectId,
    functionDeclaration: `function () { globalThis.${place} = this; }`,
  });
  const all = Object(globalThis)[place];
  delete Object(globalThis)[place];
  session.disconnect();
  return all;
}

/**
 * Its own value: no getter and no proxy of the server's is called.
 * @type {(object: any, key: string) => any}
 */
function own(object, key) {
  if (object === null || !['object', 'function'].includes(typeof object)) return undefined;
  if (require('node:util').types.isProxy(object)) return undefined;
  return Object.getOwnPropertyDescriptor(object, key)?.value;
}

/** Of Express: routers, and what mounts them. @type {(objects: any[]) => Registered[]} */
function ofRouters(objects) {
  const isRouter = (/** @type {any} */ object) =>
    typeof object === 'function' && Array.isArray(own(object, 'stack'));
  const routers = objects.filter(isRouter);
  const mounted = new Set(
    routers.flatMap(({ stack }) => stack.map((/** @type {any} */ { handle }) => handle)),
  );
  /** @type {(app: any) => string} */
  const placeOf = ({ parent, mountpath }) => (parent ? `${placeOf(parent)}${[mountpath].flat()[0]}` : '');
  const apps = objects.filter((object) => own(object, 'mountpath') !== undefined);
  // Express 4 throws for the name of Express 5.
  const routerOf = (/** @type {any} */ app) =>
    own(app, '_router') ?? (own(app, 'lazyrouter') ? app : app.router);
  const places = new Map(apps.map((app) => [routerOf(app), placeOf(app)]));
  /** @type {Registered[]} */
  const found = [];
  /** @type {(router: any, prefix: string, above: [place: string, name: string][]) => void} */
  const walk = (router, prefix, above) => {
    const guards = [...above];
    for (const layer of router.stack) {
      const { route, handle } = layer;
      if (route) {
        const before = route.stack.slice(0, -1).map((/** @type {any} */ { handle: { name } }) => name);
        for (const path of [route.path].flat())
          for (const method of Object.keys(route.methods)) {
            const whole = `${prefix}${path}`.replace(/(.)\/$/, '$1');
            const names = guards.flatMap(([place, name]) => (whole.startsWith(place) ? name : []));
            const guard = [...names, ...before].findLast((name) => GUARD.test(name));
            found.push({ method, path: whole, ...(guard && { guard }) });
          }
      } else {
        const place = mountOf(layer);
        if (place === undefined) continue;
        if (isRouter(handle)) walk(handle, `${prefix}${place}`, guards);
        else guards.push([`${prefix}${place}`, handle?.name ?? '']);
      }
    }
  };
  for (const router of routers) if (!mounted.has(router)) walk(router, places.get(router) ?? '', []);
  return found;
}

/** Where a router is mounted; undefined where that is a pattern. @param {any} layer */
function mountOf(layer) {
  if (layer.slash || layer.regexp?.fast_slash || layer.regexp?.fast_star) return '';
  return pathOf(layer.regexp ?? patternIn(layer.matchers?.[0]));
}

/** The pattern inside a function of Express 5. @param {((path: string) => unknown) | undefined} matcher */
function patternIn(matcher) {
  const { exec } = RegExp.prototype;
  /** @type {RegExp | undefined} */
  let pattern;
  RegExp.prototype.exec = function (text) {
    pattern ??= this;
    return exec.call(this, text);
  };
  try {
    matcher?.('/');
  } finally {
    RegExp.prototype.exec = exec;
  }
  return pattern;
}

/** /^\/items\/([^/]+?)\/?$/i is /items/:1. @param {RegExp | undefined} pattern */
function pathOf(pattern) {
  const path = pattern?.source
    .replace(/^\^/, '')
    .replace(/\$$|\(\?=[^)]*\)$/, '')
    .replace(/\(\?:\\\/\$?\)\?$|\\\/\?$/, '')
    .replace(/^\(\?:((?:[^()]|\([^()]*\))*)\)$/, '$1')
    .replace(/\(\?:\\\/(\([^()]*\))\)/g, '/$1')
    .replace(/\([^()]*\)/g, ':1')
    .replace(/\\(.)/g, '$1');
  return path === undefined || /[()[\]^$*+?|]/.test(path) ? undefined : path;
}

/** Of the other frameworks, an object a route. @type {(object: any) => Registered[]} */
function ofObject(object) {
  const [path, method, methods] = [
    own(object, 'path') ?? own(object, 'route'),
    own(object, 'method'),
    own(object, 'methods'),
  ];
  if (typeof path === 'string') {
    // Fastify, Hono, hapi, Restify; h3 of both kinds; Koa's router.
    if (typeof method === 'string' && [own(object, 'handler'), own(object, '_core')].some(Boolean))
      return [{ method, path }];
    if (Array.isArray(methods) && own(object, 'stack'))
      return methods.map((each) => ({ method: each, path }));
    return Object.keys(own(object, 'handlers') ?? {}).map((each) => ({ method: each, path }));
  }
  // Polka, of both kinds.
  const byMethod = Object.entries(own(object, 'handlers') ?? {}).filter(([key]) => /^[A-Z]+$/.test(key));
  if (byMethod.length > 0)
    return byMethod.flatMap(([key, byPath]) =>
      Object.keys(Object(byPath)).flatMap((each) =>
        each.startsWith('/') ? { method: key, path: each } : [],
      ),
    );
  if (own(object, 'pattern') instanceof RegExp && typeof method === 'string') {
    const found = pathOf(object.pattern);
    return found === undefined ? [] : [{ method, path: found || '/' }];
  }
  const procedures = own(own(object, '_def'), 'procedures');
  if (procedures)
    return Object.entries(procedures).flatMap(([name, { _def = {} } = {}]) =>
      (_def.type === 'query' || _def.query) && !_def.inputs?.length
        ? TRPC_PLACES.map((place) => ({ method: 'get', path: `${place}/${name}` }))
        : [],
    );
  return own(object, '_queryType') ? ofGraphql(object) : [];
}

/** A query of every field that takes no argument and has no fields. @type {(schema: any) => Registered[]} */
function ofGraphql(schema) {
  const names = Object.values(schema.getQueryType().getFields()).flatMap(
    (/** @type {any} */ { name, args, type }) => {
      let inner = type;
      while (inner.ofType) inner = inner.ofType;
      const isSimple =
        !args.some((/** @type {any} */ each) => String(each.type).endsWith('!')) && !inner.getFields;
      return isSimple ? name : [];
    },
  );
  const body = JSON.stringify({ query: `{ ${names.join(' ') || '__typename'} }` });
  return GRAPHQL_PLACES.map((path) => ({ method: 'post', path, body }));
}
