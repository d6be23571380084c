"""A TLS server on 127.0.0.1 that speaks HTTP/2 (RFC 9113) where the client takes it, and ends its answers in odd ways. Prints
its ports, then serves until it is ended.

It supports only literals of HPACK (RFC 7541, section 6.2.2), and looks only for the end of a request: each answer has a port
of its own.
"""

import socket
import ssl
import sys
import threading
import time

from tls_request import read_request

DATA, HEADERS, RST_STREAM, SETTINGS, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 7, 8
END_STREAM, END_HEADERS = 1, 4
MAX_CONCURRENT_STREAMS = 3


def frame(kind, flags, payload, stream=1):
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def text(value):
    # A length of up to 126 bytes, without Huffman's code.
    return bytes([len(value)]) + value


def headers(fields, flags=0, stream=1):
    block = b"".join(b"\0" + text(name) + text(value) for name, value in fields)
    return frame(HEADERS, END_HEADERS | flags, block, stream)


OK_FIELDS = [(b":status", b"200"), (b"content-type", b"application/json")]
OK = headers(OK_FIELDS)
# Each piece is a record of TLS, sent a little later than the one before.
ANSWERS = {
    # How many bytes the body had, which has to fit into the window of a stream, 64 KB; for all requests of a connection, one by one.
    "h2": None,
    # The same for the first request of a connection; the others get no answer.
    "h2-silent": None,
    # The same, and the others find that the connection ends, or has ended for a while with close_notify only.
    "h2-closing": None,
    "h2-notify": None,
    # An event, whose stream stays open; nothing else is answered on the connection.
    "h2-events": [
        headers([(b":status", b"200"), (b"content-type", b"text/event-stream")])
        + frame(DATA, 0, b"retry: 0\ndata: tea\n\n")
    ],
    "h2-trailers": [OK + frame(DATA, 0, b"{}") + headers([(b"x-tea", b"a")], END_STREAM)],
    "h2-location": [headers([(b":status", b"302"), (b"location", b"//[::1]:1/")], END_STREAM)],
    "h2-reset": [OK + frame(DATA, 0, b"{"), frame(RST_STREAM, 0, b"\0\0\0\0")],
    # Before the end of the request, whose window stays as it is.
    "h2-early": [headers([(b":status", b"200"), (b"content-length", b"2")]) + frame(DATA, END_STREAM, b"{}")],
    "h2-early-reset": [OK + frame(DATA, END_STREAM, b"{}"), frame(RST_STREAM, 0, b"\0\0\0\0")],
    # The first connection allows no stream, or one, which gets no answer.
    "h2-no-streams": [OK + frame(DATA, END_STREAM, b"{}")],
    "h2-one-stream": [OK + frame(DATA, END_STREAM, b"{}")],
    # The first connection refuses the stream (RFC 9113, section 8.7).
    "h2-refused": [OK + frame(DATA, END_STREAM, b"{}")],
    # Every stream wants HTTP/1.1 (`HTTP_1_1_REQUIRED`, section 7), as which the server answers like "h2".
    "h2-legacy": None,
    "h2-legacy-early": None,
    # The same, after a response has begun.
    "h2-legacy-late": None,
    # Every connection refuses the stream, or goes away without having handled one (section 6.8).
    "h2-overloaded": [frame(RST_STREAM, 0, b"\0\0\0\7")],
    "h2-leaving": [frame(GOAWAY, 0, bytes(8), 0)],
    # Numbers of whole fields (RFC 7541, appendix A), whose text is longer: a record has at most 16 KB, and libcurl's buffer, too.
    "h2-record": [frame(HEADERS, END_HEADERS, b"\x88" + b"\x90" * 10) + frame(DATA, END_STREAM, b"a" * 16_300)],
}

# The number of streams that a first connection allows.
STREAMS = {"h2-no-streams": 0, "h2-one-stream": 1}


# The connections of h2-notify on which an answer was sent.
answered, lock = [], threading.Lock()


