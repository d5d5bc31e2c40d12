package io.plog.measure.samples;

import java.nio.ByteBuffer;

/** Makes a sample file that every checksum calls sound and that cannot be decoded. */
final class BrokenColumns {
    private BrokenColumns() {}

    /** Changes the number of plain bytes of the first SAMPLES chunk, and puts the checksums right. */
    static void breakFirst(byte[] file) {
        ByteBuffer bytes = ByteBuffer.wrap(file);
        int at = SampleFormat.FILE_HEADER_BYTES;
        while (bytes.getInt(at) != SampleFormat.SAMPLES) {
            at += SampleFormat.CHUNK_HEADER_BYTES + bytes.getInt(at + 4);
        }
        int bodyAt = at + SampleFormat.CHUNK_HEADER_BYTES;
        int plainBytesAt = bodyAt + SampleFormat.SAMPLES_PREFIX_BYTES;
        bytes.putInt(plainBytesAt, bytes.getInt(plainBytesAt) - 1);
        bytes.putInt(at + 8, SampleFormat.crc(bytes.slice(bodyAt, bytes.getInt(at + 4))));
        bytes.putInt(at + 12, SampleFormat.crc(bytes.slice(at, 12)));
    }
}
