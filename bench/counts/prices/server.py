"""Prices from PostgreSQL, each route with one statement."""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import SimpleQueue

import psycopg

CONNECTIONS = 10
pool = SimpleQueue()
for _ in range(CONNECTIONS):
    pool.put(psycopg.connect(os.environ["DATABASE_URL"], autocommit=True))


def read(statement, *values):
    connection = pool.get()
    try:
        return connection.execute(statement, values).fetchall()
    finally:
        pool.put(connection)


def prices():
    return read("SELECT item, cents FROM prices ORDER BY item")


def price(item):
    return read("SELECT item, cents FROM prices WHERE item = %s", item)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # An answer in two packets waits for the client's acknowledgement.
    wbufsize = -1

    def do_GET(self):
        _, _, item = self.path[1:].partition("/")
        body = json.dumps(price(int(item)) if item else prices()).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


connection = pool.get()
connection.execute(
    "CREATE TABLE IF NOT EXISTS prices AS SELECT n AS item, 100 * n AS cents FROM generate_series(1, 40) n"
)
pool.put(connection)
ThreadingHTTPServer.request_queue_size = 64
ThreadingHTTPServer((os.environ["HOST"], int(os.environ["PORT"])), Handler).serve_forever()
