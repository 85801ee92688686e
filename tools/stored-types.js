/**
 * The schemas of stored files as TypeScript: `description` is a comment, each definition with a capital is a
 * type, the others are written where they are used. A field is there if it is required, or if reading fills
 * it in: it has a default or a `$comment`.
 */

const FILLED = ['filled in when read', 'perf-action always writes it'];
const OWN_TYPE = /^type: /;

/**
 * @param {Record<string, any>} schemas by `$id`
 * @returns {string} to be formatted
 */
export function storedTypes(schemas) {
  const definitions = Object.entries(schemas).flatMap(([id, { $defs = {}, ...root }]) => [
    declaration(nameOf(id), root, { id, schemas }),
    ...Object.entries($defs)
      .filter(([name]) => isType(name))
      .map(([name, schema]) => declaration(name, schema, { id, schemas })),
  ]);
  return `// Written by \`npm run generate\` from the schemas in scripts/store.\n\nimport type { Conditions } from '../types.js';\n\n${definitions.join('\n\n')}\n`;
}

/** @param {string} id like perf-action/past-run@1 */
function nameOf(id) {
  return id.replace(/^.*\/|@\d+$/g, '').replaceAll(/(?:^|-)(.)/g, (_, letter) => letter.toUpperCase());
}

/** @param {string} name */
const isType = (name) => /^[A-Z]/.test(name);

/**
 * @typedef {{ id: string, schemas: Record<string, any> }} Place id: of the schema that references are
 *   relative to
 */

/**
 * @param {string} name
 * @param {any} schema
 * @param {Place} place
 */
function declaration(name, schema, place) {
  const type = typeOf(schema, place);
  const isInterface = schema.properties && !schema.allOf;
  return `${comment(schema)}export ${isInterface ? `interface ${name} ${type}` : `type ${name} = ${type};`}`;
}

/** @param {{ description?: string }} schema */
function comment({ description }) {
  return description ? `/** ${description} */\n` : '';
}

/** @type {(schema: any, place: Place) => string} */
function typeOf(schema, place) {
  const inner = (/** @type {any} */ part) => typeOf(part, place);
  const union = (/** @type {any[]} */ parts) => parts.map(inner).join(' | ');
  if (OWN_TYPE.test(schema.$comment)) return schema.$comment.replace(OWN_TYPE, '');
  if (schema.$ref) return referred(schema.$ref, place);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum)
    return schema.enum.map((/** @type {unknown} */ value) => JSON.stringify(value)).join(' | ');
  // A text beside known ones: those of later versions.
  if (schema.anyOf) return union(schema.anyOf[0].$ref ? schema.anyOf.slice(0, 1) : schema.anyOf);
  if (schema.oneOf) return union(schema.oneOf);
  if (schema.allOf?.[0].if) return byCode(schema, place);
  if (schema.allOf) return schema.allOf.map(inner).join(' & ');
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  if (schema.type === 'array')
    return schema.minItems === 2
      ? `[${inner(schema.items)}, ${inner(schema.items)}]`
      : `(${inner(schema.items)})[]`;
  if (schema.properties) return `{\n${fields(schema, place)}\n}`;
  if (schema.additionalProperties) return `Record<string, ${inner(schema.additionalProperties)}>`;
  return schema.type === 'integer' ? 'number' : schema.type;
}

/**
 * @param {string} ref
 * @param {Place} place
 */
function referred(ref, { id, schemas }) {
  const [file, name = ''] = ref.split('#/$defs/');
  if (isType(name)) return name;
  const target = file ? `perf-action/${file}` : id;
  return typeOf(schemas[target].$defs[name], { id: target, schemas });
}

/**
 * A union by code: each `if` names codes, and its `then` the facts.
 * @param {any} schema
 * @param {Place} place
 */
function byCode({ properties: { code: _, ...common }, allOf }, place) {
  const branches = allOf.flatMap((/** @type {any} */ { if: test, then }) => {
    const { const: one, enum: several = [one] } = test.properties.code;
    return several.map(
      (/** @type {string} */ code) => `{ code: '${code}'; ${then.properties ? fields(then, place) : ''} }`,
    );
  });
  const union = branches.join('\n| ');
  return Object.keys(common).length > 0
    ? `{\n${fields({ properties: common }, place)}\n} & (${union})`
    : union;
}

/**
 * @param {any} schema
 * @param {Place} place
 */
function fields({ properties, required = [] }, place) {
  return Object.entries(properties)
    .map(([name, field]) => {
      const isThere = required.includes(name) || 'default' in field || FILLED.includes(field.$comment);
      return `${comment(field)}${name}${isThere ? '' : '?'}: ${typeOf(field, place)};`;
    })
    .join('\n');
}
