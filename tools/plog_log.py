#!/usr/bin/env python3
"""Reads a plog log, written from docs/log-format.md alone: it shares no code with the log itself.

    tools/plog_log.py verify [--json] DIR...      what the log is, in the words of plog log verify
    tools/plog_log.py dump [--payload] DIR...     each record, a line of JSON, as plog log dump --json prints it

It changes nothing. Exit code 0: the log is fine; 1: there is none, or it cannot be read, or a newer plog wrote it; 2: misused; 3: it is damaged.
Several logs are taken one after the other; each then ends with a line {"directory": ..., "exit": ...}. A striped log is named
by all of its directories, in order, with + between: DIR1+DIR2.
Python 3.8 or newer, nothing else.
"""

import argparse
import base64
import json
import mmap
import os
import re
import struct
import sys

BLOCK = 4096
GRAIN = 64 * 1024
RECORD_BYTES = 32
MOST_STATE_BYTES = 1 << 30
MOST_SEGMENT_BYTES = 1 << 30
VERSION = 1
CUT_VERSION = 2  # of the head and of segments of a log that was cut at its end; of the head also if there are cells
CELLS_COPY = 17 * BLOCK
RECORD, MARK, CLOSING, SEAL, TRAILER = 1, 2, 3, 4, 5
# What stays free behind a record of each type, so that a mark and a seal always fit.
FREE_BEHIND = {RECORD: 24576, MARK: 12288, CLOSING: 12288, SEAL: 0, TRAILER: 0}
SEGMENT_NAME = re.compile(r"[0-9]{20}\.seg\Z")
MOST_INDEX = (1 << 63) - 1

DONE, FAILED, MISUSED, DAMAGED = 0, 1, 2, 3


# --- CRC-32C (Castagnoli) ------------------------------------------------------------------------------------------------
#
# The data are the coefficients of a polynomial over GF(2), and the CRC is its remainder. As an integer read little-endian, the
# lowest bit is the coefficient of the highest power. So the lower part of the integer, times x^k, and the k bits above it, added,
# leave the same remainder; and x^k may be replaced by its own remainder of 32 bits, which makes the product a handful of shifts.
# That halves the data with the speed of integers, and a table of bytes finishes the last few: some 200 MB/s.

POLYNOMIAL = 0x82F63B78


def _times_x(remainder):
    return remainder >> 1 ^ (POLYNOMIAL if remainder & 1 else 0)


def _product(a, b):
    result = 0
    while a:
        if a & 0x80000000:
            result ^= b
        a = a << 1 & 0xFFFFFFFF
        b = _times_x(b)
    return result


def _power_of_x(exponent):
    result, square = 0x80000000, 0x40000000
    while exponent:
        if exponent & 1:
            result = _product(result, square)
        square = _product(square, square)
        exponent >>= 1
    return result


def _table():
    table = []
    for remainder in range(256):
        for _ in range(8):
            remainder = _times_x(remainder)
        table.append(remainder)
    return table


def _folds():
    """For each k: from how many bits on it is used, and the shifts that multiply by x^k."""
    folds = []
    bits = 2048
    while bits < 1 << 34:
        remainder = _power_of_x(bits)
        folds.append((bits, [shift + 1 for shift in range(32) if remainder >> shift & 1]))
        bits = 2 * bits - 32
    return folds[::-1]


_TABLE = _table()
_FOLDS = _folds()


