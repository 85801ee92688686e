/**
 * JavaScript divided into its functions, each without those inside of it, and the code around them. Comments
 * and formatting do not count.
 */

import { parse } from 'acorn';
import { group } from 'd3-array';

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];
const NAMED = [...FUNCTIONS, 'Identifier', 'ClassDeclaration', 'ClassExpression'];
/** Of code that only makes a value, whenever it runs. */
const HARMLESS = new Set([
  ...[...NAMED, 'ClassBody', 'MethodDefinition', 'PropertyDefinition', 'VariableDeclaration'],
  ...['VariableDeclarator', 'ObjectPattern', 'ArrayPattern', 'AssignmentPattern', 'RestElement'],
  ...['Literal', 'MetaProperty', 'TemplateLiteral', 'TemplateElement'],
  ...['UnaryExpression', 'BinaryExpression', 'LogicalExpression', 'ConditionalExpression'],
  ...['MemberExpression', 'ArrayExpression', 'ObjectExpression', 'Property', 'PrivateIdentifier'],
]);
const HARMLESS_CALLS = ['require', 'Symbol', 'Map', 'Set', 'WeakMap'];
/** What transpilers begin a module with. */
const TRANSPILED = /^Object\.defineProperty\(exports, "__esModule", \{ value: true \}\)/;

/**
 * own: its text without inner functions; words: the names that it uses
 * @typedef {{ own: string, words: Set<string> }} Piece
 */
/**
 * A function; name: empty if it has none; around: of the innermost function around it that has one
 * @typedef {Piece & { name: string, around: string, line: number, start: number, end: number }} Unit
 */
/**
 * Code outside of functions. names: it only declares them; isExport: it exports a function or what is
 * declared; neither: it may do anything
 * @typedef {Piece & { names?: Set<string>, isExport?: boolean }} Part
 */
/** units: outer ones first. @typedef {{ units: Unit[], parts: Part[], header: string }} Source */

/** Of a file that is not there. @type {Source} */
export const NOTHING = { units: [], parts: [], header: '' };

/** Returns undefined if it cannot be read. @type {(text: string) => Source | undefined} */
export function readSource(text) {
  for (const sourceType of /** @type {const} */ (['module', 'script'])) {
    try {
      const { body } = parse(text, {
        ...{ sourceType, ecmaVersion: 'latest', locations: true },
        ...{ allowHashBang: true, allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true },
      });
      const isHeader = (/** @type {any} */ { directive, start, end }) =>
        directive !== undefined || TRANSPILED.test(text.slice(start, end));
      return {
        units: body.flatMap((node) => unitsIn(node, {})),
        parts: body.filter((node) => !isHeader(node)).flatMap(partsOf),
        header: pieceOf(body.filter(isHeader)).own,
      };
    } catch {
      // Sloppy code is no module; what is neither is newer than the parser.
    }
  }
  return undefined;
}

/**
 * Finds the function in a range that V8 names, which begins behind "static"; or the one around it, for code
 * that V8 makes, like that of a class's fields.
 * @type {(units: Unit[]) => (range: { start: number, end: number }) => Unit | undefined}
 */
export function unitsByRange(units) {
  const byEnd = group(units, ({ end }) => end);
  return ({ start, end }) =>
    byEnd.get(end)?.findLast((unit) => unit.start <= start) ??
    units.findLast((unit) => unit.start <= start && unit.end >= end);
}

/** @type {(node: any) => boolean} */
const isMethod = ({ type, method, kind }) =>
  type === 'MethodDefinition' || (type === 'Property' && (method || kind !== 'init'));

/** The function of a method is the method. @type {(node: any, holder: any) => boolean} */
const isUnit = (node, holder) => isMethod(node) || (FUNCTIONS.includes(node.type) && !isMethod(holder));

/** @type {(node: any) => any[]} */
const childrenOf = (node) =>
  Object.values(node)
    .flat()
    .filter((child) => typeof child?.type === 'string');

/** @type {(node: any) => string} */
const nameIn = (node) => String(node?.name ?? node?.property?.name ?? node?.value ?? '');

