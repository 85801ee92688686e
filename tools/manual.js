/** A schema's keys as the rows of a table in the manual. */

/** What is one row, as its own keys are told elsewhere or are names of metrics. */
const WHOLE = ['exclude', 'include', 'margins', 'gates', 'published', 'env'];

/**
 * @param {any} schema
 * @param {(ref: string) => any} find what a $ref stands for
 * @param {string} [prefix]
 * @returns {string[]} key, default and meaning, as Markdown
 */
export function rowsOf(schema, find, prefix = '') {
  const resolved = (/** @type {any} */ part) => ({ ...(part.$ref && find(part.$ref)), ...part });
  return Object.entries(schema.properties).flatMap(([key, value]) => {
    const told = resolved(value);
    const [, means = '', written] = /^(.*?)(?: Default: (.*)\.)?$/.exec(told.description) ?? [];
    const isValue = told.default !== undefined && (written === undefined || written === text(told.default));
    const standard = isValue ? `\`${text(told.default)}\`` : (written ?? 'must be given');
    const row = `| ${[`\`${prefix}${key}\``, standard, means].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
    const item = told.items && resolved(told.items);
    if (WHOLE.includes(key)) return [row];
    if (told.properties) return [row, ...rowsOf(told, find, `${prefix}${key}.`)];
    if (item?.properties) return [row, ...rowsOf(item, find, `${prefix}${key}[].`)];
    return [row];
  });
}

/** @param {unknown} value */
function text(value) {
  return typeof value === 'string' ? value : JSON.stringify(value).replaceAll(',', ', ');
}
