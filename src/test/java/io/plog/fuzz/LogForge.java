package io.plog.fuzz;

import static io.plog.fuzz.LogBytes.FIRST_RECORD;
import static io.plog.fuzz.LogBytes.RECORD_HEADER_BYTES;
import static io.plog.fuzz.LogBytes.SEGMENT_BYTES;
import static io.plog.fuzz.LogBytes.align;
import static io.plog.fuzz.LogBytes.segmentName;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Makes a log's directory out of arbitrary bytes. What it makes has right checks by default, so that a fuzzer gets behind
 * them; the input says where they, or anything else, are wrong. A directory is a list of steps, each a byte and what it
 * needs.
 */
final class LogForge {
    private static final int MAX_FILES = 8;
    private static final int MAX_SEGMENTS = 6;
    private static final String[] OTHER_NAMES = {
        "log.head.tmp",
        "00000000000000000001.seg.tmp",
        "x.tmp",
        "cut-1-at-4096-1.bin",
        "cut-1-at-4096-2.bin",
        "log.lock",
        "99999999999999999999.seg",
        "00000000000000000000.seg",
        "1.seg",
        "notes.txt",
        "log.checkpoint.tmp"
    };

    private final Input input;
    private final Map<String, byte[]> files = new LinkedHashMap<>();
    private long nextIndex = 1;

    LogForge(Input input) {
        this.input = input;
    }

    /** A directory of whatever the input says. */
    Map<String, byte[]> directory() {
        while (!input.isEmpty()) {
            step();
        }
        return files;
    }

    /** A head and one segment, whose record area is the input as it is, or records as the input says. */
    Map<String, byte[]> oneSegment(boolean raw) {
        put("log.head", LogBytes.head(1, 1, 0));
        byte[] segment = LogBytes.segment(1);
        if (raw) {
            byte[] area = input.take(SEGMENT_BYTES - FIRST_RECORD);
            System.arraycopy(area, 0, segment, FIRST_RECORD, area.length);
        } else {
            records(segment, LogBytes.epoch(1));
        }
        put(segmentName(1), segment);
        return files;
    }

    private void step() {
        int step = input.u8();
        switch (step % 10) {
            case 0 -> put("log.head", LogBytes.head(number(), number(), number()));
            case 1, 2, 3 -> {
                int number = 1 + input.below(MAX_SEGMENTS);
                byte[] segment = LogBytes.segment(number);
                records(segment, LogBytes.epoch(number));
                put(segmentName(number), segment);
            }
            case 4 -> nextIndex = number();
            case 5 -> put("log.checkpoint", LogBytes.checkpoint(number(), input.take(input.below(64))));
            case 6 -> put(OTHER_NAMES[input.below(OTHER_NAMES.length)], input.take(input.below(256)));
            case 7 -> damage();
            case 8 -> wrongHeader();
            default -> moveOrCut();
        }
    }

    private void put(String name, byte[] content) {
        if (files.containsKey(name) || files.size() < MAX_FILES) {
            files.put(name, content);
        }
    }

    /** Mostly small, sometimes anything, sometimes the index that is next. */
    private long number() {
        int kind = input.u8();
        return switch (kind) {
            case 255 -> input.u64();
            case 254 -> nextIndex;
            case 253 -> nextIndex - 1;
            case 252 -> Long.MAX_VALUE - input.u8();
            default -> kind;
        };
    }

    /** A segment whose header is right in itself, and not what it should be here. */
    private void wrongHeader() {
        long number = number();
        byte[] segment = LogBytes.segment(input.below(2), number, number(), number() * SEGMENT_BYTES);
        put(segmentName(1 + input.below(MAX_SEGMENTS)), segment);
    }

    /** Records behind one another, right in everything but what the input changes. */
    private void records(byte[] segment, long epoch) {
        int at = FIRST_RECORD;
        for (int count = input.below(32); count > 0 && at + RECORD_HEADER_BYTES <= SEGMENT_BYTES; count--) {
            int op = input.u8();
            int control = 2 + op / 12 % 3;
            switch (op % 12) {
                case 0, 1, 2 -> at = record(segment, at, epoch, 1, input.u8(), op >= 128);
                case 3 -> at = record(segment, at, epoch, 1, input.u16(), false);
                case 4, 5 -> {
                    int second = record(segment, at, epoch, control, 0, true);
                    at = record(segment, second, epoch, control, 0, true);
                }
                case 6 -> at = record(segment, at, epoch, control, 0, true);
                case 7 -> at = tampered(segment, at, epoch);
                case 8 -> at = wrongCheck(segment, at, epoch);
                case 9 -> at = raw(segment, at);
                case 10 -> at += 8 * (1 + input.u8());
                // A record that leaves so much room at the end.
                default ->
                    at = record(
                            segment, at, epoch, 1, SEGMENT_BYTES - at - RECORD_HEADER_BYTES - 8 * input.u8(), false);
            }
        }
    }

