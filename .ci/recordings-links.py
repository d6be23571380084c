"""Serves a list page by page, by a token in the `Link` to the next one, and prints its port.

GET /items?page_size=2&access_token=… gets the first two leaves. The link has the token of the page, and the one of the client, as
many servers repeat it there.
"""

import base64
import http.server
import json
import sys
import urllib.parse

LEAVES = [f"leaf {number}" for number in range(1, 6)]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if url.path != "/items" or not {"access_token", "key"} & set(query):
            return self.answer(401, {"error": "a token is missing"})
        try:
            start = int(base64.urlsafe_b64decode(query.get("page_token", "MA==")))
        except ValueError:
            return self.answer(400, {"error": "no such page"})
        end = start + int(query.get("page_size", "2"))
        if end < len(LEAVES):
            query["page_token"] = base64.urlsafe_b64encode(str(end).encode()).decode()
            self.link = f'<{url.path}?{urllib.parse.urlencode(query)}>; rel="next"'
        self.answer(200, LEAVES[start:end])

    link = None

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if self.link:
            self.send_header("Link", self.link)
            self.link = None
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
sys.stdout.close()
server.serve_forever()
