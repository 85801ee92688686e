// @ts-nocheck: k6 runs it, with its own modules
// The engine's own load, run by k6 and not by Node: one request over and over, at a rate where one is given.
import encoding from 'k6/encoding';
import http from 'k6/http';
import { Counter } from 'k6/metrics';

const {
  method,
  url,
  body: encoded,
  headers,
  expected,
  scenario,
  noConnectionReuse,
} = JSON.parse(open(__ENV.ASKED));
const body = encoded === undefined ? null : encoding.b64decode(encoded);
// k6 counts no request that has no answer when the test ends; `sent` does.
const sent = new Counter('sent');
const unanswered = { connect: new Counter('connect'), resets: new Counter('resets') };
http.setResponseCallback(http.expectedStatuses(expected));

export const options = {
  scenarios: { load: scenario },
  noConnectionReuse,
  insecureSkipTLSVerify: true,
  discardResponseBodies: true,
  systemTags: [],
};

const params = { headers, redirects: 0 };

/** Error codes of k6 for names that have no address (11xx) and connections that cannot be opened (121x). */
const isConnect = (code) => Math.floor(code / 100) === 11 || Math.floor(code / 10) === 121;

export default function ask() {
  sent.add(1);
  const { status, error_code: code } = http.request(method, url, body, params);
  if (status === 0) unanswered[isConnect(code) ? 'connect' : 'resets'].add(1);
}