def leave_answered():
    with lock:
        while answered:
            tls = answered.pop()
            # Sends close_notify; the client's is not waited for, as in Python's asyncio.
            tls.settimeout(0)
            try:
                tls.unwrap()
            except OSError:
                pass


def serve_legacy(tls):
    while request := read_request(tls):
        text = b'{"count":%d}' % len(request[1])
        fields = b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(text)
        tls.sendall(b"HTTP/1.1 200 OK\r\n" + fields + text)


def serve(connection, context, name, answer, is_first):
    connection.settimeout(60)
    try:
        with context.wrap_socket(connection, server_side=True) as tls:
            if tls.selected_alpn_protocol() != "h2":
                if "legacy" in name:
                    return serve_legacy(tls)
                tls.sendall(b"HTTP/1.1 505 No\r\nContent-Length: 0\r\n\r\n")
                return
            settings = b""
            if is_first and name in STREAMS:
                settings = MAX_CONCURRENT_STREAMS.to_bytes(2, "big") + STREAMS[name].to_bytes(4, "big")
            tls.sendall(frame(SETTINGS, 0, settings, 0))
            # The preface, and then frames up to the end of a request.
            skipped, rest, is_acknowledged = 24, b"", False
            while True:
                count, is_ended, stream = 0, False, 1
                while not is_ended:
                    while len(rest) < 9 or len(rest) < 9 + int.from_bytes(rest[:3], "big"):
                        piece = tls.recv(65536)
                        if not piece:
                            return
                        rest += piece[skipped:]
                        skipped = max(0, skipped - len(piece))
                    length, kind, flags = int.from_bytes(rest[:3], "big"), rest[3], rest[4]
                    if kind in (DATA, HEADERS):
                        stream = int.from_bytes(rest[5:9], "big")
                    count += length if kind == DATA else 0
                    is_ended = is_ended or (kind in (DATA, HEADERS) and flags & END_STREAM != 0)
                    is_ended = is_ended or (kind == HEADERS and "early" in name)
                    rest = rest[9 + length :]
                if name == "h2-closing" and stream > 1:
                    return
                if not is_acknowledged:
                    tls.sendall(frame(SETTINGS, 1, b"", 0))
                    is_acknowledged = True
                if is_first and name in STREAMS:
                    answer = [b""]
                elif is_first and name == "h2-refused":
                    answer = [frame(RST_STREAM, 0, b"\0\0\0\7")]
                if name == "h2-legacy-late":
                    tls.sendall(headers(OK_FIELDS, 0, stream) + frame(DATA, 0, b"{", stream))
                    time.sleep(0.2)
                if "legacy" in name:
                    tls.sendall(frame(RST_STREAM, 0, b"\0\0\0\x0d", stream))
                    continue
                if answer:
                    break
                if count:
                    tls.sendall(frame(WINDOW_UPDATE, 0, count.to_bytes(4, "big"), 0))
                time.sleep(0.2)
                if name == "h2-notify":
                    leave_answered()
                tls.sendall(headers(OK_FIELDS, 0, stream) + frame(DATA, END_STREAM, b'{"count":%d}' % count, stream))
                if name == "h2-silent":
                    answer = []
                    break
                if name == "h2-notify":
                    with lock:
                        answered.append(tls)
                    time.sleep(60)
                    return
            for piece in answer:
                time.sleep(0.2)
                tls.sendall(piece)
            while tls.recv(65536):
                pass
    except OSError:
        pass


def accept(listener, context, name, answer):
    is_first = True
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection, context, name, answer, is_first), daemon=True).start()
        is_first = False


def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    context.set_alpn_protocols(["h2", "http/1.1"])
    threads, ports = [], []
    for name, answer in ANSWERS.items():
        listener = socket.create_server(("127.0.0.1", 0))
        ports.append(f"{name}={listener.getsockname()[1]}")
        threads.append(threading.Thread(target=accept, args=(listener, context, name, answer), daemon=True))
    for thread in threads:
        thread.start()
    print(*ports, flush=True)
    threads[0].join()


main()
