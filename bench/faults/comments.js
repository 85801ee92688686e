/**
 * Pull requests that move, and jobs that comment at the same time, against GitHub's API as its own
 * description has it.
 */

import { postComment } from '../../scripts/github/comment/sticky-comment.js';
import { startGitHub } from '../../test/e2e/api/github.js';

const MARKER = '<!-- perf-action:perf -->';
const [MEASURED, PUSHED] = ['a'.repeat(40), 'c'.repeat(40)];
const WHAT = { marker: MARKER, repository: 'octo/app', pullRequest: 7, token: 'x' };

/** @type {import('../faults.js').Row[]} */
export const rows = [
  {
    fault: 'a push while the figures are judged',
    promised: 'no figure of the old commit is posted',
    async run() {
      const github = await startGitHub({ pullRequests: [{ number: 7, sha: PUSHED, from: 'octo/app:fast' }] });
      try {
        const what = { ...WHAT, apiUrl: github.url, head: MEASURED, write: () => `${MARKER} figures` };
        const posted = await postComment(what);
        const happened = 'denied' in posted ? posted.denied : `posted ${posted.url}`;
        return { happened, holds: 'movedTo' in posted && github.comments.length === 0 };
      } finally {
        github.close();
      }
    },
  },
  {
    fault: 'three jobs comment at the same time beside another bot',
    promised: "one comment of ours, the other bot's is left alone",
    async run() {
      const other = {
        id: 1,
        body: `${MARKER} theirs`,
        login: 'renovate[bot]',
        type: /** @type {const} */ ('Bot'),
      };
      const github = await startGitHub({ comments: [other] });
      try {
        const posts = ['a', 'b', 'c'].map((text) =>
          postComment({ ...WHAT, apiUrl: github.url, write: () => `${MARKER} ${text}` }),
        );
        await Promise.all(posts);
        const ours = github.comments.filter(({ login }) => login === 'github-actions[bot]');
        const theirs = github.comments.find(({ id }) => id === 1)?.body;
        return {
          happened: `${ours.length} of ours; theirs says "${theirs?.slice(MARKER.length + 1)}"`,
          lost: theirs === `${MARKER} theirs` ? 0 : 1,
          holds: ours.length === 1,
        };
      } finally {
        github.close();
      }
    },
  },
];
