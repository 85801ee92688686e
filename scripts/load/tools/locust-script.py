"""The engine's own load, run by Locust: one request over and over. Workers get this file from their master, so it needs no other."""

import json
from base64 import b64decode
from time import perf_counter

from gevent import GreenletExit
from locust import FastHttpUser, task

ASKED = json.loads("{}")
# The client writes headers as Latin-1, so that UTF-8 bytes are sent, as by the other tools.
HEADERS = {name: value.encode().decode("latin-1") for name, value in ASKED["headers"].items()}
BODY = b64decode(ASKED["body"]) if "body" in ASKED else None
EXPECTED = [ASKED["expectedStatus"]] if "expectedStatus" in ASKED else range(200, 300)


class Asking(FastHttpUser):
    connection_timeout = network_timeout = ASKED["timeout"]

    @task
    def ask(self):
        began = perf_counter()
        try:
            with self.client.request(
                ASKED["method"],
                ASKED["path"],
                data=BODY,
                headers=HEADERS,
                allow_redirects=False,
                catch_response=True,
            ) as response:
                if response.status_code == 0:
                    # Requests without an answer get a row of their own in the statistics.
                    is_refused = isinstance(response.error, ConnectionRefusedError)
                    response.request_meta["name"] = "(connect)" if is_refused else "(resets)"
                elif response.status_code not in EXPECTED:
                    response.failure(str(response.status_code))
                else:
                    # By itself it fails what is above 399.
                    response.success()
        except GreenletExit:
            # The test has ended, and the request has no answer yet.
            waited = 1000 * (perf_counter() - began)
            self.environment.events.request.fire(
                request_type=ASKED["method"],
                name="(unanswered)",
                response_time=waited,
                response_length=0,
                exception=None,
                context={},
            )
            raise
