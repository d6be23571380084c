"""An HTTP server on 127.0.0.1 that answers when it is told to, behind nginx, which limits what it lets through. Prints its name and
port, then serves until it is ended.

A request for `/hold` is answered after one for `/release`, and one for `/held` once two are held.
"""

import http.server
import threading

condition, held, released = threading.Condition(), 0, 0


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        global held, released
        with condition:
            if self.path == "/hold":
                held += 1
                condition.notify_all()
                turn = released
                condition.wait_for(lambda: released > turn, timeout=60)
                held -= 1
            elif self.path == "/held":
                condition.wait_for(lambda: held >= 2, timeout=60)
            elif self.path == "/release":
                released += 1
                condition.notify_all()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"hold={server.server_address[1]}", flush=True)
server.serve_forever()
