/**
 * JavaScript divided into its functions, each without those inside of it, and the code around them. Comments
 * and white space do not count.
 */

import { parse } from 'acorn';
import { group } from 'd3-array';

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];
/** Stands for a function inside of others. */
const INNER = 'ƒ';
/** Calls that change nothing but their result. */
const HARMLESS = new Set(['require', 'Symbol', 'Map', 'Set', 'WeakMap', 'Object.freeze']);
/** What transpilers begin a module with. */
const TRANSPILED = 'Object . defineProperty ( exports , "__esModule" , { value : true } )';
const STRICT = 'use strict';
const VOID = 'void 0';

/**
 * own: its text without inner functions; words: the names that it uses
 * @typedef {{ own: string, words: Set<string> }} Piece
 *
 * A function; name: empty if it has none
 * @typedef {Piece & { name: string, line: number, start: number, end: number }} Unit
 *
 * @typedef {object} Source
 * @property {Unit[]} units by start, each before those inside of it
 * @property {boolean} isStrict
 * @property {Piece[]} effects statements outside of functions that may do anything
 * @property {Map<string, Piece & { isFunction: boolean }>} declared names of statements that only declare
 * @property {Map<string, Piece & { isName: boolean }>} exported isName: what is exported is declared
 *   elsewhere in the module
 */

/** @returns {Source} */
const empty = () => ({ units: [], isStrict: false, effects: [], declared: new Map(), exported: new Map() });
/** Of a file that is not there. */
export const NOTHING = empty();

/**
 * @param {string} text
 * @returns {Source | undefined} undefined if it cannot be read
 */
export function readSource(text) {
  for (const sourceType of /** @type {const} */ (['module', 'script'])) {
    try {
      /** @type {import('acorn').Token[]} */
      const tokens = [];
      const tree = parse(text, {
        ...{ sourceType, ecmaVersion: 'latest', locations: true, onToken: tokens },
        ...{ allowHashBang: true, allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true },
      });
      return sourceOf(tree, { text, tokens });
    } catch {
      // Sloppy code is no module; what is neither is newer than the parser.
    }
  }
  return undefined;
}

/**
 * Finds the function in a range that V8 names, which begins behind "static"; or the one around it, for code
 * that V8 makes, like that of a class's fields.
 * @param {Unit[]} units
 * @returns {(range: { start: number, end: number }) => Unit | undefined}
 */
export function unitsByRange(units) {
  const byEnd = group(units, ({ end }) => end);
  return ({ start, end }) =>
    byEnd.get(end)?.findLast((unit) => unit.start <= start) ??
    units.findLast((unit) => unit.start <= start && unit.end >= end);
}

/**
 * @param {any} tree
 * @param {{ text: string, tokens: import('acorn').Token[] }} written
 * @returns {Source}
 */
function sourceOf(tree, { text, tokens }) {
  /**
   * isSilent: code around it does the same with and without it
   * @type {{ node: any, name: string, isSilent: boolean }[]}
   */
  const found = [];
  visit(tree, '', (node, name) => {
    found.push({ node, name, isSilent: ['MethodDefinition', 'FunctionDeclaration'].includes(node.type) });
  });
  found.sort((a, b) => a.node.start - b.node.start || b.node.end - a.node.end);
  const starts = tokens.map(({ start }) => start);
  /**
   * @param {{ start: number, end: number }} range
   * @param {number} [within] the place of the function itself
   * @returns {Piece}
   */
  const pieceOf = ({ start, end }, within = -1) => {
    const parts = [];
    const words = new Set();
    let inner = within >= 0 ? within + 1 : atLeast(found, start, ({ node }) => node.start);
    for (let place = atLeast(starts, start, Number); place < tokens.length; place++) {
      const token = /** @type {import('acorn').Token} */ (tokens[place]);
      if (token.start >= end) break;
      const next = found[inner];
      if (next && token.start >= next.node.start) {
        if (!next.isSilent) parts.push(INNER);
        inner = atLeast(found, next.node.end, ({ node }) => node.start);
        place = atLeast(starts, next.node.end, Number) - 1;
        continue;
      }
      const part = text.slice(token.start, token.end);
      if (token.type.label === 'name' && !['.', '?.'].includes(parts.at(-1) ?? '')) words.add(part);
      parts.push(part);
    }
    return { own: parts.join(' '), words };
  };
  const units = found.map(({ node, name }, place) => ({
    ...{ name, line: node.loc.start.line, start: node.start, end: node.end },
    ...pieceOf(node, place),
  }));
  /** @type {Source} */
  const source = { ...empty(), units };
  for (const statement of tree.body) addStatement(source, statement, pieceOf);
  return source;
}

