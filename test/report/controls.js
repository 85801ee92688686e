/**
 * A comparison of a shop with six routes, of which the change touches two: the others are controls.
 * @import { CaseComparison, Comparison, MetricComparison, Run, Touched, Verdict
 *   } from '../../scripts/types.js'
 */

import { decisiveOf } from '../../scripts/judge/case-verdict.js';
import { change, sampleComparison, sampleRun } from './sample.js';

const ROUTES = ['/orders', 'POST /orders', '/items', '/items/1', '/users', '/health'];
const TOUCHED = ['/orders', 'POST /orders'];

/** @type {MetricComparison['why']} */
const OPEN = { code: 'open', moreRounds: 12 };

/** @type {(touched?: string[]) => Touched} */
export function touchedRoutes(touched = TOUCHED) {
  const functions = ['listOrders', 'priceOf'].map((name, place) => ({
    name,
    file: 'src/orders.js',
    line: 10 + place,
  }));
  const routes = ROUTES.map((route) => {
    const isTouched = touched.includes(route);
    return { server: 'shop', route, touched: isTouched, functions: isTouched ? functions : [] };
  });
  return { routes, reasons: [] };
}

/** @param {string} route */
const idOf = (route) => `shop ${route} autocannon c100`;

/** @type {(language?: string) => Run} */
export function shopRun(language) {
  const { published: _, relativeTo: __, cases, ...run } = sampleRun();
  const [, express] = cases;
  if (!express) throw new Error('the sample has no Express');
  const own = ROUTES.map((route) => ({
    ...express,
    id: idOf(route),
    server: 'shop',
    serverName: 'Shop',
    route,
    oneOfRoutes: /** @type {const} */ (true),
  }));
  return { ...run, title: 'Shop', warnings: [], looks: [0.5, 1], cases: own, ...(language && { language }) };
}

/**
 * A case whose CPU per request has that verdict and interval.
 * @param {string} route
 * @param {Verdict} verdict
 * @param {[low: number, high: number]} ciPct
 * @param {Partial<CaseComparison>} [more]
 * @returns {CaseComparison}
 */
export function shopCase(route, verdict, [low, high], more) {
  const why = verdict === 'unsure' ? OPEN : undefined;
  const metrics = [change('cpuPerRequest', verdict, [100, 104], [(low + high) / 2, low, high], why)];
  const decisive = decisiveOf({ verdict, metrics });
  return { id: idOf(route), verdict, metrics, ...(decisive && { decisive }), ...more };
}

/** A control, as small as most. @type {(route: string, more?: Partial<CaseComparison>) => CaseComparison} */
export function control(route, more) {
  return shopCase(route, 'unsure', [-2.1, 3], { role: 'control', ...more });
}

/** @type {(verdict: Verdict, cases: CaseComparison[], touched?: Touched) => Comparison} */
export function shopComparison(verdict, cases, touched = touchedRoutes()) {
  const { reference: _, ...sample } = sampleComparison();
  return { ...sample, verdict, method: 'side-by-side', against: 'main', warnings: [], touched, cases };
}

/** The four controls of the change. */
export const CONTROLS = [
  control('/items'),
  control('/items/1', shopCase('/items/1', 'same', [-1, 1.5])),
  control('/users', shopCase('/users', 'unsure', [-1.5, 2])),
  control('/health'),
];
