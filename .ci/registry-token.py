"""A token server for a registry of containers, on 127.0.0.1. Takes a certificate and its key. Prints its port, then serves until it
is ended.

It gives tokens to `teapot` with the password `secret`, for whatever a query asks. To `stale` it first gives one, for each scope, that
has expired.
"""

import base64
import http.server
import json
import re
import subprocess
import sys
import threading
import time
import urllib.parse

CERTIFICATE, KEY = sys.argv[1:3]
seen = set()
lock = threading.Lock()


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def token(service, user, scopes, age):
    """A JSON Web Token (RFC 7519), signed with RS256 (RFC 7518), with its certificate."""
    pem = re.sub("-----.*?-----|\\s", "", open(CERTIFICATE).read())
    header = {"typ": "JWT", "alg": "RS256", "x5c": [pem]}
    now = int(time.time()) - age
    claims = {
        "iss": "teapot", "sub": user, "aud": service, "jti": str(time.monotonic_ns()),
        "nbf": now - 10, "iat": now, "exp": now + 300,
        "access": [
            {"type": kind, "name": name, "actions": actions.split(",")}
            for kind, name, actions in (scope.split(":") for scope in scopes)
        ],
    }
    text = b".".join(encoded(json.dumps(part).encode()) for part in (header, claims))
    sign = ["openssl", "dgst", "-sha256", "-sign", KEY]
    signature = subprocess.run(sign, input=text, capture_output=True, check=True).stdout
    return (text + b"." + encoded(signature)).decode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        users = {"Basic " + base64.b64encode(f"{user}:secret".encode()).decode(): user for user in ("teapot", "stale")}
        user = users.get(self.headers.get("Authorization"))
        if user is None:
            self.answer(401, {"details": "wrong username or password"})
            return
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        scopes = query.get("scope", [])
        with lock:
            is_first = (user, *scopes) not in seen
            seen.add((user, *scopes))
        age = 3600 if user == "stale" and is_first else 0
        self.answer(200, {"token": token(query["service"][0], user, scopes, age), "expires_in": 300})

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        if status == 401:
            self.send_header("WWW-Authenticate", 'Basic realm="tokens"')
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
