"""A client of plog that works on a good day: client.py HOST PORT, requests on standard input, one a line; prints each reply in hex."""
import secrets
import socket
import struct
import sys

HELLO, WELCOME, REQUEST, REPLY = 1, 2, 3, 4


class Client:
    def __init__(self, host, port):
        self.address = (host, port)
        self.id = secrets.randbits(62)
        self.number = 0
        self.connect()

    def connect(self):
        self.socket = socket.create_connection(self.address)
        self.socket.sendall(struct.pack(">IBBH4sI", 12, HELLO, 0, 1, b"PLOG", 0))
        welcome = self.frame()
        # Behind 16 bytes stand facts about the server, the number of targets, and the first target's id.
        facts, at = struct.unpack_from(">H", welcome, 16)[0], 18
        for _ in range(2 * facts):
            at += 2 + struct.unpack_from(">H", welcome, at)[0]
        self.target = struct.unpack_from(">H", welcome, at + 2)[0]

    def read(self, count):
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            if not more:
                raise ConnectionError("the server closed the connection")
            data += more
        return data

    def frame(self):
        length = self.read(4)
        return length + self.read(struct.unpack(">I", length)[0])

    def call(self, payload):
        self.number += 1
        head = struct.pack(">IBBH56xB7xQQ", 84 + len(payload), REQUEST, 0, self.target, 1, self.id, self.number)
        self.socket.sendall(head + payload)
        return self.frame()[88:]


if __name__ == "__main__":
    client = Client(sys.argv[1], int(sys.argv[2]))
    for line in sys.stdin.buffer:
        print(client.call(line.rstrip(b"\n")).hex(), flush=True)
