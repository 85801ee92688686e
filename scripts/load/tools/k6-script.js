// @ts-nocheck: k6 runs it, with modules of its own
// The engine's own load, run by k6 and not by Node: one request over and over, at a rate where one is given.
import encoding from 'k6/encoding';
import http from 'k6/http';
import { Counter } from 'k6/metrics';

const { method, url, body: encoded, headers, scenario, noConnectionReuse } = JSON.parse(open(__ENV.ASKED));
const body = encoded === undefined ? null : encoding.b64decode(encoded);
const unanswered = new Counter('unanswered');
http.setResponseCallback(http.expectedStatuses({ min: 200, max: 299 }));

export const options = {
  scenarios: { load: scenario },
  ...{ noConnectionReuse, insecureSkipTLSVerify: true, discardResponseBodies: true, systemTags: [] },
};

const params = { headers, redirects: 0 };

export default function ask() {
  if (http.request(method, url, body, params).status === 0) unanswered.add(1);
}