    private int record(byte[] segment, int at, long epoch, int type, int length, boolean toBlock) {
        int end = at + RECORD_HEADER_BYTES + length;
        if (length < 0 || end > SEGMENT_BYTES) {
            return at;
        }
        for (int i = 0; i < length; i++) {
            segment[end - length + i] = (byte) (nextIndex + i);
        }
        int aligned = align(end, toBlock ? 4_096 : 8);
        LogBytes.record(segment, at, epoch, type, aligned - end, length, nextIndex, nextIndex - 1);
        if (type == 1) {
            nextIndex++;
        }
        return aligned;
    }

    /** A record with one field that is what the input says, and all checks right. */
    private int tampered(byte[] segment, int at, long epoch) {
        int field = input.below(8);
        long value = number();
        int length = field == 0 ? (int) value : input.below(64);
        int end = at + RECORD_HEADER_BYTES + Math.max(0, Math.min(length, SEGMENT_BYTES - at - RECORD_HEADER_BYTES));
        int padding = field == 1 ? (int) value : align(end, 8) - end;
        long index = field == 2 ? value : nextIndex;
        long watermark = field == 3 ? value : index - 1;
        int type = field == 4 ? (int) value : 1 + input.below(4);
        LogBytes.record(segment, at, field == 5 ? value : epoch, type, padding, length, index, watermark);
        if (field == 6) {
            segment[at + 5] = (byte) value;
            LogBytes.fixRecordCheck(segment, at, epoch);
        } else if (field == 7 && end > at + RECORD_HEADER_BYTES) {
            segment[end - 1] = (byte) value;
        }
        nextIndex = type == 1 ? index + 1 : index;
        return align(end, 8);
    }

    private int wrongCheck(byte[] segment, int at, long epoch) {
        int end = record(segment, at, epoch, 1, input.below(64), false);
        segment[at + input.below(RECORD_HEADER_BYTES)] ^= (byte) (1 << input.below(8));
        return end;
    }

    private int raw(byte[] segment, int at) {
        byte[] bytes = input.take(Math.min(1 + input.below(64), SEGMENT_BYTES - at));
        System.arraycopy(bytes, 0, segment, at, bytes.length);
        return align(at + bytes.length, 8);
    }

    /** Changes some bytes of a file; makes its header's check right again, or not. */
    private void damage() {
        if (files.isEmpty()) {
            return;
        }
        String name = some();
        byte[] file = Objects.requireNonNull(files.get(name));
        for (int count = 1 + input.below(8); count > 0 && file.length > 0; count--) {
            int at = (input.below(2) == 0 ? input.u8() : input.u16()) % file.length;
            file[at] ^= (byte) input.u8();
        }
        if (input.below(2) == 1 && file.length >= LogBytes.HEADER_BYTES) {
            LogBytes.fixCheck(file);
        }
    }

    private String some() {
        return files.keySet().stream()
                .skip(input.below(files.size()))
                .findFirst()
                .orElseThrow();
    }

    /** Removes, copies, renames, shortens or lengthens a file, or clears a part of it. */
    private void moveOrCut() {
        if (files.isEmpty()) {
            return;
        }
        String name = some();
        byte[] content = Objects.requireNonNull(files.get(name));
        switch (input.below(6)) {
            case 0 -> files.remove(name);
            case 1 -> put(segmentName(1 + input.below(MAX_SEGMENTS)), content.clone());
            case 2 -> {
                files.remove(name);
                put(segmentName(1 + input.below(MAX_SEGMENTS)), content);
            }
            case 3 -> put(name, Arrays.copyOf(content, Math.min(content.length, input.u16())));
            case 4 -> put(name, Arrays.copyOf(content, content.length + input.u8()));
            default -> {
                int from = Math.min(content.length, 512 * input.u8());
                Arrays.fill(content, from, Math.min(content.length, from + 512 * (1 + input.below(16))), (byte) 0);
            }
        }
    }
}
