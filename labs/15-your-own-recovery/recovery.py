"""A recovery that works on a good day: reads directories of logs from standard input, one a line, and prints what each holds."""
import os
import struct
import sys

BLOCK = 4096
HEADER_BYTES = 32
RECORD, MARK, CLOSING, SEAL, TRAILER = 1, 2, 3, 4, 5


def crc_table():
    table = []
    for crc in range(256):
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
        table.append(crc)
    return table


TABLE = crc_table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def recover(directory):
    last, state, end = 0, 0, "open"
    for name in sorted(os.listdir(directory)):
        if not name.endswith(".seg"):
            continue
        with open(os.path.join(directory, name), "rb") as file:
            data = file.read()
        at = BLOCK
        while at + HEADER_BYTES <= len(data):
            check, kind, flags, padding, length, crc, index, behind, salt = struct.unpack_from(">IBBHIIQII", data, at)
            if kind not in (RECORD, MARK, CLOSING, SEAL):
                break
            if kind == RECORD:
                payload = data[at + HEADER_BYTES : at + HEADER_BYTES + length]
                state = crc32c(struct.pack(">I", state) + payload)
                last = index
            end = "closed" if kind == CLOSING else "open"
            at += HEADER_BYTES + length + padding
    return "%s %d %08x" % (end, last, state)


if __name__ == "__main__":
    for line in sys.stdin:
        print(recover(line.rstrip("\n")), flush=True)