/**
 * @param {any} node
 * @param {string} name that it is given
 * @param {(node: any, name: string) => void} onFunction
 */
function visit(node, name, onFunction) {
  const isMethod =
    node.type === 'MethodDefinition' || (node.type === 'Property' && (node.method || node.kind !== 'init'));
  if (isMethod || FUNCTIONS.includes(node.type)) onFunction(node, nameIn(node.id ?? node.key) || name);
  // The function of a method is the method.
  const inner = isMethod ? [node.value.params, node.value.body, node.key] : Object.values(node);
  const given = nameIn(node.id ?? node.key ?? node.left);
  for (const child of inner.flat(2))
    if (typeof child?.type === 'string')
      visit(child, [node.value, node.init, node.right].includes(child) ? given : '', onFunction);
}

/**
 * @param {any} node of a name
 * @returns {string}
 */
function nameIn(node) {
  return String(node?.name ?? node?.property?.name ?? node?.value ?? '');
}

/**
 * @param {Source} source
 * @param {any} node a statement outside of functions
 * @param {(range: any) => Piece} pieceOf
 */
function addStatement(source, node, pieceOf) {
  const { effects, declared, exported } = source;
  const piece = pieceOf(node);
  const declare = (/** @type {any} */ pattern, /** @type {Piece} */ value, isFunction = false) => {
    for (const name of namesIn(pattern)) declared.set(name, { ...value, isFunction });
  };
  const isFunction = (/** @type {any} */ value) => FUNCTIONS.includes(value?.type);
  const exportAs = (/** @type {string} */ name, /** @type {any} */ value) => {
    const known = isFunction(value) ? { own: INNER, words: new Set() } : pieceOf(value);
    exported.set(name, {
      ...known,
      isName: value.type === 'Identifier' || isFunction(value) || known.own === VOID,
    });
  };
  switch (node.type) {
    case 'EmptyStatement':
    case 'FunctionDeclaration':
      return;
    case 'ImportDeclaration':
      for (const each of node.specifiers) declare(each.local, join(pieceOf(each), pieceOf(node.source)));
      if (node.specifiers.length === 0) effects.push(piece);
      return;
    case 'ClassDeclaration':
      if (isHarmless(node)) return declare(node.id, piece, true);
      break;
    case 'VariableDeclaration':
      if (!node.declarations.every((/** @type {any} */ { init }) => isHarmless(init))) break;
      for (const { id, init, ...range } of node.declarations) {
        const parts = id.type === 'ObjectPattern' ? id.properties : [];
        for (const part of parts) declare(part.value ?? part, join(pieceOf(part), pieceOf(init)));
        if (parts.length === 0)
          declare(id, pieceOf(range), isFunction(init) || init?.type === 'ClassExpression');
      }
      return;
    case 'ExportNamedDeclaration':
      for (const { exported: name, local } of node.specifiers)
        exported.set(nameIn(name), { ...(node.source ? piece : pieceOf(local)), isName: !node.source });
      if (!node.declaration) return;
      for (const id of node.declaration.declarations ?? [node.declaration])
        for (const name of namesIn(id.id))
          exported.set(name, { own: name, words: new Set([name]), isName: true });
      return addStatement(source, node.declaration, pieceOf);
    case 'ExportAllDeclaration':
      exported.set(piece.own, { ...piece, isName: false });
      return;
    case 'ExportDefaultDeclaration':
      if (!isHarmless(node.declaration)) break;
      return exportAs('default', node.declaration);
    case 'ExpressionStatement': {
      if (node.directive === STRICT) source.isStrict = true;
      if (node.directive === STRICT || piece.own.startsWith(TRANSPILED)) return;
      const given = exportsIn(node.expression);
      if (!given) break;
      for (const [name, value] of given) exportAs(name, value);
      return;
    }
    default:
  }
  effects.push(piece);
}

