/**
 * Secrets that a machine of CI or a developer's has in its environment, by the names that their programs use.
 */

import { createHash } from 'node:crypto';

export const PLANTED = [
  'AWS_SECRET_ACCESS_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_SESSION_TOKEN',
  'AZURE_CLIENT_SECRET',
  'GOOGLE_API_KEY',
  'NPM_TOKEN',
  'NODE_AUTH_TOKEN',
  'PYPI_PASSWORD',
  'CARGO_REGISTRY_TOKEN',
  'DOCKER_AUTH_CONFIG',
  'COMPOSER_AUTH',
  'GH_PAT',
  'GITLAB_TOKEN',
  'SSH_PRIVATE_KEY',
  'SLACK_WEBHOOK_URL',
  'DISCORD_WEBHOOK',
  'SENTRY_DSN',
  'DATABASE_URL',
  'PGPASSWORD',
  'MYSQL_PWD',
  'REDIS_AUTH',
  'MONGO_CONNECTION',
  'STRIPE_KEY',
  'TWILIO_SID',
  'JWT_SECRET',
  'SESSION_SALT',
  'KUBECONFIG_DATA',
];

/** @returns {Record<string, string>} a value for each that stands nowhere else */
export function planted() {
  return Object.fromEntries(PLANTED.map((name) => [name, valueOf(name)]));
}

/** @param {string} name */
function valueOf(name) {
  const value = createHash('sha256').update(name).digest('hex').slice(0, 20);
  return name === 'DATABASE_URL' ? `postgres://app:${value}@db.example/app` : value;
}
