/**
 * Commits, the pull requests that were merged as them, and their labels, as far as an acceptance is looked
 * for.
 */

/**
 * mergedAs: the commit on the base; labels: who set them, by name
 * @typedef {{ number: number, sha: string, mergedAs?: string, labels?: Record<string, string> }} Merge
 * @typedef {{ merges?: Merge[], messages?: Record<string, string> }} Merges messages: of commits, by their
 *   SHA
 * @typedef {import('./forks.js').Route} Route
 */

const REPOSITORY = /^\/repos\/[^/]+\/[^/]+/.source;

/**
 * @param {Merges} state
 * @param {(name: string) => any} example the description's own of that name
 * @returns {Route[]}
 */
export function mergeRoutes({ merges = [], messages = {} }, example) {
  const labelsOf = (/** @type {string | undefined} */ number) =>
    Object.entries(merges.find((each) => each.number === Number(number))?.labels ?? {});
  return [
    [
      'GET',
      new RegExp(`${REPOSITORY}/commits/([0-9a-f]{40})/pulls$`),
      ([, commit]) => ({
        status: 200,
        body: merges
          .filter(({ sha, mergedAs }) => [sha, mergedAs].includes(commit))
          .map(({ number, sha, mergedAs }) => {
            const [pattern] = example('pull-request-simple-items');
            const merged = {
              merge_commit_sha: mergedAs ?? null,
              merged_at: mergedAs ? pattern.created_at : null,
            };
            return { ...pattern, number, ...merged, head: { ...pattern.head, sha }, requested_teams: [] };
          }),
      }),
    ],
    [
      'GET',
      new RegExp(`${REPOSITORY}/commits/([0-9a-f]{40})$`),
      ([, sha = '']) => {
        const pattern = example('commit');
        const message = messages[sha] ?? 'a change';
        // GitHub's example of a file lacks what its schema asks for.
        return { status: 200, body: { ...pattern, sha, files: [], commit: { ...pattern.commit, message } } };
      },
    ],
    [
      'GET',
      new RegExp(`${REPOSITORY}/issues/(\\d+)/labels$`),
      ([, number]) => ({
        status: 200,
        body: labelsOf(number).map(([name]) => ({ ...example('label-items')[0], name })),
      }),
    ],
    [
      'GET',
      new RegExp(`${REPOSITORY}/issues/(\\d+)/events$`),
      ([, number]) => ({
        status: 200,
        body: labelsOf(number).map(([name, login]) => {
          const [pattern] = example('issue-event-for-issue-items');
          return {
            ...pattern,
            event: 'labeled',
            label: { name, color: 'ededed' },
            actor: { ...pattern.actor, login },
          };
        }),
      }),
    ],
  ];
}
