package io.plog.simdisk;

import io.plog.log.storage.Storage;
import io.plog.log.storage.Storage.FileHandle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What is stable of a file of a {@link ModelledDisk}: a file in its directory, written without a force. Guarded by the disk. */
final class RealFile implements Place.StableFile {
    private static final int SECTOR_BYTES = ModelledDisk.BLOCK_BYTES;
    private static final byte[] ZEROS = new byte[SECTOR_BYTES];
    private static final int MOST_CHUNK_BYTES = 256 * 1024;

    private final Storage real;
    private String name;
    private int openings;
    private boolean nameless; // only those who have it open see it
    private @Nullable FileHandle handle;
    private ByteBuffer chunk = ByteBuffer.allocate(0); // what was put and is not written yet
    private long chunkAt;

    RealFile(Storage real, String name) {
        this.real = real;
        this.name = name;
    }

    interface Operation<T> {
        T run() throws IOException;
    }

    static <T> T unchecked(Operation<T> operation) {
        try {
            return operation.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its name in the directory. */
    String name() {
        return name;
    }

    void rename(String to) throws IOException {
        real.rename(name, to);
        name = to;
    }

    /** Nobody opens it from now on; another file may get its name. */
    void losesItsName() throws IOException {
        if (openings > 0) {
            handle();
        }
        nameless = true;
    }

    void opened() {
        openings++;
    }

    void closed() throws IOException {
        openings--;
        closeUnused();
    }

    private boolean closeUnused() throws IOException {
        FileHandle open = handle;
        if (openings == 0 && open != null) {
            handle = null;
            open.close();
        }
        return true;
    }

    private FileHandle handle() throws IOException {
        FileHandle open = handle;
        if (open == null) {
            open = real.open(name, Storage.Access.WRITE);
            handle = open;
        }
        return open;
    }

    @Override
    public void read(ByteBuffer target, long position, int count) {
        unchecked(() -> {
            int limit = target.limit();
            target.limit(target.position() + count);
            for (long at = position; target.hasRemaining(); at = position + count - target.remaining()) {
                if (handle().read(target, at) <= 0) { // it is shorter
                    target.put(ZEROS, 0, Math.min(SECTOR_BYTES, target.remaining()));
                }
            }
            return target.limit(limit);
        });
    }

    @Override
    public byte[] sector(int number) {
        ByteBuffer content = ByteBuffer.allocate(SECTOR_BYTES);
        read(content, (long) number * SECTOR_BYTES, SECTOR_BYTES);
        return content.array();
    }

    @Override
    public void put(int number, byte[] content, long fileBytes) {
        long at = (long) number * SECTOR_BYTES;
        if (chunkAt + chunk.position() != at || !chunk.hasRemaining()) {
            write();
            chunk = chunk.capacity() == 0 ? ByteBuffer.allocate(MOST_CHUNK_BYTES) : chunk;
            chunkAt = at;
        }
        chunk.put(content, 0, (int) Math.min(SECTOR_BYTES, fileBytes - at));
    }

    private void write() {
        chunk.flip();
        unchecked(() -> {
            for (long at = chunkAt; chunk.hasRemaining() && !isGone(); ) {
                at += handle().write(new ByteBuffer[] {chunk}, 0, 1, at);
            }
            return chunk.clear();
        });
    }

    @Override
    public void end() {
        write();
        chunk = ByteBuffer.allocate(0);
        unchecked(this::closeUnused);
    }

    /** It is never longer. */
    @Override
    public void cut(long bytes) {
        unchecked(() -> {
            if (!isGone() && handle().size() < bytes) {
                handle().write(new ByteBuffer[] {ByteBuffer.allocate(1)}, 0, 1, bytes - 1);
            }
            return closeUnused();
        });
    }

    /** Nobody sees it any more. */
    private boolean isGone() {
        return nameless && handle == null;
    }
}
