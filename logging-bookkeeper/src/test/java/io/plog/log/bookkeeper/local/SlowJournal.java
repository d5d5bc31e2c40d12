package io.plog.log.bookkeeper.local;

import java.io.File;
import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.bookkeeper.bookie.BookieFileChannel;
import org.apache.bookkeeper.bookie.DefaultFileChannelProvider;
import org.apache.bookkeeper.bookie.FileChannelProvider;
import org.apache.bookkeeper.conf.ServerConfiguration;

/**
 * The files of a bookie's journals on a disk of which a test knows what it has forced: entries that hold {@link #MAGIC} and a number
 * behind it. To force data takes 30 ms, and a third of that in any journal but the first. The bookie makes it from its name, so what it knows is static, and of one bookie
 * at a time.
 */
public final class SlowJournal implements FileChannelProvider {
    /** What comes before a number. */
    public static final long MAGIC = 0x706c6f672d6a6f75L;

    private static final int JOURNAL_MIB = 1;
    private static final String JOURNAL = "journal-";
    private static final String FIRST = JOURNAL + 0;
    private static final long FORCE_MILLIS = 30;

    private static final Set<Long> FORCED = ConcurrentHashMap.newKeySet();
    private static final AtomicInteger OPENED = new AtomicInteger();
    private static final AtomicInteger NEWEST_FORCED = new AtomicInteger();
    private static final AtomicInteger FAILURES = new AtomicInteger();

    private final DefaultFileChannelProvider files = new DefaultFileChannelProvider();

    /** For the bookie. */
    public SlowJournal() {}

    /**
     * Starts a bookie that changes its journal file often.
     *
     * @param journals how many journals it has, each in a directory of its own
     * @param failures how many forces are to fail, of a file after that of a newer one
     */
    public static LocalBookie start(Path directory, int zooKeeperPort, int journals, int failures) throws IOException {
        FORCED.clear();
        OPENED.set(0);
        NEWEST_FORCED.set(0);
        FAILURES.set(failures);
        ServerConfiguration settings =
                LocalBookie.settings(directory, directory.getFileName().toString(), zooKeeperPort);
        settings.setJournalChannelProvider(SlowJournal.class.getName());
        settings.setMaxJournalSizeMB(JOURNAL_MIB);
        settings.setJournalDirsName(IntStream.range(0, journals)
                .mapToObj(i -> directory.resolve(JOURNAL + i).toString())
                .toArray(String[]::new));
        return LocalBookie.start(directory, settings);
    }

    /** Whether the entry with a number is on stable storage. */
    public static boolean hasForced(long number) {
        return FORCED.contains(number);
    }

    /** How many files there were so far. */
    public static int files() {
        return OPENED.get();
    }

    /** The n-th file, counted from 1, was forced, with these entries in it. */
    static void forced(int file, Set<Long> numbers) {
        NEWEST_FORCED.accumulateAndGet(file, Math::max);
        FORCED.addAll(numbers);
    }

    /** Whether a force of the n-th file fails, counted from 1. */
    static boolean fails(int file) {
        return file < NEWEST_FORCED.get() && FAILURES.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    }

    @Override
    public BookieFileChannel open(File file, ServerConfiguration configuration) throws IOException {
        BookieFileChannel real = files.open(file, configuration);
        int number = OPENED.incrementAndGet();
        boolean first = file.toString().contains(FIRST + File.separator);
        long forceMillis = first ? FORCE_MILLIS : FORCE_MILLIS / 3; // or all journals would force in step
        return new BookieFileChannel() {
            @Override
            public FileChannel getFileChannel() throws IOException {
                return new SlowJournalFile(real.getFileChannel(), number, forceMillis);
            }

            @Override
            public boolean fileExists(File asked) {
                return real.fileExists(asked);
            }

            @Override
            public FileDescriptor getFD() throws IOException {
                return real.getFD();
            }

            @Override
            public void close() throws IOException {
                real.close();
            }
        };
    }

    @Override
    public void close(BookieFileChannel channel) throws IOException {
        channel.close();
    }

    @Override
    public void close() {}
}
