/** Sources without their comments: what is commented out is not served. */

const STRINGS = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/.source;
/** Strings are kept, so that "http://..." is no comment; a quote in a pattern costs no more than one comment. */
const SLASHES = new RegExp(
  `\\/\\/[^\\n]*|\\/\\*[\\s\\S]*?\\*\\/|(${STRINGS}|\`(?:\\\\[\\s\\S]|[^\`\\\\])*\`)`,
  'g',
);
const HASHES = new RegExp(`"""[\\s\\S]*?"""|'''[\\s\\S]*?'''|#[^\\n]*|(${STRINGS})`, 'g');

/** @type {[files: RegExp, comments: RegExp][]} */
const LANGUAGES = [
  [/\.([mc]?[jt]sx?|java|kt|go|php|kts|gradle|prisma)$/, SLASHES],
  [/\.(py|rb)$|(^|\/)(Gemfile|Pipfile|requirements[\w-]*\.txt|Procfile)$|\.(properties|ya?ml|toml)$/, HASHES],
];

/** @param {string} file @param {string} text @returns {string} with every line where it was */
export function codeOf(file, text) {
  const [, comments] = LANGUAGES.find(([files]) => files.test(file)) ?? [];
  if (!comments) return text;
  return text.replace(comments, (all, string) => string ?? all.replace(/[^\n]+/g, ' '));
}
