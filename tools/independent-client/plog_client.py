#!/usr/bin/env python3
"""A client of plog's wire protocol, from docs/protocol.md and Python's library alone. Sends each line of its standard input
to a target, prints "INDEX ANSWER", and repeats a request whose reply is lost: it is executed once all the same.

    printf 'pay 7\npay 8\n' | plog_client.py HOST PORT TARGET"""
import secrets, socket, struct, sys

WELCOME, REPLY, GOODBYE = 2, 4, 5


class Plog:
    def __init__(self, host, port, target):
        self.address, self.number = (host, port), 0
        self.client = secrets.randbits(62)  # below the ids that the HTTP port has
        self.target = self.connect()[target]

    def connect(self):  # returns the targets' ids by name
        self.socket = socket.create_connection(self.address, 5)
        self.socket.settimeout(30)
        self.socket.sendall(struct.pack(">IBBH4sI", 12, 1, 0, 1, b"PLOG", 0))  # HELLO, without a token
        frame, ids = self.frame(WELCOME), {}
        (count,), at = struct.unpack_from(">H", frame, (end := self.after_facts(frame, 16))), end + 2
        for _ in range(count):
            (number,), (name, at) = struct.unpack_from(">H", frame, at), self.string(frame, at + 2)
            at = self.after_facts(frame, self.string(frame, at)[1])  # its way of forcing, and facts about its disk
            ids[name] = number
        return ids

    def string(self, frame, at):
        end = at + 2 + struct.unpack_from(">H", frame, at)[0]
        return frame[at + 2:end].decode(), end

    def after_facts(self, frame, at):
        strings, at = 2 * struct.unpack_from(">H", frame, at)[0], at + 2
        for _ in range(strings):
            at = self.string(frame, at)[1]
        return at

    def read(self, count):
        data = b""
        while len(data) < count:
            data += (more := self.socket.recv(count - len(data)))
            if not more:
                raise ConnectionError("the server closed the connection")
        return data

    def frame(self, expected):
        frame = (length := self.read(4)) + self.read(struct.unpack(">I", length)[0])
        if frame[4] != expected:
            sys.exit("goodbye: " + self.string(frame, 8)[0] if frame[4] == GOODBYE else "an unexpected frame")
        return frame

    def call(self, payload, number=None):
        self.number = number if number else self.number + 1
        request = struct.pack(">IBBH56xB7xQQ", 84 + len(payload), 3, 0, self.target, 1, self.client, self.number)
        for attempts_left in (2, 1, 0):
            try:
                self.socket.sendall(request + payload)
                reply = self.frame(REPLY)
                break
            except OSError:  # nobody knows whether it was executed: the same number again
                if not attempts_left:
                    raise
                self.connect()
        status, index = struct.unpack_from(">HQ", reply, 6)
        if status or struct.unpack_from(">QQ", reply, 72) != (self.client, self.number):
            sys.exit("status %d: %s" % (status, reply[88:].decode(errors="replace")))
        return index, reply[88:]


if __name__ == "__main__":
    plog = Plog(sys.argv[1], int(sys.argv[2]), sys.argv[3])
    for line in sys.stdin.buffer:
        print("%d %s" % ((answer := plog.call(line.rstrip(b"\n")))[0], answer[1].hex()))
