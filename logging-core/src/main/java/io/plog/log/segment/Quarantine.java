package io.plog.log.segment;

import io.plog.log.file.LogFiles;
import io.plog.log.file.ReadAround;
import io.plog.log.file.WriteFully;
import io.plog.log.file.Zeros;
import io.plog.log.storage.LogException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Cuts parts of a log without losing them: a part is saved durably in a file next to the log before it is overwritten. For one
 * thread.
 */
public final class Quarantine {
    private static final int CHUNK_BYTES = 1024 * 1024;

    private final Storage storage;
    private final ByteBuffer chunk;

    /** @param mostBytes what is handled in one piece at most; a segment's size will do */
    public Quarantine(Storage storage, long mostBytes) {
        this.storage = storage;
        this.chunk = ByteBuffer.allocateDirect((int) Math.min(CHUNK_BYTES, mostBytes));
    }

    /**
     * Copies a stretch of a segment's file into a new file and forces it.
     *
     * @return the new file's name
     */
    public String keep(String name, long segment, long from, long to) throws IOException {
        String cut = freeName(segment + "-at-" + from);
        String temporary = cut + LogFiles.TEMPORARY_SUFFIX;
        if (storage.list().contains(temporary)) {
            storage.delete(temporary);
        }
        try (Storage.FileHandle file = ReadAround.open(storage, name);
                Storage.FileHandle copy = storage.create(temporary)) {
            for (long at = from; at < to; at += chunk.limit()) {
                read(file, at, to);
                WriteFully.fully(copy, chunk, at - from);
            }
            copy.force(true);
        }
        storage.rename(temporary, cut);
        storage.forceDirectory();
        return cut;
    }

    /** Gives a whole file another name, durably, under which the log does not see it any more; returns that name. */
    public String setAside(String name) throws IOException {
        String cut = freeName(name);
        storage.rename(name, cut);
        storage.forceDirectory();
        return cut;
    }

    /** Overwrites a stretch of a file with zeros and forces them, also where zeros are read. */
    public void zero(String name, long from, long to) throws IOException {
        try (Storage.FileHandle file = storage.open(name, Storage.Access.WRITE)) {
            for (long at = from; at < to; at += chunk.limit()) {
                chunk.clear().limit((int) Math.min(chunk.capacity(), to - at));
                Zeros.put(chunk, chunk.remaining());
                WriteFully.fully(file, chunk.flip(), at);
            }
            file.force(true);
        }
    }

    /** Writes a stretch of a file again as it is read, and forces it. */
    void writeAgain(Storage.FileHandle file, long from, long to) throws IOException {
        for (long at = from; at < to; at += chunk.limit()) {
            read(file, at, to);
            WriteFully.fully(file, chunk, at);
        }
        file.force(true);
    }

    private void read(Storage.FileHandle file, long at, long end) throws IOException {
        chunk.clear().limit((int) Math.min(chunk.capacity(), end - at));
        while (chunk.hasRemaining()) {
            if (file.read(chunk, at + chunk.position()) < 0) {
                throw new LogException(
                        "a file of the log in " + storage.describe() + " became shorter while it was read");
            }
        }
        chunk.flip();
    }

    private String freeName(String what) throws IOException {
        List<String> names = storage.list();
        for (int copy = 1; ; copy++) {
            String name = LogFiles.CUT_PREFIX + what + "-" + copy + ".bin";
            if (!names.contains(name)) {
                return name;
            }
        }
    }
}
