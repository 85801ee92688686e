/** Issues, as far as a regression of the main branch opens and updates one. */

/**
 * isPull: GitHub lists pull requests as issues, too
 * @typedef {{ number: number, title: string, body: string, login: string, state?: 'open' | 'closed', isPull?: boolean, createdAt?: string, updatedAt?: string }} Issue
 * @typedef {import('./forks.js').Route} Route
 * @typedef {import('./description.js').Answer} Answer
 */

const ISSUES = /^\/repos\/([^/]+\/[^/]+)\/issues/.source;
const EARLY = '2026-11-01T00:00:00Z';
/** What GitHub refuses beyond. */
const [LONGEST_TITLE, LONGEST_BODY] = [256, 65_536];

/**
 * @param {Issue[]} issues filled
 * @param {{ example: (name: string) => any, url: () => string, mayWrite: boolean, me: { login: string, type: string }, denied: () => Answer }} github
 * @returns {Route[]}
 */
export function issueRoutes(issues, { example, url, mayWrite, me, denied }) {
  const asIssue = (/** @type {Issue} */ issue, /** @type {string} */ repository) => {
    const { number, title, body, login, state = 'open', isPull = false } = issue;
    const { createdAt = EARLY, updatedAt = EARLY } = issue;
    const { closed_by: _, ...pattern } = example('issue');
    const { pull_request: pull, ...rest } = pattern;
    return {
      ...{ ...rest, number, title, body, state, created_at: createdAt, updated_at: updatedAt },
      html_url: `https://github.com/${repository}/issues/${number}`,
      user: { ...rest.user, login, type: login.endsWith('[bot]') ? 'Bot' : 'User' },
      ...(isPull && { pull_request: pull }),
    };
  };
  const now = () => new Date().toISOString();
  const invalid = (/** @type {{ title?: string, body?: string }} */ { title = '', body = '' }) =>
    title.length > LONGEST_TITLE || body.length > LONGEST_BODY;
  const refused = () => ({
    status: 422,
    body: { message: 'Validation Failed', documentation_url: 'https://docs.github.com/rest' },
  });
  return [
    [
      'GET',
      new RegExp(`${ISSUES}$`),
      ([, repository = ''], _body, query) => {
        const [size, page] = [Number(query.get('per_page') ?? 30), Number(query.get('page') ?? 1)];
        const wanted = query.get('state') ?? 'open';
        const by = query.get('sort') === 'updated' ? 'updated_at' : 'created_at';
        const listed = issues
          .filter(({ state = 'open' }) => wanted === 'all' || state === wanted)
          .map((issue) => asIssue(issue, repository))
          .toSorted((a, b) => (a[by] < b[by] ? 1 : a[by] > b[by] ? -1 : b.number - a.number));
        if (query.get('direction') === 'asc') listed.reverse();
        const more = new URLSearchParams([...query, ['page', String(page + 1)]]);
        const link = `<${url()}/repos/${repository}/issues?${more}>; rel="next"`;
        return {
          status: 200,
          body: listed.slice((page - 1) * size, page * size),
          ...(listed.length > page * size && { headers: { link } }),
        };
      },
    ],
    [
      'POST',
      new RegExp(`${ISSUES}$`),
      ([, repository = ''], { title, body }) => {
        if (!mayWrite) return denied();
        if (invalid({ title, body })) return refused();
        const number = 1 + Math.max(0, ...issues.map((each) => each.number));
        issues.push({ number, title, body, login: me.login, createdAt: now(), updatedAt: now() });
        return { status: 201, body: asIssue(/** @type {Issue} */ (issues.at(-1)), repository) };
      },
    ],
    [
      'PATCH',
      new RegExp(`${ISSUES}/(\\d+)$`),
      ([, repository = '', number], changes) => {
        if (!mayWrite) return denied();
        const issue = issues.find((each) => each.number === Number(number));
        if (!issue) return { status: 404, body: { message: 'Not Found' } };
        if (invalid(changes)) return refused();
        Object.assign(issue, changes, { updatedAt: now() });
        return { status: 200, body: asIssue(issue, repository) };
      },
    ],
  ];
}
