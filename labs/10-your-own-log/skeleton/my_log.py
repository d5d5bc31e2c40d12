#!/usr/bin/env python3
"""A log that works on a good day, in another language: plog lab run-yours --command "python3 my_log.py".

Lab 10 describes the lines. Only what they say counts: a new life begins with recover.
"""
import base64
import sys

waiting = []  # requests that came while the disk was called


def line():
    text = sys.stdin.readline()
    if not text:
        sys.exit()
    return text.rstrip("\n").split(" ")


def disk(*words):
    """Calls the disk, and returns what it answers; OSError if it failed."""
    print("disk", *words, flush=True)
    while True:
        answer = line()
        if answer[0] not in ("ok", "failed"):
            waiting.append(answer)  # another caller's request
        elif answer[0] == "failed":
            raise OSError(" ".join(answer[1:]))
        else:
            return answer[1:]


def encoded(data):
    return base64.b64encode(data).decode()


class Log:
    def __init__(self):
        self.records = []
        self.end = 0

    def recover(self):
        if "log" not in disk("list"):
            disk("create", "log")
        size = int(disk("size", "log")[0])
        while self.end < size:
            length = int.from_bytes(self.bytes_at(self.end, 4), "big")
            self.records.append(self.bytes_at(self.end + 4, length))
            self.end += 4 + length
        return f"0 {encoded(b'')} {len(self.records)}"  # checkpoint, its state, last record

    def bytes_at(self, offset, count):
        return base64.b64decode(disk("read", "log", offset, count)[0])

    def append(self, record):
        record = base64.b64decode(record)
        disk("write", "log", self.end, encoded(len(record).to_bytes(4, "big") + record))
        self.end += 4 + len(record)
        self.records.append(record)
        return len(self.records)

    def read(self, index):
        return encoded(self.records[int(index) - 1])


log = Log()
while True:
    number, call, *arguments = waiting.pop(0) if waiting else line()
    if call == "recover":
        log = Log()
    try:
        print(number, "ok", getattr(log, call)(*arguments), flush=True)
    except OSError as error:
        print(number, "failed", error, flush=True)