def crc32c(data):
    size = len(data)
    if size * 8 > _FOLDS[-1][0]:
        bits = size * 8
        number = int.from_bytes(data, "little") ^ 0xFFFFFFFF
        for kept, shifts in _FOLDS:
            if bits > kept:
                moved = number & (1 << bits - kept) - 1
                product = 0
                for shift in shifts:
                    product ^= moved << shift
                number = number >> bits - kept ^ product << 2 * kept - bits - 32
                bits = kept
        data = number.to_bytes(bits // 8, "little")
        crc = 0
    else:
        crc = 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def check_of(header):
    """The check of a file's header, its first 64 bytes: the four at offset 12 count as zero."""
    return crc32c(header[:12] + b"\0\0\0\0" + header[16:64])


# --- Damage, and files ------------------------------------------------------------------------------------------------


class Damage(Exception):
    def __init__(self, file, offset, expected, found):
        super().__init__("damaged log: file %s, offset %d: expected %s, found %s" % (file, offset, expected, found))
        self.file, self.offset, self.expected, self.found = file, offset, expected, found


class NoLog(Exception):
    pass


class NewerFormat(Exception):
    """Nothing is wrong with the file: it takes a newer reader."""


def check_version(name, version, newest=VERSION):
    if version > newest:
        known = "its format is version %d, and this reader knows version %d" % (version, newest)
        raise NewerFormat("%s was written by a newer plog: %s. Nothing is wrong with it" % (name, known))


def read_file(directory, name):
    """The whole file, mapped where that is possible; None if there is none."""
    try:
        with open(os.path.join(directory, name), "rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                return b""
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        return None


def segment_name(number):
    return "%020d.seg" % number


def check_header(name, data, magic, newest=VERSION):
    """Magic, check and version of the head and the checkpoint; returns the version."""
    if data[:8] != magic:
        raise Damage(name, 0, magic.decode(), bytes(data[:8]).hex())
    (version, check) = struct.unpack_from(">II", data, 8)
    right = check_of(bytes(data[:64]))
    if check != right:
        raise Damage(name, 12, "check %08x" % right, "%08x" % check)
    check_version(name, version, newest)
    if version < VERSION:
        raise Damage(name, 8, "format version %d" % VERSION, "version %d" % version)
    return version


NOT_STRIPED = (0, 0)


class Head:
    NAME = "log.head"

    def __init__(self, data):
        if len(data) < 64:
            raise Damage(self.NAME, 0, "64 bytes", "%d bytes" % len(data))
        size = 64 if check_header(self.NAME, data, b"PLOGHEAD", CUT_VERSION) == VERSION else 80
        if len(data) not in (size, 80):  # what was written over the spare file has its length
            raise Damage(self.NAME, 0, "%d bytes" % size, "%d bytes" % len(data))
        self.last_cut = self.cells = 0
        if size > 64:
            (self.last_cut, self.cells, check) = struct.unpack_from(">QII", data, 64)
            if check != crc32c(data[:76]):
                raise Damage(self.NAME, 76, "check %08x" % crc32c(data[:76]), "%08x" % check)
            if self.last_cut > 1 << 62:
                raise Damage(self.NAME, 64, "a number up to 2^62", str(self.last_cut))
        (self.log_id, self.first_segment, self.first_index, self.checkpoint) = struct.unpack_from(">16sQQQ", data, 16)
        fields = ((32, self.first_segment, 1), (40, self.first_index, 1), (48, self.checkpoint, 0))
        for at, value, least in fields:
            if not least <= value <= 1 << 62:
                raise Damage(self.NAME, at, "a number from %d to 2^62" % least, str(value))
        self.stripe = struct.unpack_from(">II", data, 56)
        if self.stripe != NOT_STRIPED and not (1 <= self.stripe[0] <= self.stripe[1] <= 16 and self.stripe[1] > 1):
            raise Damage(self.NAME, 56, "none, or one of 2 to 16 stripes", "%d of %d" % self.stripe)


def checkpoint_name(directory, checks):
    """The file of the checkpoint; checks: its own, if the log was emptied for it, else 0."""
    names = ["log.checkpoint.tmp", "log.checkpoint"]
    if checks == 0:
        return names[1]
    for name in names:
        data = (read_file(directory, name) or b"")[:64].ljust(64, b"\0")
        if struct.unpack_from(">I", data, 12) + struct.unpack_from(">I", data, 48) == (checks >> 32, checks & 0xFFFFFFFF):
            return name
    raise Damage(names[1], 0, "the checkpoint for which the log was emptied", "none, or another one")


def read_checkpoint(directory, head, checks):
    """The index of the checkpoint, 0 if there is none; checks: see checkpoint_name."""
    name = checkpoint_name(directory, checks)
    data = read_file(directory, name)
    index = 0
    if data is not None:
        if len(data) < 64:
            raise Damage(name, 0, "a header of 64 bytes", "%d bytes" % len(data))
        check_header(name, data, b"PLOGCKPT")
        (log_id, index, state_bytes, state_crc) = struct.unpack_from(">16sQQI", data, 16)
        if log_id != head.log_id:
            raise Damage(name, 16, "log id " + head.log_id.hex(), "a checkpoint of another log, " + log_id.hex())
        if index > MOST_INDEX:
            raise Damage(name, 32, "an index below 2^63", str(index))
        if state_bytes > MOST_STATE_BYTES:
            raise Damage(name, 40, "a state of at most %d bytes" % MOST_STATE_BYTES, str(state_bytes))
        if len(data) < 64 + state_bytes:
            raise Damage(name, len(data), "a file of at least %d bytes" % (64 + state_bytes), "%d bytes" % len(data))
        found = crc32c(data[64 : 64 + state_bytes])
        if found != state_crc:
            raise Damage(name, 64, "a state with crc %08x" % state_crc, "bytes that give %08x" % found)
    if index < head.checkpoint:
        found = "no such file" if data is None else "one at index %d" % index
        raise Damage(name, 0, "the checkpoint at index %d or a later one" % head.checkpoint, found)
    return index


def read_cells(directory, head):
    """The cells by name, and whether both copies have them."""
    name = "log.cells"
    data = read_file(directory, name)
    if data is None:
        if head.cells:
            raise Damage(name, 0, "this file, because log.head says that there are cells", "no such file")
        return {}, True
    copies = [cells_copy(name, bytes(data[begin : begin + CELLS_COPY]), head.log_id) for begin in (0, CELLS_COPY)]
    whole = [copy for copy in copies if copy]
    if not whole:
        raise Damage(name, 0, "a whole copy of this log's cells here or at %d" % CELLS_COPY, "none")
    (generation, cells) = max(whole, key=lambda copy: copy[0])
    for at in set(range(0, len(data), 512)) - {0, CELLS_COPY}:
        misplaced = cells_header(bytes(data[at : at + 64]), head.log_id)
        if misplaced and misplaced[1] > generation:
            expected = "a whole copy of generation %d, of which a write is in a wrong place" % misplaced[1]
            raise Damage(name, 0, expected, "generation %d" % generation)
    return cells, len(whole) == 2 and whole[0][0] == whole[1][0]


def cells_header(data, log_id):
    """(version, generation, bytes, crc); None if it is damaged, or another log's."""
    if len(data) < 64 or data[:8] != b"PLOGCELL":
        return None
    (version, check, found, generation, size, crc) = struct.unpack_from(">II16sQII", data, 8)
    return (version, generation, size, crc) if check == check_of(data[:64]) and found == log_id else None


def cells_copy(name, data, log_id):
    """(generation, cells) of one copy; None if it is not whole, or another log's."""
    header = cells_header(data, log_id)
    if not header:
        return None
    (version, generation, size, crc) = header
    check_version(name, version)
    body = data[64 : 64 + size]
    if len(body) < size or size % 8 or crc32c(body) != crc:
        return None
    mask = struct.pack(">Q", generation) * (size // 8)
    body = bytes(a ^ b for a, b in zip(body, mask))
    cells, at = {}, 0
    while at < size and body[at]:
        (name_bytes, value_bytes) = struct.unpack_from(">BH", body, at)
        value = at + 3 + name_bytes
        cells[body[at + 3 : value].decode("ascii")] = body[value : value + value_bytes]
        at = value + value_bytes
    return generation, cells


# --- Segments -----------------------------------------------------------------------------------------------------------


def segment_header(data, number, log_id, stripe):
    """(epoch, segment bytes, cut), or a sentence that says what is wrong. The cut is None, or says where the log goes on from: (first
    index, segment, its epoch, place in it)."""
    if len(data) < 64:
        return "only %d bytes" % len(data)
    if data[:8] != b"PLOGSEG1":
        return "magic " + bytes(data[:8]).hex()
    (version, check, found_id, found_number, epoch, size, *found_stripe) = struct.unpack_from(">II16sQQQII", data, 8)
    if check != check_of(bytes(data[:64])):
        return "check %08x" % check
    check_version(segment_name(number), version, CUT_VERSION)
    if version < VERSION:
        return "format version %d" % version
    cut = None
    if version == CUT_VERSION:
        if len(data) < 100 or struct.unpack_from(">I", data, 96)[0] != crc32c(data[:96]):
            return "a cut of which the check is wrong"
        cut = struct.unpack_from(">QQQQ", data, 64)
        if not possible_cut(found_number, *cut):
            return "a right check over numbers that cannot be"
    if not 1 <= found_number <= MOST_INDEX or epoch == 0 or not GRAIN <= size <= MOST_SEGMENT_BYTES or size % GRAIN:
        return "a right check over numbers that cannot be"
    if found_number != number:
        return "the header of segment %d" % found_number
    if found_id != log_id:
        return "a segment of another log, " + found_id.hex()
    if tuple(found_stripe) != stripe:
        return "a segment of stripe %d of %d" % tuple(found_stripe)
    return epoch, size, cut


def possible_cut(number, first_index, segment, epoch, end):
    place = 0 < segment < number and epoch and BLOCK <= end <= MOST_SEGMENT_BYTES and end % 8 == 0
    return 1 <= first_index <= 1 << 62 and (place or segment == end == 0)


class Segment:
    """A segment with a valid header, read to the end of its valid records, and what lies behind that place."""

    def __init__(self, name, data, epoch, size, first_index, bound, limit=None, cut=None, continued=None):
        """bound: None, or of a striped log the index with which it begins, and how many records it can hold. cut: where the log goes on
        from in it. continued: the cut at which it ends."""
        self.name, self.data, self.size = name, data, size
        self.key = epoch
        self.epoch = struct.pack(">Q", epoch)
        self.bound = bound
        self.first_index = first_index
        self.striped = bound is not None
        self.limit = size if limit is None else limit
        if continued:
            self.limit = continued[3]
        self.found = []  # index, whether it is a record of the caller's, and offset, of each valid record
        self.places = {}  # by index: offset and length of each record's payload
        self.next_index = first_index
        self.end = BLOCK
        self.watermark = cut[0] - 1 if cut else 0
        self.last_type = 0
        self.stop = "the end of the segment"
        while self._next_record():
            pass
        if continued:
            self._end_at_cut(continued)
        else:
            self._search_behind()

    def header_at(self, at):
        """The fields of a header that is right for the epoch, or None."""
        fields = header_fields(self.data, at)
        if fields is None or fields[-1] != self.epoch[:4]:
            return None
        (check, kind, padding, length, crc, index, behind, _) = fields
        watermark = index - behind if behind else 0
        if check != crc32c(self.epoch + self.data[at + 4 : at + RECORD_BYTES]):
            return None
        return kind, padding, length, crc, index, watermark

    def _next_record(self):
        at = self.end
        if at + RECORD_BYTES > self.limit:
            return False
        header = self.header_at(at)
        if header is None:
            zeros = not any(self.data[at : at + RECORD_BYTES])
            self.stop = "zeros" if zeros else "bytes that are no valid record header"
            return False
        kind, padding, length, crc, index, watermark = header
        if kind == TRAILER:
            self.stop = "the trailer of record %d" % index
            return False
        total = RECORD_BYTES + length + padding
        if index < self.next_index or (index > self.next_index and not self.striped):
            self.stop = "a record with index %d" % index
            return False
        if total % 8 or at + total > min(self.limit, self.size - FREE_BEHIND[kind]):
            self.stop = "a record of %d bytes, which does not fit" % total
            return False
        payload = self.data[at + RECORD_BYTES : at + RECORD_BYTES + length]
        if crc32c(payload) != crc:
            self.stop = "a payload of %d bytes that gives crc %08x" % (length, crc32c(payload))
            return False
        self.end = at + total
        self.watermark = max(self.watermark, watermark)
        self.last_type = kind
        self.found.append((index, kind == RECORD, at))
        self.next_index = index
        if kind == RECORD:
            self.places[index] = (at + RECORD_BYTES, length)
            self.next_index += 1
        return True

    def _end_at_cut(self, cut):
        """What stands behind it is none of the log's."""
        self.later, self.later_watermark, self.remains_end = [], 0, self.end
        self.second_seal = self.second_closing_mark = self.closed = False
        self.seal = self.end == self.limit and self.next_index == cut[0]

    def _search_behind(self):
        """Later records, and how far there is anything that a writer of this segment left."""
        self.later = []
        self.later_watermark = 0
        self.remains_end = self.end
        # Up to here nothing is left over from an earlier use of the file.
        own_up_to = (self.end + BLOCK - 1) // BLOCK * BLOCK
        second_at = (self.end + RECORD_BYTES + BLOCK - 1) // BLOCK * BLOCK
        second = {}
        skip_to = 0
        readable = min(self.size, len(self.data))
        for at in non_zero_words(self.data, self.end, readable):
            if at < skip_to:
                continue
            header = self.header_at(at) if at + RECORD_BYTES <= readable else None
            if header and header[0] == TRAILER and header[4] < self.next_index:
                skip_to = at + RECORD_BYTES  # of records that are valid
                continue
            if at < own_up_to:
                self.remains_end = max(self.remains_end, at + 8)
            if header is None or header[4] < self.next_index or not self._can_stand_at(at, header):
                continue
            self.remains_end = max(self.remains_end, at + RECORD_BYTES + header[2] + header[1])
            self.later_watermark = max(self.later_watermark, header[5])
            # At the place itself the expected index is that of the record that is torn.
            if at == self.end and (self.striped or header[4] == self.next_index):
                continue
            self.later.append(header)
            if at == second_at if self.striped else header[4] == self.next_index:
                second[header[0]] = header[4]
        if self.striped:
            intact = not any(header[0] in (RECORD, TRAILER) for header in self.later)
        else:
            intact = self.later_watermark < self.next_index
        self.second_seal = SEAL in second and intact
        self.second_closing_mark = CLOSING in second and intact
        self.seal = self.last_type == SEAL or self.second_seal
        self.closed = self.last_type == CLOSING or self.second_closing_mark
        if self.second_seal or self.second_closing_mark:
            self.next_index = second.get(SEAL, second.get(CLOSING))

    def _can_stand_at(self, at, header):
        """Whether a writer can have written it: where it ends, and no more records than fit, or a misplaced block hides."""
        kind, padding, length, _, index, _ = header
        total = RECORD_BYTES + length + padding
        least, elsewhere = self.bound or (0, 0)
        most = max(self.next_index, least) + (at - self.end + BLOCK) // RECORD_BYTES + elsewhere
        return total % 8 == 0 and at + total <= self.size - FREE_BEHIND[kind] and index <= most

    def cut_at(self, offset):
        """The same segment, as if nothing from this offset on belonged to it."""
        kept = Segment(
            self.name, self.data, self.key, self.size, self.first_index, self.bound, offset
        )
        kept.seal = kept.closed = False
        return kept

    @property
    def torn_bytes(self):
        return 0 if self.seal else self.remains_end - self.end

    @property
    def content(self):
        if self.torn_bytes == 0:
            return "empty" if self.end == BLOCK else "valid"
        later = any(header[0] != TRAILER for header in self.later)
        return "damaged" if later and not self.second_closing_mark else "torn"

    def payload(self, index):
        at, length = self.places[index]
        return self.data[at : at + length]


def header_fields(data, at):
    """(check, type, padding, length, crc, index, behind, salt) as a writer writes them, in whatever segment; or None."""
    (check, kind, flags, padding, length, crc, index, behind, salt) = struct.unpack_from(">IBBHIIQI4s", data, at)
    if not RECORD <= kind <= TRAILER or flags or length >= 1 << 31 or not 1 <= index <= MOST_INDEX or behind > index:
        return None
    if length and kind != RECORD:
        return None
    return check, kind, padding, length, crc, index, behind, salt


def begins_right(data, epoch):
    """Whether what stands at a segment's first place is right for this epoch."""
    fields = header_fields(data, BLOCK) if len(data) >= BLOCK + RECORD_BYTES else None
    key = struct.pack(">Q", epoch)
    right = fields and fields[-1] == key[:4] and fields[0] == crc32c(key + data[BLOCK + 4 : BLOCK + RECORD_BYTES])
    return bool(right) or len(data) < BLOCK + RECORD_BYTES


def seems_to_hold_records(data, least, base, bytes_before):
    """Whether a record seems to stand in a segment whose header, and with it the epoch, is lost."""
    for at in non_zero_words(data, BLOCK, len(data)):
        fields = header_fields(data, at) if at + RECORD_BYTES <= len(data) else None
        if not fields or fields[1] != RECORD or fields[5] < least:
            continue
        if fields[5] > base + (bytes_before + at + BLOCK) // RECORD_BYTES:
            continue
        (_, _, padding, length, crc, *_) = fields
        total = RECORD_BYTES + length + padding
        if total % 8 == 0 and at + total <= len(data) and crc32c(data[at + RECORD_BYTES :][:length]) == crc:
            return True
    return False


def non_zero_words(data, start, end):
    """The offsets, multiples of 8, of the words in a part of a file that are not zero."""
    for chunk_at in range(start, end, GRAIN):
        chunk = data[chunk_at : min(end, chunk_at + GRAIN)]
        chunk = chunk[: len(chunk) // 8 * 8]
        if chunk.count(0) == len(chunk):
            continue
        for i, word in enumerate(struct.unpack("<%dQ" % (len(chunk) // 8), chunk)):
            if word:
                yield chunk_at + i * 8


# --- One directory ------------------------------------------------------------------------------------------------------


class Stripe:
    """One of a log's directories, or its only one: its head, its segments, and what is wrong with them."""

    def __init__(self, directory, stripe):
        self.directory = directory
        self.id = stripe
        self.striped = stripe != NOT_STRIPED
        self.segments = []
        self.superseded = []
        self.notes = []
        self.missing = None
        self.broken = None  # why the segments could not be read to their end
        self.unsealed = None  # why the last one cannot be the last
        self.lost_cut = None  # why it is not known where the log was cut
        self.emptied = False  # since the head was written
        self.emptied_for = 0  # and for which checkpoint; 0 for none
        self.continued_by = {}  # by the number of a segment that ends at a cut: the next one's number, and the cut
        self.turn = 0  # which of the items comes next
        present = sorted(int(name[:20]) for name in os.listdir(directory) if SEGMENT_NAME.match(name))
        self.present = [number for number in present if 1 <= number <= MOST_INDEX]
        self.head = None

    @property
    def most_records(self):
        return sum(len(read_file(self.directory, segment_name(number))) for number in self.present) // RECORD_BYTES

    def read_head(self):
        data = read_file(self.directory, Head.NAME)
        if data is not None:
            self.head = Head(data)

    def follow_cuts(self):
        """Finds the cuts, from the last to the first, and what of the segments they leave. Not in a striped log."""
        head, origin, last, lost, following, above = self.head, None, 0, 0, 0, None
        for number in reversed([number for number in self.present if number >= head.first_segment]):
            if origin and number > origin[1]:
                continue
            header = segment_header(read_file(self.directory, segment_name(number)), number, head.log_id, self.id)
            if origin and (isinstance(header, str) or number < origin[1] or header[0] != origin[2]):
                lost = origin[1]
                break
            missing = number < following
            if (missing or isinstance(header, str)) and (following if missing else number) <= head.last_cut:
                lost = following if missing else number  # it may be the one that says what is gone
                if missing and above and not begins_right(*above):
                    lost = following + 1  # its header is an older one, without its cut
                break
            origin, following = None, number - 1
            above = None if isinstance(header, str) else (read_file(self.directory, segment_name(number)), header[0])
            if isinstance(header, str) or header[2] is None:
                continue
            last = max(last, number)
            if number == head.first_segment:
                continue
            origin = header[2]
            if origin[1] == 0:
                self.emptied, self.emptied_for = True, origin[2]
                head.first_segment, head.first_index, head.checkpoint = number, origin[0], origin[0] - 1 if origin[2] else 0
                origin = None
                break
            following = 0
            self.continued_by[origin[1]] = (number, origin)
        lost = lost or (origin[1] if origin else 0)
        if last < head.last_cut and head.last_cut >= head.first_segment:
            lost = head.last_cut
        if lost:
            self._lose_cut(lost, "none" if lost in self.present else "no such file")

    def _lose_cut(self, number, found):
        expected = "the header of a segment of a log that was cut at its end"
        self.lost_cut = Damage(segment_name(number), 0, expected, found)

    def what_it_holds(self):
        """What there is although there is no head; None if it may be the remains of a creation."""
        if read_file(self.directory, "log.checkpoint") is not None:
            return "there is a checkpoint"
        if read_file(self.directory, "log.cells") is not None:
            return "there are cells"
        for number in self.present:
            name = segment_name(number)
            if number > 1:
                return "there is " + name
            data = read_file(self.directory, name)
            segment_header(data, number, b"", self.id)  # a newer plog's must not be taken for remains
            if any(True for _ in non_zero_words(data, BLOCK, len(data) & ~7)) or any(data[max(BLOCK, len(data) & ~7) :]):
                return name + " holds records"
        return None

    def read(self, bound):
        self.bound = bound
        try:
            number = self._read_in_use()
        except Damage as damage:
            self.broken = damage
            number = None
        self.items = []  # what has its turn one after the other: index, whether it is a record, segment, offset
        for place, segment in enumerate(self.segments):
            self.items += [(index, is_record, place, at) for index, is_record, at in segment.found]
            if segment.second_seal:
                self.items.append((segment.next_index, False, place, segment.end))
        if number is not None:
            last = self.segments[-1]
            bytes_before = last.size - last.end
            for behind in self.present:
                if behind >= number:
                    bytes_before += self._read_behind(behind, bytes_before)
            if not self.lost_cut and number < self.head.last_cut and number in self.present:
                data = read_file(self.directory, segment_name(number))
                header = segment_header(data, number, self.head.log_id, self.id)
                if not isinstance(header, str) and not begins_right(data, header[0]):
                    self._lose_cut(number, "that of an earlier use")

    def _read_in_use(self):
        """Reads from the first segment to the last; returns the number behind it."""
        number = self.head.first_segment
        index = 1 if self.striped else self.head.first_index
        while True:
            segment = self._read_segment(number, index)
            self.segments.append(segment)
            if number in self.continued_by and not segment.seal:
                behind = segment_name(self.continued_by[number][0])
                expected = "record %d, because %s continues the log behind a later one" % (segment.next_index, behind)
                raise Damage(segment.name, segment.end, expected, segment.stop)
            number = self.continued_by.get(number, (number + 1,))[0]
            index = segment.next_index
            if segment.second_seal:
                self.notes.append(segment.name + ": one of the two copies of the seal is damaged; no record is missing")
            if not segment.seal:
                return number

    def _read_segment(self, number, first_index):
        name = segment_name(number)
        data = read_file(self.directory, name)
        if data is None:
            self.missing = name
            why = "the segment before it is sealed" if self.segments else "log.head names it as the first"
            raise Damage(name, 0, "this file, because " + why, "no such file")
        header = segment_header(data, number, self.head.log_id, self.id)
        if isinstance(header, str):
            self.missing = name
            raise Damage(name, 0, "the header of segment %d" % number, header)
        epoch, size, cut = header
        if len(data) < size:
            self.missing = name
            raise Damage(name, len(data), "a file of %d bytes" % size, "%d bytes" % len(data))
        if len(data) > size:
            self.notes.append("%s: %d bytes behind the segment's end are ignored" % (name, len(data) - size))
        continued = self.continued_by.get(number, (None, None))[1]
        return Segment(name, data, epoch, size, first_index, self.bound, cut=cut, continued=continued)

    def _read_behind(self, number, bytes_before):
        """A segment behind the last one was prepared ahead of time: it begins with no record, or the last one is damaged."""
        name = segment_name(number)
        data = read_file(self.directory, name)
        header = segment_header(data, number, self.head.log_id, self.id)
        least, elsewhere = self.bound or (0, 0)
        last = self.segments[-1]
        base = max(last.next_index, least) + elsewhere
        if isinstance(header, str):
            misplaced = header.startswith(("the header of", "a segment of"))  # a whole file, of somewhere else
            holds = not misplaced and seems_to_hold_records(data, last.next_index, base, bytes_before)
        else:
            most = base + (bytes_before + BLOCK) // RECORD_BYTES
            behind = Segment(name, data, header[0], header[1], last.next_index, (most, 0), BLOCK)
            first = behind.header_at(BLOCK) if len(data) >= BLOCK + RECORD_BYTES else None
            holds = first and last.next_index <= first[4] <= most or behind.later_watermark >= last.next_index
        if holds:
            how = ", without a header of this log (%s), seems to hold" % header if isinstance(header, str) else " holds"
            expected = "record %d or a seal, because %s%s records" % (last.next_index, name, how)
            self.unsealed = Damage(last.name, last.end, expected, last.stop)
        elif isinstance(header, str):
            self.notes.append("%s: no segment of this log (%s); an opening sets it aside" % (name, header))
        elif len(data) != header[1]:
            self.notes.append(name + ": prepared but too short or too long; it held nothing and is prepared again")
        elif Segment(name, data, header[0], header[1], 1, (MOST_INDEX, 0), BLOCK).remains_end > BLOCK:
            self.notes.append(name + ": prepared, but not as it was left; it held no record and is prepared again")
        return len(data)

    # Going from item to item, in the order of the whole log.

    @property
    def is_cut(self):
        return self.turn < len(self.items)

    @property
    def at_torn_seal(self):
        return self.is_cut and self.segments[self.items[self.turn][2]].end == self.items[self.turn][3]

    @property
    def may_hold(self):
        """Whether the record that the log lacks may have stood here."""
        return not self.is_cut or self.at_torn_seal

    @property
    def last_before_cut(self):
        return self.segments[self.items[self.turn][2]] if self.is_cut else self.segments[-1]

    @property
    def ends_cleanly(self):
        return not self.at_torn_seal and self.unsealed is None and not self.last_before_cut.torn_bytes

    def cut(self):
        """Takes away what is behind the first record that the log lacks."""
        if self.is_cut:
            (_, _, place, offset) = self.items[self.turn]
            self.superseded = self.segments[place + 1 :]
            self.segments[place:] = [self.segments[place].cut_at(offset)]
            self.closed = False
        else:
            self.closed = self.segments[-1].closed

    @property
    def watermark(self):
        return max(max(segment.watermark, segment.later_watermark) for segment in self.segments)


# --- The whole log ------------------------------------------------------------------------------------------------------


class Log:
    """Reads a log's directories and decides what they hold. self.damage is None if it is fine."""

    def __init__(self, directories):
        count = len(directories)
        self.stripes = []
        for place, directory in enumerate(directories):
            self.stripes.append(Stripe(directory, NOT_STRIPED if count == 1 else (place + 1, count)))
        self.damage = None
        self.damaged = None  # which directory
        self.head = None
        self.checkpoint = 0
        self.first_index = self.next_index = 1
        try:
            self._read()
        except Damage as damage:
            self.damage = damage

    def _stop(self, stripe, damage):
        self.damaged = stripe
        raise damage

    def _read(self):
        for stripe in self.stripes:
            self.damaged = stripe
            stripe.read_head()
        self._check_identity()
        first = self.stripes[0]
        if first.head is None:
            for stripe in self.stripes:
                holds = stripe.what_it_holds()
                if holds:
                    self._stop(first, Damage(Head.NAME, 0, "this file, because " + holds, "no such file"))
            raise NoLog("no log in " + first.directory)
        for stripe in self.stripes:
            if stripe.head is None:
                why = "this file, because %s is the first of %d directories" % (first.directory, len(self.stripes))
                self._stop(stripe, Damage(Head.NAME, 0, why, "no such file"))
        self.head = first.head
        self.first_index = self.next_index = max(stripe.head.first_index for stripe in self.stripes)
        self.head.checkpoint = max(stripe.head.checkpoint for stripe in self.stripes)
        self.damaged = first
        if len(self.stripes) == 1:
            first.follow_cuts()
            self.first_index = self.next_index = self.head.first_index
        for_none = first.emptied and first.emptied_for == 0
        self.checkpoint = 0 if for_none else read_checkpoint(first.directory, self.head, first.emptied_for)
        (self.cells, same) = read_cells(first.directory, self.head)
        if not same:
            first.notes.append("log.cells: one of its two copies is older or damaged; the other one counts")
        bound = None
        if len(self.stripes) > 1:
            bound = (self.first_index, sum(stripe.most_records for stripe in self.stripes))
        for stripe in self.stripes:
            stripe.read(bound)
        twice = self._follow()
        self._judge(twice)
        for stripe in self.stripes:
            stripe.cut()
            last = stripe.segments[-1]
            if stripe.closed and last.torn_bytes:
                stripe.notes.append(
                    last.name + ": one of the two copies of the closing mark is damaged; no record is missing"
                )

    def _check_identity(self):
        log_id = None
        for stripe in self.stripes:
            if stripe.head and stripe.head.stripe != stripe.id:
                raise NoLog("%s is stripe %d of %d, and not %d of %d" % ((stripe.directory,) + stripe.head.stripe + stripe.id))
            if stripe.head and log_id not in (None, stripe.head.log_id):
                raise NoLog("%s is of log %s" % (stripe.directory, stripe.head.log_id.hex()))
            log_id = stripe.head.log_id if stripe.head else log_id

    def _follow(self):
        """Goes from record to record, each from the directory that has it; returns who has one that was there before."""
        twice = None
        found = True
        while found:
            found = False
            for stripe in self.stripes:
                while stripe.is_cut:
                    index, is_record, _, _ = stripe.items[stripe.turn]
                    if is_record and self.first_index <= index < self.next_index:
                        twice = stripe
                        break
                    if index > self.next_index:
                        break
                    self.next_index += 1 if is_record and index == self.next_index else 0
                    stripe.turn += 1
                    found = True
        return twice

    def _judge(self, twice):
        first = self.stripes[0]
        if first.lost_cut:
            seen = first.lost_cut.file in [segment.name for segment in first.segments]
            first.missing = None if seen else first.lost_cut.file
            self._stop(first, first.lost_cut)
        for stripe in self.stripes:
            if stripe.broken:
                self._stop(stripe, stripe.broken)
        if twice:
            (index, _, place, offset) = twice.items[twice.turn]
            expected = "a record with an index from %d on" % self.next_index
            self._stop(twice, Damage(twice.segments[place].name, offset, expected, "record %d again" % index))
        known = max(stripe.watermark for stripe in self.stripes)
        if max(known, self.checkpoint) >= self.next_index:
            places = [stripe for stripe in self.stripes if stripe.may_hold] or self.stripes
            places = [stripe for stripe in places if not stripe.ends_cleanly] or places
            last = places[0].last_before_cut
            expected = "record %d, acknowledged as durable" % self.next_index
            self._stop(places[0], Damage(last.name, last.end, expected, last.stop))
        for stripe in self.stripes:
            if stripe.unsealed:
                self._stop(stripe, stripe.unsealed)

    @property
    def segments(self):
        return [segment for stripe in self.stripes for segment in stripe.segments]

    @property
    def last_index(self):
        return self.next_index - 1

    @property
    def marked_index(self):
        marks = [stripe.watermark for stripe in self.stripes if stripe.segments]
        return min(max(marks + [self.first_index - 1]), self.last_index)

    @property
    def cleanly_closed(self):
        return all(stripe.segments and not stripe.is_cut and stripe.segments[-1].closed for stripe in self.stripes)

    @property
    def torn_bytes(self):
        behind = [segment for stripe in self.stripes for segment in stripe.superseded]
        return sum(segment.torn_bytes for segment in self.segments) + sum(
            max(segment.end, segment.remains_end) - BLOCK for segment in behind
        )

    @property
    def notes(self):
        striped = len(self.stripes) > 1
        return [(stripe.directory + ", " if striped else "") + note for stripe in self.stripes for note in stripe.notes]

    def records(self):
        places = {index: segment for segment in self.segments for index in segment.places}
        for index in range(self.first_index, self.next_index):
            yield index, places[index].payload(index)


# --- Commands -----------------------------------------------------------------------------------------------------------


def verdict(log):
    """What plog log verify --json prints."""
    segments = []
    for stripe in log.stripes:
        own = [(segment.name, segment.content, segment.end) for segment in stripe.segments]
        own += [(segment.name, "torn", BLOCK) for segment in stripe.superseded]
        own += [(stripe.missing, "missing", 0)] if stripe.missing and log.damage in (stripe.broken, stripe.lost_cut) else []
        where = {"directory": os.path.realpath(stripe.directory)} if stripe.striped else {}
        segments += [dict(where, file=file, content=content, offset=offset) for file, content, offset in own]
    result = {
        "ok": log.damage is None,
        "records": log.last_index - log.first_index + 1,
        "firstIndex": log.first_index,
        "lastIndex": log.last_index,
        "markedIndex": log.marked_index,
        "cleanlyClosed": log.cleanly_closed,
        "checkpointIndex": log.checkpoint,
        "tornBytes": log.torn_bytes,
        "segments": segments,
    }
    if log.damage:
        if len(log.stripes) > 1:
            result["directory"] = os.path.realpath(log.damaged.directory)
        for field in ("file", "offset", "expected", "found"):
            result[field] = getattr(log.damage, field)
    return result


def sentence(log):
    read = "%d records (%d to %d) in %d segments" % (
        log.last_index - log.first_index + 1,
        log.first_index,
        log.last_index,
        len(log.segments),
    )
    if log.damage:
        return "damaged: %s are intact before the damage" % read
    if log.torn_bytes:
        return "fine: %s are intact; a torn tail will be cut and kept when the log is opened" % read
    closed = "the log was closed in order" if log.cleanly_closed else "the log was not closed, or is open"
    return "fine: %s are intact; %s" % (read, closed)


def open_log(name):
    """DIR, or DIR1+DIR2; a + may also be in the name of a directory that there is."""
    return Log([name] if os.path.isdir(name) else name.split("+"))


def verify(name, arguments):
    log = open_log(name)
    if arguments.json:
        print(json.dumps(verdict(log), separators=(",", ":")))
    else:
        print("\n".join([sentence(log)] + ["note: " + note for note in log.notes]))
    return log


def dump(name, arguments):
    log = open_log(name)
    for index, record in log.records():
        line = {"index": index}
        # The record of a request, as docs/protocol.md draws it: kind, client and number before the payload.
        if len(record) >= 24 and record[0] == 1:
            (line["client"], line["request"]) = map(str, struct.unpack_from(">QQ", record, 8))
            record = record[24:]
        line["length"] = len(record)
        line["crc32c"] = "%08x" % crc32c(record)
        if arguments.payload:
            line["payload"] = base64.b64encode(record).decode()
        print(json.dumps(line, separators=(",", ":")))
    return log


def run(command, directory, arguments):
    try:
        log = command(directory, arguments)
    except (NoLog, NewerFormat, OSError) as failure:
        print("%s: %s" % (os.path.basename(__file__), failure), file=sys.stderr)
        return FAILED
    if log.damage:
        print("%s: %s" % (os.path.basename(__file__), log.damage), file=sys.stderr)
        return DAMAGED
    return DONE


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    verify_parser = commands.add_parser("verify", help="reads and checks every record")
    verify_parser.add_argument("--json", action="store_true", help="print a line of JSON")
    dump_parser = commands.add_parser("dump", help="prints every record in log order")
    dump_parser.add_argument("--payload", action="store_true", help="also print each payload, in base64")
    dump_parser.add_argument("--json", action="store_true", help="what it does anyway")
    for each in (verify_parser, dump_parser):
        each.add_argument("directories", metavar="DIR", nargs="+")
    parsed = parser.parse_args(arguments)
    worst = DONE
    for directory in parsed.directories:
        code = run(verify if parsed.command == "verify" else dump, directory, parsed)
        if len(parsed.directories) > 1:
            print(json.dumps({"directory": directory, "exit": code}))
        worst = max(worst, code)
    return worst


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(FAILED)