/** @type {(node: any, holder: any, around?: string) => Unit[]} */
function unitsIn(node, holder, around = '') {
  const isOne = isUnit(node, holder);
  const name = isOne ? nameIn(node.id ?? node.key ?? holder.id ?? holder.key ?? holder.left) : '';
  const inner = childrenOf(node).flatMap((child) => unitsIn(child, node, name || around));
  if (!isOne) return inner;
  const { start, end, loc } = node;
  return [{ name, around, line: loc.start.line, start, end, ...pieceOf(node) }, ...inner];
}

/** @type {(root: any) => Piece} */
function pieceOf(root) {
  /** @type {Set<string>} */
  const words = new Set();
  /** @type {(this: any, key: string, value: any) => any} */
  function write(key, value) {
    if (['start', 'end', 'loc'].includes(key) || typeof value === 'bigint') return undefined;
    // Other quotes make no other text.
    if (key === 'raw' && typeof this.value === 'string') return undefined;
    // Code around a declared function does the same with and without it.
    if (Array.isArray(value))
      return value.filter((each) => !['FunctionDeclaration', 'MethodDefinition'].includes(each?.type));
    const isOfObject = ['key', 'property'].includes(key) && !this.computed;
    if (value?.type === 'Identifier' && !isOfObject) words.add(value.name);
    return value?.type && value !== root && isUnit(value, this) ? 'ƒ' : value;
  }
  return { own: JSON.stringify(root, write), words };
}

/** @type {(node: any) => Part[]} */
function partsOf(node) {
  const { declaration, specifiers = [], source, expression } = node;
  const effect = [pieceOf(node)];
  const declaring = (/** @type {any} */ pattern, /** @type {any[]} */ ...nodes) => ({
    ...pieceOf(nodes),
    names: pieceOf(pattern).words,
  });
  /** @type {(of: any, value: any) => Part} */
  const exporting = (of, value) => ({
    ...pieceOf([of]),
    ...(NAMED.includes(value?.type) && !of.computed && isHarmless(value) && { isExport: true }),
  });
  switch (node.type) {
    case 'EmptyStatement':
    case 'FunctionDeclaration':
      return [];
    case 'ImportDeclaration':
      if (specifiers.length === 0) return effect;
      return specifiers.map((/** @type {any} */ each) => declaring(each.local, each, source));
    case 'ClassDeclaration':
      return isHarmless(node) ? [declaring(node.id, node)] : effect;
    case 'VariableDeclaration':
      if (!isHarmless(node)) return effect;
      return node.declarations.flatMap((/** @type {any} */ { id, init }) => {
        const parts = id.type === 'ObjectPattern' && id.properties.length > 0 ? id.properties : [id];
        return parts.map((/** @type {any} */ part) => declaring(part, part, init));
      });
    case 'ExportNamedDeclaration':
      if (source) return effect;
      if (declaration)
        return partsOf(declaration).map((part) => (part.names ? { ...part, isExport: true } : part));
      return specifiers.map((/** @type {any} */ each) => exporting(each, each.local));
    case 'ExportDefaultDeclaration':
      return [exporting(node, declaration)];
    case 'ExpressionStatement': {
      const { left, right } = expression;
      if (isHoisted(expression)) return [];
      const isWhole = isExports(left);
      if (!isWhole && (left?.computed || !isExports(left?.object))) return effect;
      if (!isWhole || right.type !== 'ObjectExpression') return [exporting(expression, right)];
      return right.properties.map((/** @type {any} */ each) => exporting(each, each.value));
    }
    default:
      return effect;
  }
}

/** @type {(node: any) => boolean} */
const isExports = (node) =>
  node?.name === 'exports' || (node?.object?.name === 'module' && node.property.name === 'exports');

/** Transpilers write `exports.b = exports.a = void 0`. @type {(node: any) => boolean} */
const isHoisted = ({ type, left, right }) =>
  type === 'AssignmentExpression' &&
  isExports(left.object) &&
  (right.operator === 'void' || isHoisted(right));

/** Whether it only makes a value. @type {(node: any) => boolean} */
function isHarmless(node) {
  const { type, operator, callee, value } = node;
  if (FUNCTIONS.includes(type)) return true;
  const isCall = ['CallExpression', 'NewExpression'].includes(type) && HARMLESS_CALLS.includes(callee.name);
  if (!(isCall || HARMLESS.has(type)) || operator === 'delete') return false;
  // A field gets its value when an object is made.
  const isLater = type === 'PropertyDefinition' && !node.static;
  return childrenOf(node).every((child) => (isLater && child === value) || isHarmless(child));
}
