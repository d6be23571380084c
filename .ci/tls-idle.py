"""A TLS server on 127.0.0.1 that does something to connections between two requests. Prints its name and port, then serves until
it is ended.

Each connection gets one answer after another. A request for `/close`, `/stray` or `/late` is answered once all other connections
have been closed, or have been sent a response that nobody asked for: a 200, or a 408. The answer has the number of the connection.
"""

import socket
import ssl
import sys
import threading

from tls_request import read_request

connections, lock = {}, threading.Lock()


def answer(text, status="200 OK"):
    return (f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n{text}").encode()


def change(tls, path):
    if path == "/close":
        # Sends close_notify; the client's is not waited for.
        tls.settimeout(0)
        try:
            tls.unwrap()
        except OSError:
            pass
        tls.shutdown(socket.SHUT_WR)
    elif path == "/stray":
        tls.sendall(answer('{"is":"stray"}'))
    elif path == "/late":
        tls.sendall(answer('{"is":"stray"}', "408 Request Timeout"))


def serve(connection, context, number):
    connection.settimeout(60)
    try:
        with context.wrap_socket(connection, server_side=True) as tls:
            with lock:
                connections[number] = tls
            while request := read_request(tls):
                with lock:
                    path = request[0].split(b" ")[1].decode()
                    for other in [key for key in connections if key != number] if path != "/get" else []:
                        change(connections.pop(other), path)
                tls.sendall(answer('{"connection":%d}' % number))
    except OSError:
        pass
    finally:
        with lock:
            connections.pop(number, None)


def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"idle={listener.getsockname()[1]}", flush=True)
    number = 0
    while True:
        connection, _ = listener.accept()
        number += 1
        threading.Thread(target=serve, args=(connection, context, number), daemon=True).start()


main()
