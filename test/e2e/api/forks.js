/**
 * Pull requests, artifacts, people and reactions, as far as the flow for forks and requests asks for them.
 */

/**
 * from: "owner/name:branch", the head; bytes: what the download brings; stated: how large the listing says it
 * is
 * @typedef {{ number: number, sha: string, base?: string, from: string, state?: 'open' | 'closed' }}
 *   PullRequest
 * @typedef {{ id: number, run: number, name: string, bytes: Buffer, stated?: number, expired?: boolean }}
 *   Artifact
 * @typedef {{ pullRequests?: PullRequest[], artifacts?: () => Artifact[], people?: Record<string, 'admin' |
 *   'write' | 'read'> }} Forks
 * @typedef {import('./description.js').Answer} Answer
 * @typedef {[method: string, path: RegExp, make: (match: string[], body: any, query: URLSearchParams) =>
 *   Answer]} Route
 */

const REPOSITORY = /^\/repos\/([^/]+\/[^/]+)/.source;

/**
 * @param {Forks} state
 * @param {{ example: (name: string) => any, url: () => string, mayWrite: boolean, reactions: string[],
 *   denied: () => Answer }} github example: the description's own of that name; reactions: "comment
 *   reaction", filled
 * @returns {Route[]}
 */
export function forkRoutes({ pullRequests = [], artifacts = () => [], people = {} }, github) {
  const { example, url, mayWrite, reactions, denied } = github;
  const missing = () => ({ status: 404, body: { message: 'Not Found' } });
  return [
    [
      'GET',
      new RegExp(`${REPOSITORY}/pulls$`),
      ([, base = ''], _body, query) => ({
        status: 200,
        body: pullRequests
          .filter(({ state = 'open' }) => state === (query.get('state') ?? 'open'))
          .filter(({ from }) => [null, headOf(from)].includes(query.get('head')))
          .map((each) => filled(example('pull-request-simple-items')[0], each, base)),
      }),
    ],
    [
      'GET',
      new RegExp(`${REPOSITORY}/pulls/(\\d+)$`),
      ([, base = '', number]) => {
        const found = pullRequests.find((each) => each.number === Number(number));
        return found ? { status: 200, body: filled(example('pull-request'), found, base) } : missing();
      },
    ],
    [
      'GET',
      new RegExp(`${REPOSITORY}/compare/([0-9a-f]{40})\\.\\.\\.([0-9a-f]{40})$`),
      ([, , base]) => {
        const pattern = example('commit-comparison');
        return {
          status: 200,
          body: { ...pattern, merge_base_commit: { ...pattern.merge_base_commit, sha: base } },
        };
      },
    ],
    [
      'GET',
      new RegExp(`${REPOSITORY}/actions/runs/(\\d+)/artifacts$`),
      ([, , run], _body, query) => {
        const found = artifacts()
          .filter((each) => each.run === Number(run))
          .filter(({ name }) => [null, name].includes(query.get('name')));
        const [pattern] = example('artifact-paginated').artifacts;
        return {
          status: 200,
          body: {
            total_count: found.length,
            artifacts: found.map(({ id, name, bytes, stated = bytes.length, expired = false }) => ({
              ...pattern,
              id,
              name,
              size_in_bytes: stated,
              expired,
              workflow_run: { ...pattern.workflow_run, id: Number(run) },
            })),
          },
        };
      },
    ],
    [
      'GET',
      new RegExp(`${REPOSITORY}/actions/artifacts/(\\d+)/zip$`),
      ([, , id]) => ({ status: 302, body: undefined, headers: { location: `${url()}/_blobs/${id}` } }),
    ],
    [
      'GET',
      new RegExp(`${REPOSITORY}/collaborators/([^/]+)/permission$`),
      ([, , login = '']) => {
        const permission = people[login] ?? 'none';
        const pattern = example('repository-collaborator-permission-response-if-user-has-admin-permissions');
        const user = { ...pattern.user, login, role_name: permission };
        return { status: 200, body: { ...pattern, permission, role_name: permission, user } };
      },
    ],
    [
      'POST',
      new RegExp(`${REPOSITORY}/issues/comments/(\\d+)/reactions$`),
      ([, , comment], { content }) => {
        if (!mayWrite) return denied();
        reactions.push(`${comment} ${content}`);
        return { status: 201, body: { ...example('reaction'), content } };
      },
    ],
  ];
}

/** @param {string} from */
function headOf(from) {
  const [repository = '', branch] = from.split(':');
  return `${repository.split('/')[0]}:${branch}`;
}

/**
 * @param {any} pattern
 * @param {PullRequest} of
 * @param {string} base
 */
function filled(pattern, { number, sha, from, state = 'open', base: baseSha = 'b'.repeat(40) }, base) {
  const [repository, ref] = from.split(':');
  const repo = { ...pattern.head.repo, full_name: repository };
  return {
    ...pattern,
    // GitHub's example of a team lacks what its schema asks for.
    number,
    state,
    requested_teams: [],
    head: { ...pattern.head, sha, ref, label: headOf(from), repo },
    base: { ...pattern.base, sha: baseSha, repo: { ...pattern.base.repo, full_name: base } },
  };
}
