"""A TLS server on 127.0.0.1 that ends its answers early. Prints its name and port, then serves until it is ended.

If it does not send close_notify, a client cannot know whether a body that lasts until the connection closes is complete:
somebody on the way may have cut it.

Two more want a certificate of the client, by the newest and by an older version of TLS.
"""

import os
import socket
import ssl
import sys
import threading
import time

from tls_request import read_request

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
ANSWERS = {
    b"/length": HEAD + b"Content-Length: 10\r\n\r\n{}",
    b"/chunks": HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
    b"/close": HEAD + b"\r\n{}",
    b"/goodbye": HEAD + b"\r\n{}",
    # No header that a client can read.
    b"/garbled": b"HTTP/1.1 500 No\r\nContent-Length: 7\r\n\r\r\n" + b'{"a":1}',
}


def serve(connection, context):
    connection.settimeout(30)
    try:
        with context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False) as tls:
            try:
                tls.do_handshake()
            except ssl.SSLError:
                # A reset, as bytes of the client were not read, would destroy the alert that is on its way.
                time.sleep(0.5)
                return
            request = read_request(tls)
            if not request:
                return
            path = request[0].split(b" ")[1]
            tls.sendall(ANSWERS[path])
            if path == b"/goodbye":
                tls.unwrap()
    except OSError:
        pass


def accept(listener, context):
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection, context), daemon=True).start()


def main():
    ports = []
    for name in ["cut", "mutual", "mutual-old"]:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        if name != "cut":
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(os.path.join(os.path.dirname(sys.argv[1]), "authority.crt"))
        if name == "mutual-old":
            context.maximum_version = ssl.TLSVersion.TLSv1_2
        listener = socket.create_server(("127.0.0.1", 0))
        ports.append(f"{name}={listener.getsockname()[1]}")
        threading.Thread(target=accept, args=(listener, context)).start()
    print(*ports, flush=True)


main()
