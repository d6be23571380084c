"""A proxy on 127.0.0.1 that makes tunnels (RFC 9110, section 9.3.6) and does nothing else. Prints its port, then serves until it
is ended.
"""

import socket
import threading


def pump(source, target):
    try:
        while piece := source.recv(65536):
            target.sendall(piece)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def serve(client):
    try:
        head = b""
        while b"\r\n\r\n" not in head:
            piece = client.recv(65536)
            if not piece:
                return
            head += piece
        method, target, _ = head.split(b"\r\n")[0].split(b" ")
        if method != b"CONNECT":
            client.sendall(b"HTTP/1.1 405 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return
        host, port = target.decode().rsplit(":", 1)
        with socket.create_connection((host, int(port))) as server:
            client.sendall(b"HTTP/1.1 200 Connected\r\nX-Tunnel: yes\r\n\r\n")
            back = threading.Thread(target=pump, args=(server, client), daemon=True)
            back.start()
            pump(client, server)
            back.join()
    except (OSError, ValueError):
        pass
    finally:
        client.close()


def main():
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"proxy={listener.getsockname()[1]}", flush=True)
    while True:
        client, _ = listener.accept()
        threading.Thread(target=serve, args=(client,), daemon=True).start()


main()
