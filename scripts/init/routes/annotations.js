/** Routes of controllers with annotations: NestJS, Spring, Micronaut, JAX-RS. */

const ARGUMENTS = /\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/.source;
const BLOCK = new RegExp(`(?:@[\\w.]+(?:${ARGUMENTS})?\\s*)+`, 'g');
const CLASS = /^(?:(?:export|default|public|abstract|final|open|data)\s+)*class\b/;
const CONTROLLER = /@(?:Controller|RestController|Path|RequestMapping)\b/;
const HANDLER = /@(?:Get|GetMapping|GET|RequestMapping)\b/;
const PATH = new RegExp(`@(?:Controller|RequestMapping|Path|Get|GetMapping)\\s*(${ARGUMENTS})`, 'g');
/** The path is the only argument, or one of several. */
const IN_ARGUMENTS = /(?:^\(\s*\[?\{?\s*|\b(?:path|value|uri)\s*[=:]\s*[[{]?\s*)['"]([^'"]*)['"]/;
const VERSION = /\bversion:\s*['"](\d+)['"]/;
const GUARD = /@(?:UseGuards|PreAuthorize|Secured|RolesAllowed|Authenticated|ApiBearerAuth|Redirect|Sse)\b/;
/** Spring and Quarkus refuse a request without this argument. */
const REQUIRED = /@RequestParam(?!\([^)]*(?:required\s*=\s*false|defaultValue))/;

/** @param {string} file @param {string} text @returns {{ index: number, path: string, guarded: boolean }[]} */
export function annotatedRoutes(file, text) {
  if (!/\.([cm]?[jt]s|java|kt)$/.test(file)) return [];
  let controller = { is: false, path: '', guarded: false };
  return [...text.matchAll(BLOCK)].flatMap(({ 0: block, index }) => {
    const after = text.slice(index + block.length, index + block.length + 300);
    if (CLASS.test(after)) {
      const version = VERSION.exec(block)?.[1];
      const path = `${version ? `v${version}/` : ''}${pathIn(block)}`;
      controller = { is: CONTROLLER.test(block), path, guarded: GUARD.test(block) };
      return [];
    }
    if (!controller.is || !HANDLER.test(block) || /RequestMethod\.(?!GET)/.test(block)) return [];
    const signature = after.slice(0, after.search(/\{|$/));
    return {
      index: index + block.search(HANDLER),
      path: `${controller.path}/${pathIn(block)}`,
      guarded: controller.guarded || GUARD.test(block) || REQUIRED.test(signature),
    };
  });
}

/** @param {string} block */
function pathIn(block) {
  const paths = [...block.matchAll(PATH)].map((match) => IN_ARGUMENTS.exec(match[1] ?? '')?.[1] ?? '');
  return paths.filter(Boolean).join('/');
}
