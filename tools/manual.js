/** A schema's keys as the rows of a table in the manual. */

/** The row of `load` says so for all of them. */
const LIST = /; a list measures with each(: [\d,]+)?/;
/** Keys that are one row, since their own keys have another table or are names of metrics. */
const WHOLE = ['exclude', 'include', 'margins', 'gates', 'published', 'env'];

/**
 * @param {any} schema
 * @param {(ref: string) => any} find resolves a $ref
 * @param {string} [prefix]
 * @returns {string[]} key, default and meaning, as Markdown
 */
export function rowsOf(schema, find, prefix = '') {
  const resolved = (/** @type {any} */ value) => ({ ...(value.$ref && find(value.$ref)), ...value });
  return Object.entries(schema.properties).flatMap(([key, value]) => {
    const part = resolved(value);
    const [, means = '', written] = /^(.*?)(?: Default: (.*)\.)?$/.exec(part.description) ?? [];
    const isValue = part.default !== undefined && (written === undefined || written === text(part.default));
    const standard = isValue ? `\`${text(part.default)}\`` : (written ?? 'must be given');
    const row = `| ${[`\`${prefix}${key}\``, standard, means.replace(LIST, '')].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
    const item = part.items && resolved(part.items);
    if (WHOLE.includes(key)) return [row];
    if (part.properties) return [row, ...rowsOf(part, find, `${prefix}${key}.`)];
    if (item?.properties) return [row, ...rowsOf(item, find, `${prefix}${key}[].`)];
    return [row];
  });
}

/** @param {unknown} value */
function text(value) {
  return typeof value === 'string' ? value : JSON.stringify(value).replaceAll(',', ', ');
}
