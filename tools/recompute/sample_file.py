"""Reads samples.plog, written from docs/sample-format.md alone: it shares no code with plog."""

import json
import os
import struct
import sys
import zlib

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from plog_log import crc32c  # noqa: E402

START, SAMPLES, END, EVENTS, RECORDS = 1, 2, 3, 4, 5
MOST_CHUNK_BYTES = 64 << 20
COLUMNS = (
    "TRIAL BLOCK PHASE CONNECTION INTENDED SENT END_TO_END STATUS LOG_INDEX WAITING BATCH_WAIT WRITE FORCE EXECUTION "
    "RESIDENCE BATCH_RECORDS KIND PAYLOAD_BYTES HELD CONNECT"
).split()


class Damage(Exception):
    """The file is no sample file, or not what its checksums say."""


class SampleFile:
    """What a run left.

    start, end: the JSON objects of those chunks; end is None where the run was killed
    cells: for each (target id, payload bytes) its columns, by name, as arrays of 64 bits in the order of sending
    events: the JSON objects of the EVENTS chunks
    """

    def __init__(self, path):
        self.start, self.end, self.cells, self.events = None, None, {}, []
        parts, records = {}, []
        with open(path, "rb") as file:
            data = file.read()
        magic, version, check = struct.unpack_from(">8sII", data) if len(data) >= 16 else (b"", 0, 0)
        if magic != b"PLOGSMPL" or crc32c(data[:12]) != check:
            raise Damage("%s: no sample file, or its header is damaged" % path)
        if version != 1:
            raise Damage("%s: of format %d, which this program does not know; nothing is wrong with it" % (path, version))
        for offset, kind, body in _chunks(data):
            if self.end is not None:
                raise Damage("%s: something stands behind END at %d" % (path, offset))
            if (kind == START) != (self.start is None):
                raise Damage("%s: START is not the first chunk and the only one of its kind" % path)
            if kind == START:
                self.start = json.loads(_unpacked(body))
            elif kind == SAMPLES:
                cell, columns = _samples(body)
                parts.setdefault(cell, []).append(columns)
            elif kind == EVENTS:
                self.events.append(json.loads(_unpacked(body)))
            elif kind == RECORDS:
                records += json.loads(_unpacked(body))["trials"]
            elif kind == END:
                self.end = json.loads(_unpacked(body))
                self.end["trials"] = records + self.end["trials"]
        for cell, chunks in parts.items():
            joined = {name: numpy.concatenate([chunk[name] for chunk in chunks]) for name in COLUMNS}
            order = numpy.lexsort((joined["SENT"], joined["TRIAL"]))  # stable; the last key comes first
            self.cells[cell] = {name: joined[name][order] for name in COLUMNS}


def _chunks(data):
    offset = 16
    while len(data) - offset >= 16:
        kind, length, check, check_of_header = struct.unpack_from(">IIII", data, offset)
        if crc32c(data[offset : offset + 12]) != check_of_header:
            raise Damage("the chunk's header at %d is damaged" % offset)
        if length > MOST_CHUNK_BYTES:
            raise Damage("the chunk at %d claims %d bytes" % (offset, length))
        body = data[offset + 16 : offset + 16 + length]
        if len(body) < length:
            return
        if crc32c(body) != check:
            raise Damage("the chunk's body at %d is damaged" % (offset + 16))
        yield offset, kind, body
        offset += 16 + length


def _unpacked(data):
    plain_bytes = struct.unpack_from(">I", data)[0]
    stream = zlib.decompressobj()
    plain = stream.decompress(data[4:], plain_bytes + 1)
    if len(plain) != plain_bytes or not stream.eof or stream.unused_data:
        raise Damage("a zlib stream does not hold the %d bytes that it should" % plain_bytes)
    return plain


def _samples(body):
    target, payload, count = struct.unpack_from(">III", body)
    values = _varints(_unpacked(body[12:]), len(COLUMNS) * count)
    columns = {name: values[i * count : (i + 1) * count] for i, name in enumerate(COLUMNS)}
    for name in ("INTENDED", "LOG_INDEX"):
        columns[name] = numpy.cumsum(columns[name], dtype=numpy.int64)
    columns["SENT"] = columns["SENT"] + columns["INTENDED"]
    return (target, payload), columns


def _varints(plain, count):
    """Seven bits a byte, the lowest first, then zigzag: 0, 1, 2, 3 stand for 0, -1, 1, -2."""
    data = numpy.frombuffer(plain, numpy.uint8)
    ends = numpy.flatnonzero(data < 0x80)
    if len(ends) != count or (count and ends[-1] != len(data) - 1):
        raise Damage("a chunk of samples holds %d values instead of %d" % (len(ends), count))
    starts = numpy.concatenate(([0], ends[:-1] + 1)) if count else ends
    lengths = ends - starts + 1
    if count and lengths.max() > 10:
        raise Damage("a varint has more than ten bytes")
    values = numpy.zeros(count, numpy.uint64)
    for i in range(int(lengths.max()) if count else 0):
        there = lengths > i
        bits = (data[starts[there] + i] & 0x7F).astype(numpy.uint64)
        values[there] |= bits << numpy.uint64(7 * i)
    return (values >> numpy.uint64(1)).astype(numpy.int64) ^ -(values & numpy.uint64(1)).astype(numpy.int64)
