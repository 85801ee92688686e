"""The engine's own load, run by Locust: one request over and over. Workers get this file from their master, so it needs no other."""

import json
from base64 import b64decode

from locust import FastHttpUser, task

ASKED = json.loads("{}")
# The client writes headers as Latin-1: what is sent are the bytes of UTF-8, as by the other tools.
HEADERS = {name: value.encode().decode("latin-1") for name, value in ASKED["headers"].items()}
BODY = b64decode(ASKED["body"]) if "body" in ASKED else None


class Asking(FastHttpUser):
    @task
    def ask(self):
        with self.client.request(
            ASKED["method"],
            ASKED["path"],
            data=BODY,
            headers=HEADERS,
            allow_redirects=False,
            catch_response=True,
        ) as response:
            if not 200 <= response.status_code < 300:
                response.failure(str(response.status_code))
