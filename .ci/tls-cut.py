"""A TLS server on 127.0.0.1 that ends its answers early. Prints its name and port, then serves until it is ended.

If it does not send close_notify, a client cannot know whether a body that lasts until the connection closes is complete:
somebody on the way may have cut it.
"""

import socket
import ssl
import sys
import threading

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
ANSWERS = {
    b"/length": HEAD + b"Content-Length: 10\r\n\r\n{}",
    b"/chunks": HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
    b"/close": HEAD + b"\r\n{}",
    b"/goodbye": HEAD + b"\r\n{}",
}


def serve(connection, context):
    connection.settimeout(30)
    try:
        with context.wrap_socket(connection, server_side=True) as tls:
            request = b""
            while b"\r\n\r\n" not in request:
                piece = tls.recv(65536)
                if not piece:
                    return
                request += piece
            path = request.split(b" ")[1]
            tls.sendall(ANSWERS[path])
            if path == b"/goodbye":
                tls.unwrap()
    except OSError:
        pass


def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"cut={listener.getsockname()[1]}", flush=True)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection, context), daemon=True).start()


main()
