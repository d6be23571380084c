"""Proxies on 127.0.0.1 that make tunnels (RFC 9110, section 9.3.6) and do nothing else: one in the clear, one over TLS, and one that
wants a certificate of the client; and a SOCKS proxy that refuses everybody. The answers of the others to CONNECT have fields of a
response, which belong to nobody. The name of the user in a request chooses another answer: a status, or one of ANSWERS. Prints the
ports, then serves until it is ended.
"""

import asyncio
import base64
import os
import re
import ssl
import sys

FIELDS = (
    b"X-Tunnel: yes\r\nSet-Cookie: proxy=1; Path=/\r\nETag: \"proxy\"\r\nContent-Type: text/proxy\r\nContent-Encoding: gzip\r\n"
    b"Location: /proxy\r\nCache-Control: max-age=60\r\nRetry-After: 60\r\nWWW-Authenticate: Basic realm=proxy\r\n\r\n"
)
TUNNEL = b"HTTP/1.1 200 Connected\r\n" + FIELDS
REFUSAL = b"HTTP/1.1 %s No\r\nContent-Length: 2\r\nProxy-Authenticate: Basic realm=tea\r\n" + FIELDS + b"{}"
# What is sent, and whether a tunnel follows.
ANSWERS = {
    b"early": (b"HTTP/1.1 103 Early\r\nX-Tunnel: early\r\n\r\n" + TUNNEL, True),
    b"created": (TUNNEL.replace(b"200 Connected", b"201 Created"), True),
    b"old": (b"HTTP/1.0 200 Connection established\r\nProxy-agent: tea\r\n\r\n", True),
    b"closed": (b"", False),
    b"cut": (b"HTTP/1.1 200 Conn", False),
    b"field": (b"HTTP/1.1 200 Connected\r\nX-Tunnel: y", False),
    b"lost": (TUNNEL, False),
    b"garbage": (b"tea\r\n\r\n", False),
}


async def pump(reader, writer):
    try:
        while piece := await reader.read(65536):
            writer.write(piece)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def serve(reader, writer):
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        method, target, _ = head.split(b"\r\n")[0].split(b" ")
        credential = re.search(rb"\r\nProxy-Authorization: Basic (\S+)", head)
        user = base64.b64decode(credential[1]).split(b":")[0] if credential else b""
        answer, is_tunnel = ANSWERS.get(user, (TUNNEL, True))
        if method != b"CONNECT" or user.isdigit():
            answer = REFUSAL % (user if user.isdigit() else b"405")
            is_tunnel = False
        if not is_tunnel:
            writer.write(answer)
            return
        host, port = target.decode().rsplit(":", 1)
        origin = await asyncio.open_connection(host, int(port))
        writer.write(answer)
        await asyncio.gather(pump(reader, origin[1]), pump(origin[0], writer))
    except (OSError, ValueError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def refuse(reader, writer):
    """Wants a password, and refuses any (RFC 1928 and 1929)."""
    try:
        count = (await reader.readexactly(2))[1]
        await reader.readexactly(count)
        writer.write(b"\5\2")
        # The version and the name, and then the password, each after its length.
        for head in 2, 1:
            length = (await reader.readexactly(head))[-1]
            await reader.readexactly(length)
        writer.write(b"\1\1")
        await writer.drain()
    except (OSError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    mutual = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    mutual.load_cert_chain(sys.argv[1], sys.argv[2])
    mutual.verify_mode = ssl.CERT_REQUIRED
    mutual.load_verify_locations(os.path.join(os.path.dirname(sys.argv[1]), "authority.crt"))
    servers = {
        "proxy": await asyncio.start_server(serve, "127.0.0.1", 0),
        "proxy-secure": await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context),
        "proxy-mutual": await asyncio.start_server(serve, "127.0.0.1", 0, ssl=mutual),
        "socks": await asyncio.start_server(refuse, "127.0.0.1", 0),
    }
    print(*(f"{name}={server.sockets[0].getsockname()[1]}" for name, server in servers.items()), flush=True)
    await asyncio.gather(*(server.serve_forever() for server in servers.values()))


asyncio.run(main())
