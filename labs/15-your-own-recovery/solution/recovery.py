"""The reference of lab 15: reads directories of logs from standard input, one a line, and prints what each log holds."""
import os
import struct
import sys

BLOCK = 4096
HEADER_BYTES = 32
RECORD, MARK, CLOSING, SEAL, TRAILER = 1, 2, 3, 4, 5
FREE_BEHIND = {RECORD: 24576, MARK: 12288, CLOSING: 12288, SEAL: 0, TRAILER: 0}


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


class Damage(Exception):
    def __init__(self, file, offset):
        super().__init__("damaged %s %d" % (file, offset))


def content(directory, name):
    """The bytes of a file, or None."""
    try:
        with open(os.path.join(directory, name), "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def check_file(name, data, magic):
    """Head, checkpoint and segments begin alike."""
    if data is None or len(data) < 64 or data[:8] != magic:
        raise Damage(name, 0)
    if struct.unpack_from(">I", data, 12)[0] != crc32c(data[:12] + bytes(4) + data[16:64]):
        raise Damage(name, 12)


class Segment:
    def __init__(self, directory, number, log, first_index):
        self.name = "%020d.seg" % number
        self.data = content(directory, self.name)
        check_file(self.name, self.data, b"PLOGSEG1")
        found_log, found_number, epoch, self.size = struct.unpack_from(">16sQQQ", self.data, 16)
        if (found_log, found_number) != (log, number):
            raise Damage(self.name, 16)
        if len(self.data) < self.size:
            raise Damage(self.name, len(self.data))
        self.key = struct.pack(">Q", epoch)
        self.end = BLOCK  # of the valid records
        self.next_index = first_index
        self.payloads = []
        self.watermark = 0
        self.last_type = 0
        while self.read_record():
            pass
        self.look_behind()

    def header(self, at):
        """Type, bytes in all, payload, its crc, index and watermark, if a header that is right for this segment stands there."""
        if at + HEADER_BYTES > self.size or self.data[at + 28 : at + 32] != self.key[:4]:
            return None
        check, kind, flags, padding, length, crc, index, behind, _ = struct.unpack_from(">IBBHIIQII", self.data, at)
        if check != crc32c(self.key + self.data[at + 4 : at + HEADER_BYTES]):
            return None
        if kind not in FREE_BEHIND or flags or (length and kind != RECORD) or index == 0 or behind > index:
            return None
        total = HEADER_BYTES + length + padding
        if total % 8 or at + total > self.size - FREE_BEHIND[kind]:
            return None
        payload = self.data[at + HEADER_BYTES : at + HEADER_BYTES + length]
        return kind, total, payload, crc, index, index - behind if behind else 0

    def read_record(self):
        header = self.header(self.end)
        if header is None:
            return False
        kind, total, payload, crc, index, watermark = header
        if kind == TRAILER or index != self.next_index:
            return False
        if crc32c(payload) != crc:
            return False
        if kind == RECORD:
            self.payloads.append(payload)
            self.next_index += 1
        self.watermark = max(self.watermark, watermark)
        self.last_type = kind
        self.end += total
        return True

    def look_behind(self):
        """Only what this segment's writers left counts: it bears the epoch, or shares the block with the last record."""
        own_up_to = (self.end + BLOCK - 1) // BLOCK * BLOCK
        self.torn = False
        second = 0
        later_watermark = 0
        at = self.end
        while at < self.size:
            header = self.header(at)
            if header and header[0] == TRAILER and header[4] < self.next_index:
                at += HEADER_BYTES  # of records that are valid
                continue
            if at < own_up_to and any(self.data[at : at + 8]):
                self.torn = True
            if header and header[4] >= self.next_index:
                self.torn = True
                later_watermark = max(later_watermark, header[5])
                if header[4] == self.next_index and header[0] in (SEAL, CLOSING):
                    second = header[0]
            at += 8
        self.watermark = max(self.watermark, later_watermark)
        if later_watermark >= self.next_index:
            second = 0
        self.sealed = SEAL in (self.last_type, second)
        self.closed = CLOSING in (self.last_type, second)

    def holds_record(self, least):
        header = self.header(BLOCK)
        return header is not None and header[4] >= least or self.watermark >= least


def behind_last(directory, number, log, last):
    """Whether a segment behind the last one holds a record; if nothing is known of it, it was prepared and is made anew."""
    try:
        return Segment(directory, number, log, last.next_index).holds_record(last.next_index)
    except Damage:
        return False


def fold(state, payload):
    return crc32c(struct.pack(">I", state) + payload)


def recover(directory):
    head = content(directory, "log.head")
    check_file("log.head", head, b"PLOGHEAD")
    log, number, index, least = struct.unpack_from(">16sQQQ", head, 16)
    checkpoint, state = 0, 0
    saved = content(directory, "log.checkpoint")
    if saved is not None:
        check_file("log.checkpoint", saved, b"PLOGCKPT")
        checkpoint, size, crc = struct.unpack_from(">QQI", saved, 32)
        if crc32c(saved[64 : 64 + size]) != crc:
            raise Damage("log.checkpoint", 64)
        state = crc32c(saved[64 : 64 + size])
    if checkpoint < least:
        raise Damage("log.checkpoint", 0)
    watermark = checkpoint
    segment = None
    while segment is None or segment.sealed:
        segment = Segment(directory, number, log, index)
        for payload in segment.payloads:
            if index > checkpoint:  # the effect of those before is in its state
                state = fold(state, payload)
            index += 1
        watermark = max(watermark, segment.watermark)
        number += 1
    if watermark >= index:
        raise Damage(segment.name, segment.end)
    while content(directory, "%020d.seg" % number) is not None:
        if behind_last(directory, number, log, segment):
            raise Damage(segment.name, segment.end)
        number += 1
    end = "closed" if segment.closed else "torn" if segment.torn else "open"
    return "%s %d %08x" % (end, index - 1, state)


if __name__ == "__main__":
    for line in sys.stdin:
        try:
            print(recover(line.rstrip("\n")), flush=True)
        except Damage as damage:
            print(damage, flush=True)
