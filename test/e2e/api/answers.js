/** What GitHub's objects look like in full. */

/** @typedef {{ id: number, body: string, login: string, type: 'Bot' | 'User' }} Comment */

const AT = '2026-11-01T00:00:00Z';
const LINKS = [
  'followers',
  'following',
  'gists',
  'starred',
  'subscriptions',
  'organizations',
  'repos',
  'events',
  'received_events',
];

/**
 * @param {Comment} comment
 * @param {string} url the API's
 * @param {string} repository
 */
export function asComment({ id, body, login, type }, url, repository) {
  const at = `${url}/repos/${repository}/issues`;
  return {
    id,
    node_id: `IC_${id}`,
    url: `${at}/comments/${id}`,
    html_url: `https://github.com/${repository}/pull/7#issuecomment-${id}`,
    issue_url: `${at}/7`,
    body,
    created_at: AT,
    updated_at: AT,
    author_association: 'NONE',
    user: asUser(login, type, url),
  };
}

/**
 * @param {string} login
 * @param {'Bot' | 'User'} type
 * @param {string} url the API's
 */
function asUser(login, type, url) {
  const user = `${url}/users/${login}`;
  return {
    login,
    id: 41898282,
    node_id: 'MDM6Qm90',
    avatar_url: 'https://avatars.githubusercontent.com/in/15368',
    gravatar_id: '',
    url: user,
    html_url: `https://github.com/${login}`,
    ...Object.fromEntries(LINKS.map((name) => [`${name}_url`, `${user}/${name}`])),
    type,
    site_admin: false,
  };
}
