"""hypercorn over TLS on 127.0.0.1, as it is installed, but that it closes a connection which has been idle for 0.2 s. Prints its
name and port, then serves until it is ended.

A request for `/pause` is answered once other connections have been idle for longer.
"""

import asyncio
import socket
import sys

import hypercorn.asyncio
import hypercorn.config

KEEP_ALIVE = 0.2


async def application(scope, receive, send):
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body"):
        pass
    if scope["path"] == "/pause":
        await asyncio.sleep(3 * KEEP_ALIVE)
    fields = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": 200, "headers": fields})
    await send({"type": "http.response.body", "body": b"{}"})


def main():
    listener = socket.create_server(("127.0.0.1", 0))
    config = hypercorn.config.Config()
    config.bind = [f"fd://{listener.fileno()}"]
    config.certfile, config.keyfile = sys.argv[1], sys.argv[2]
    config.keep_alive_timeout = KEEP_ALIVE
    config.loglevel = "CRITICAL"
    print(f"hypercorn={listener.getsockname()[1]}", flush=True)
    asyncio.run(hypercorn.asyncio.serve(application, config))


main()
