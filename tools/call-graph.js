/**
 * Which declaration of which file refers to which other, from the syntax trees of a folder's modules: a call,
 * a callback, a row of a registry, the file of another process. Comments and types are not part of the tree.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parsers } from 'prettier/plugins/babel';

/**
 * @typedef {{ file: string, to: Set<string>, names: Set<string> }} Declaration names: of values in its code,
 *   in variables, properties and texts
 */
/**
 * By `file#name`; `file#` is what a module does when it is loaded.
 * @typedef {Map<string, Declaration>} Graph
 */
/** @typedef {{ file: string, name: string }} Place */
/**
 * @typedef {object} Module
 * @property {Map<string, Place>} imports by local name
 * @property {Map<string, Place>} exported by name
 * @property {Map<string, any>} nodes its top-level declarations by name
 */

/** Of a syntax tree: what is not code. */
const NOT_CODE = new Set([
  'comments',
  'leadingComments',
  'trailingComments',
  'innerComments',
  'loc',
  'extra',
  'range',
]);
const JAVASCRIPT = /\.c?js$/;

/** @type {(root: string) => Graph} */
export function graphOf(root) {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => JAVASCRIPT.test(file))
    .sort();
  const modules = new Map(files.map((file) => [file, readModule(root, file)]));
  return new Map(
    [...modules].flatMap(([file, module]) =>
      [...module.nodes].map(([name, node]) => [
        `${file}#${name}`,
        { file, ...referencesOf(node, { root, file, name, modules }) },
      ]),
    ),
  );
}

/** @type {(root: string, file: string) => Module} */
function readModule(root, file) {
  const text = readFileSync(join(root, file), 'utf8').replace(/^#!.*/, '');
  /** @type {any} */
  const tree = parsers.babel.parse(text, /** @type {any} */ ({}));
  /** @type {Module} */
  const module = {
    imports: new Map(),
    exported: new Map(),
    nodes: new Map([['', { type: 'Program', body: [] }]]),
  };
  for (const statement of tree.program.body) {
    const isExport = statement.type.startsWith('Export');
    const from = statement.source && fileOf(root, file, statement.source.value);
    for (const specifier of statement.specifiers ?? [])
      if (isExport)
        module.exported.set(specifier.exported.name, { file: from ?? file, name: specifier.local.name });
      else if (from !== undefined)
        module.imports.set(specifier.local.name, { file: from, name: specifier.imported?.name ?? '*' });
    const declared = isExport ? statement.declaration : statement;
    if (!declared || statement.type === 'ImportDeclaration') continue;
    for (const [name, node] of partsOf(declared)) {
      if (name === '') module.nodes.get('').body.push(node);
      else module.nodes.set(name, node);
      if (isExport) module.exported.set(name, { file, name });
    }
  }
  return module;
}

/** @type {(statement: any) => [name: string, node: any][]} */
function partsOf(statement) {
  if (statement.type !== 'VariableDeclaration') return [[statement.id?.name ?? '', statement]];
  return statement.declarations.flatMap((/** @type {any} */ declarator) =>
    boundBy(declarator.id).map((name) => [name, declarator]),
  );
}

/** The names that it declares. @type {(pattern: any) => string[]} */
function boundBy(pattern) {
  if (pattern.type === 'Identifier') return [pattern.name];
  const parts = pattern.properties ?? pattern.elements ?? [];
  return parts.flatMap((/** @type {any} */ part) => boundBy(part.value ?? part.argument ?? part));
}

/**
 * @param {any} declaration
 * @param {{ root: string, file: string, name: string, modules: Map<string, Module> }} place
 * @returns {Omit<Declaration, 'file'>}
 */
function referencesOf(declaration, { root, file, name, modules }) {
  const { imports, nodes } = /** @type {Module} */ (modules.get(file));
  const to = new Set();
  const names = new Set();
  const refer = (/** @type {string} */ target, /** @type {string} */ exported) => {
    for (const { file: found, name: own } of resolved(modules, target, exported)) to.add(`${found}#${own}`);
  };
  /** Identifiers that name a function, and so no value. */
  const functions = new Set();
  /**
   * @param {any} node
   * @param {any} parent
   */
  const visit = (node, parent) => {
    if (node.type.endsWith('CallExpression')) functions.add(node.callee.property ?? node.callee);
    if (/Function|Method/.test(node.value?.type ?? node.type)) functions.add(node.key);
    if (node.type === 'StringLiteral') {
      names.add(node.value);
      const other = JAVASCRIPT.test(node.value) && fileOf(root, file, node.value);
      const isImport = parent.type === 'ImportExpression' || parent.callee?.type === 'Import';
      if (other && isImport) refer(other, '*');
      else if (other) to.add(`${other}#`);
    } else if (node.type === 'Identifier') {
      if (!functions.has(node)) names.add(node.name);
      const isKey =
        (parent.property === node || parent.key === node) && !parent.computed && !parent.shorthand;
      const imported = imports.get(node.name);
      if (isKey) return;
      if (imported) refer(imported.file, imported.name);
      else if (nodes.has(node.name) && node.name !== name) to.add(`${file}#${node.name}`);
    }
    for (const [key, child] of Object.entries(node))
      if (!NOT_CODE.has(key))
        for (const each of [child].flat()) if (typeof each?.type === 'string') visit(each, node);
  };
  visit(declaration, {});
  return { to, names };
}

/**
 * @param {Map<string, Module>} modules
 * @param {string} file
 * @param {string} name or *
 * @returns {Place[]} where it is declared
 */
function resolved(modules, file, name) {
  const module = modules.get(file);
  if (!module) return [];
  if (name === '*')
    return [
      { file, name: '' },
      ...[...module.exported.keys()].flatMap((each) => resolved(modules, file, each)),
    ];
  const place = module.exported.get(name);
  if (!place) return [];
  return place.file === file ? [place] : resolved(modules, place.file, place.name);
}

/**
 * The other file, relative to the root.
 * @type {(root: string, file: string, specifier: string) => string | undefined}
 */
function fileOf(root, file, specifier) {
  const other = join(dirname(file), specifier);
  return /^\.\.?\//.test(specifier) && existsSync(join(root, other))
    ? relative(root, join(root, other))
    : undefined;
}
