package io.plog.log.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.Logs;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Short writes, as the operating system may make them. */
class WriteFullyTest {
    private static final int BLOCK = 4096;

    /** A file in memory that writes only so much at a time, and may refuse what the kernel refuses with O_DIRECT. */
    private static final class ShortFile implements Storage.FileHandle {
        final byte[] content = new byte[16 * BLOCK];
        final List<String> writes = new ArrayList<>();
        private final int most;
        private final int unit; // positions and lengths must be multiples of it

        ShortFile(int most, boolean direct) {
            this(most, direct ? BLOCK : 1);
        }

        ShortFile(int most, int unit) {
            this.most = most;
            this.unit = unit;
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length, long position) throws IOException {
            long written = 0;
            for (int i = offset; i < offset + length; i++) {
                ByteBuffer source = sources[i];
                if (position % unit != 0
                        || source.remaining() % unit != 0
                        || source.alignmentOffset(source.position(), unit) != 0) {
                    throw new IOException("Invalid argument");
                }
                int count = (int) Math.min(most - written, source.remaining());
                source.get(content, (int) (position + written), count);
                written += count;
            }
            writes.add(position + "+" + written);
            return written;
        }

        @Override
        public int read(ByteBuffer target, long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void force(boolean metadata) {}

        @Override
        public long size() {
            return content.length;
        }

        @Override
        public void close() {}
    }

    /** Aligned in memory, as writes around the page cache need it. */
    private static ByteBuffer bytes(int count) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(count + 2 * BLOCK).alignedSlice(BLOCK);
        bytes.put(Logs.bytes(count, 7)).flip();
        return bytes;
    }

    private static void assertHolds(ShortFile file, int position, int count) {
        byte[] expected = new byte[file.content.length];
        bytes(count).get(expected, position, count);
        assertThat(file.content).isEqualTo(expected);
    }

    @Test
    void wholeBlocksAreGoneOnWithFromTheBlockThatWasBegun() throws Exception {
        ShortFile file = new ShortFile(5000, true);
        ByteBuffer source = bytes(3 * BLOCK);
        WriteFully.fully(file, source, 2 * BLOCK);
        assertThat(file.writes).containsExactly("8192+5000", "12288+5000", "16384+4096");
        assertThat(source.hasRemaining()).isFalse();
        assertHolds(file, 2 * BLOCK, 3 * BLOCK);
    }

    @Test
    void wholeBlocksAreGoneOnWithWhereAShortWriteEndedAtTheEndOfOne() throws Exception {
        ShortFile file = new ShortFile(2 * BLOCK, true);
        WriteFully.fully(file, bytes(3 * BLOCK), 0);
        assertThat(file.writes).containsExactly("0+8192", "8192+4096");
        assertHolds(file, 0, 3 * BLOCK);
    }

    @Test
    void writesOfLessThanABlockGetFurtherEachTime() throws Exception {
        ShortFile file = new ShortFile(1000, false);
        WriteFully.fully(file, bytes(2 * BLOCK), BLOCK);
        assertThat(file.writes).hasSize(16);
        assertHolds(file, BLOCK, 2 * BLOCK);
    }

    @Test
    void everyLengthOfAShortWriteIsGoneOnWithWhereADeviceOfSectorsTakesIt() throws Exception {
        for (int most = 512; most <= 3 * BLOCK; most++) {
            ShortFile file = new ShortFile(most, 512);
            WriteFully.fully(file, bytes(3 * BLOCK), BLOCK);
            assertHolds(file, BLOCK, 3 * BLOCK);
        }
    }

    @Test
    void everyLengthOfAShortWriteOfABlockIsGoneOnWithWhereADeviceOfBlocksTakesIt() throws Exception {
        for (int most = BLOCK; most <= 3 * BLOCK; most++) {
            ShortFile file = new ShortFile(most, BLOCK);
            WriteFully.fully(file, bytes(3 * BLOCK), BLOCK);
            assertHolds(file, BLOCK, 3 * BLOCK);
        }
    }

    @Test
    void writesOfLessThanASectorAreGoneOnWithWhereThePageCacheTakesThem() throws Exception {
        for (int most = 1; most < 512; most++) {
            ShortFile file = new ShortFile(most, 1);
            WriteFully.fully(file, bytes(3 * BLOCK), 2 * BLOCK);
            assertThat(file.writes.subList(0, 5))
                    .containsExactly(
                            "8192+" + most, "8192+" + most, "8192+" + most, "8192+" + most, (8192 + most) + "+" + most);
            assertHolds(file, 2 * BLOCK, 3 * BLOCK);
        }
    }

    @Test
    void writesOfLessThanASectorFailWhereADeviceRefusesThem() {
        for (int most = 1; most < 512; most++) {
            ShortFile file = new ShortFile(most, 512);
            assertThatThrownBy(() -> WriteFully.fully(file, bytes(3 * BLOCK), 2 * BLOCK))
                    .isInstanceOf(IOException.class)
                    .hasMessage("Invalid argument");
            assertThat(file.writes).hasSize(4);
        }
    }

    @Test
    void whatIsNotMadeOfWholeBlocksIsGoneOnWithWhereItEnded() throws Exception {
        ShortFile file = new ShortFile(5000, false);
        WriteFully.fully(file, bytes(6000), BLOCK);
        assertThat(file.writes).containsExactly("4096+5000", "9096+1000");
        assertHolds(file, BLOCK, 6000);
    }

    @Test
    void severalBuffersAreGoneOnWithWhereTheyEnded() throws Exception {
        ShortFile file = new ShortFile(5000, false);
        ByteBuffer all = bytes(2 * BLOCK);
        ByteBuffer[] halves = {all.slice(0, BLOCK), all.slice(BLOCK, BLOCK)};
        WriteFully.fully(file, halves, 2, 0);
        assertThat(file.writes).containsExactly("0+5000", "5000+3192");
        assertHolds(file, 0, 2 * BLOCK);
    }

    @Test
    void writesThatWriteNothingFail() {
        ShortFile file = new ShortFile(0, false);
        assertThatThrownBy(() -> WriteFully.fully(file, bytes(BLOCK), 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("16 times");
    }
}
