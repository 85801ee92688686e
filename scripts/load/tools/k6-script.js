// @ts-nocheck: k6 runs it, with its own modules
// The engine's own load, run by k6 and not by Node: its requests over and over, at a rate where one is given.
import { SharedArray } from 'k6/data';
import encoding from 'k6/encoding';
import exec from 'k6/execution';
import http from 'k6/http';
import { Counter } from 'k6/metrics';

const { method, timeout, expected, scenario, noConnectionReuse } = JSON.parse(open(__ENV.ASKED));
// Each user would hold a copy of a plain array. This one copies an element whenever it is read.
const requests = new SharedArray('requests', () => JSON.parse(open(__ENV.REQUESTS)));
const only = requests.length === 1 ? decoded(requests[0]) : undefined;

function decoded({ url, body, headers }) {
  return {
    url,
    body: body === undefined ? null : encoding.b64decode(body),
    params: { headers, redirects: 0, timeout },
  };
}

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

/** Error codes of k6 for names that have no address (11xx) and connections that cannot be opened (121x). */
const isConnect = (code) => Math.floor(code / 100) === 11 || Math.floor(code / 10) === 121;

export default function ask() {
  sent.add(1);
  const { url, body, params } = only ?? decoded(requests[exec.scenario.iterationInTest % requests.length]);
  const { status, error_code: code } = http.request(method, url, body, params);
  if (status === 0) unanswered[isConnect(code) ? 'connect' : 'resets'].add(1);
}