/**
 * @param {Piece} one
 * @param {Piece} other
 * @returns {Piece}
 */
function join(one, other) {
  return { own: `${one.own} ${other.own}`, words: new Set([...one.words, ...other.words]) };
}

/**
 * What `exports.a = b` and `module.exports = { a }` export; undefined for other code.
 * @type {(node: any) => [string, any][] | undefined}
 */
function exportsIn({ type, left, right }) {
  if (type !== 'AssignmentExpression' || left.type !== 'MemberExpression' || left.computed) return undefined;
  const isExports = (/** @type {any} */ node) =>
    node.name === 'exports' || (nameIn(node) === 'exports' && node.object?.name === 'module');
  if (isExports(left.object) && !isExports(left)) {
    const name = nameIn(left);
    const rest = exportsIn(right);
    if (rest)
      return [...rest, ...rest.slice(0, 1).map(([, value]) => /** @type {[string, any]} */ ([name, value]))];
    return isHarmless(right) ? [[name, right]] : undefined;
  }
  if (!isExports(left) || !isHarmless(right)) return undefined;
  if (right.type !== 'ObjectExpression') return [['', right]];
  return right.properties.map((/** @type {any} */ { key, value }) => [nameIn(key), value]);
}

/**
 * @param {any} pattern
 * @returns {string[]} the names that it declares
 */
function namesIn(pattern) {
  if (!pattern) return [];
  if (pattern.type === 'Identifier') return [pattern.name];
  const parts = pattern.elements ?? pattern.properties ?? [pattern.left ?? pattern.argument];
  return parts.flatMap((/** @type {any} */ part) => namesIn(part?.type === 'Property' ? part.value : part));
}

/**
 * @param {any} node
 * @returns {boolean} whether it only makes a value, whenever it runs
 */
function isHarmless(node) {
  if (!node) return true;
  const all = (/** @type {any[]} */ ...nodes) => nodes.flat().every(isHarmless);
  switch (node.type) {
    case 'Literal':
    case 'Identifier':
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'MetaProperty':
      return true;
    case 'TemplateLiteral':
      return all(node.expressions);
    case 'UnaryExpression':
      return node.operator !== 'delete' && isHarmless(node.argument);
    case 'BinaryExpression':
    case 'LogicalExpression':
      return all(node.left, node.right);
    case 'ConditionalExpression':
      return all(node.test, node.consequent, node.alternate);
    case 'MemberExpression':
      return isHarmless(node.object) && (!node.computed || isHarmless(node.property));
    case 'ArrayExpression':
      return all(node.elements);
    case 'ObjectExpression':
      return all(node.properties);
    case 'Property':
      return isHarmless(node.value) && (!node.computed || isHarmless(node.key));
    case 'CallExpression':
    case 'NewExpression': {
      const { object, name } = node.callee;
      return HARMLESS.has(object ? `${object.name}.${nameIn(node.callee)}` : name) && all(node.arguments);
    }
    case 'ClassDeclaration':
    case 'ClassExpression':
      return isHarmless(node.superClass) && node.body.body.every(isHarmless);
    case 'MethodDefinition':
      return !node.computed;
    case 'PropertyDefinition':
      return !node.computed && (!node.static || isHarmless(node.value));
    default:
      return false;
  }
}

/**
 * @template T
 * @param {T[]} sorted
 * @param {number} least
 * @param {(item: T) => number} valueOf
 * @returns {number} the place of the first that is not less
 */
function atLeast(sorted, least, valueOf) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueOf(/** @type {T} */ (sorted[middle])) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
