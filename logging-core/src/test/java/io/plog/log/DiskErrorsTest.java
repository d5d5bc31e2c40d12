package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plog.log.file.DiskErrors;
import io.plog.log.file.DiskStorage;
import io.plog.log.file.LogFiles;
import io.plog.log.storage.LogException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiskErrorsTest {
    @TempDir
    private Path directory;

    /** The words of glibc, musl and Windows, alone and behind what says where it was. */
    @ParameterizedTest
    @CsvSource({
        "No space left on device, NO_SPACE",
        "Disk quota exceeded, NO_SPACE",
        "Quota exceeded, NO_SPACE",
        "File too large, NO_SPACE",
        "Too many open files, SHORTAGE",
        "Too many open files in system, SHORTAGE",
        "No file descriptors available, SHORTAGE",
        "Cannot allocate memory, SHORTAGE",
        "Permission denied, DENIED",
        "Operation not permitted, DENIED",
        "Read-only file system, READ_ONLY",
        "There is not enough space on the disk, NO_SPACE",
        "The disk is full, NO_SPACE",
        "The requested file operation failed because the storage quota was exceeded, NO_SPACE",
        "The system cannot open the file, SHORTAGE",
        "Insufficient system resources exist to complete the requested service, SHORTAGE",
        "Not enough memory resources are available to process this command, SHORTAGE",
        "Access is denied, DENIED",
        "The media is write protected, READ_ONLY",
        "The process cannot access the file because it is being used by another process, LASTING",
        "Input/output error, LASTING",
        "No such file or directory, LASTING",
        "Structure needs cleaning, LASTING",
        "Kein Speicherplatz mehr auf dem Gerät verfügbar, LASTING",
    })
    void theWordsOfTheSystemSayWhatAnErrorMeans(String words, DiskErrors.Kind kind) {
        assertThat(DiskErrors.kindOf(new IOException(words))).isEqualTo(kind);
        assertThat(DiskErrors.kindOf(new FileSystemException("/srv/a/1.seg", null, words)))
                .isEqualTo(kind);
        IOException said = DiskErrors.because("write of 4096 bytes at offset 8192 of /a/1.seg", new IOException(words));
        assertThat(said).hasMessage("write of 4096 bytes at offset 8192 of /a/1.seg: " + words);
        assertThat(DiskErrors.kindOf(said)).isEqualTo(kind);
    }

    @Test
    void aNameThatContainsTheWordsMeansNothing() {
        IOException denied = new AccessDeniedException("/srv/no space left on device/1.seg");
        assertThat(DiskErrors.kindOf(DiskErrors.because("open of it", denied))).isEqualTo(DiskErrors.Kind.DENIED);
        assertThat(DiskErrors.kindOf(new NoSuchFileException("/srv/quota exceeded/1.seg")))
                .isEqualTo(DiskErrors.Kind.LASTING);
    }

    /** A real failure of a real file: there is a largest offset on every file system, well below this one. */
    @Test
    void aFailedWriteSaysOperationLengthOffsetAndFile() throws IOException {
        try (DiskStorage storage = new DiskStorage(directory);
                Storage.FileHandle file = storage.create("1.seg")) {
            long offset = Long.MAX_VALUE - 8_191;
            assertThatThrownBy(() -> file.write(new ByteBuffer[] {ByteBuffer.allocate(4_096)}, 0, 1, offset))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("write of 4096 bytes at offset " + offset + " of "
                            + directory.toRealPath().resolve("1.seg") + ": ");
        }
    }

    /** In the encoding of the C locale that is every name that is not ASCII: to look at it would throw an InvalidPathException. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aNameThatTheEncodingDoesNotKnowIsNotListed() throws Exception {
        String[] create = {"sh", "-c", "touch \"$(printf 'a\\377.tmp')\" b.tmp"};
        assertThat(new ProcessBuilder(create)
                        .directory(directory.toFile())
                        .start()
                        .waitFor())
                .isZero();
        assertThat(new DiskStorage(directory).list()).containsExactly("b.tmp");
    }

    @Test
    void whatFailsInADirectorySaysWhatAndWhere() throws IOException {
        Path real = directory.toRealPath();
        try (DiskStorage storage = new DiskStorage(directory)) {
            Files.createDirectories(directory.resolve("2.seg/file"));
            assertThatThrownBy(() -> storage.delete("2.seg"))
                    .hasMessageEndingWith(real.resolve("2.seg") + ": Directory not empty");
            storage.delete("1.seg"); // it is gone, which is what was wanted
            assertThatThrownBy(() -> storage.rename("1.seg.tmp", "1.seg"))
                    .hasMessageContaining(real.resolve("1.seg.tmp").toString());
            assertThatThrownBy(() -> storage.open("1.seg", Storage.Access.WRITE))
                    .isInstanceOf(NoSuchFileException.class)
                    .hasMessageContaining(real.resolve("1.seg").toString());
        }
    }

    @Test
    void aDirectoryThatIsMountedReadOnlyIsCalledThat() throws IOException {
        Optional<Path> readOnly = readOnlyMount();
        assumeTrue(readOnly.isPresent(), "nothing is mounted read-only here");
        try (DiskStorage storage = new DiskStorage(readOnly.get())) {
            assertThatThrownBy(() -> storage.lock(LogFiles.LOCK))
                    .isInstanceOf(LogException.class)
                    .hasMessageContainingAll(readOnly.get().toRealPath().toString(), "mounted read-only", "remount,rw");
        }
    }

    private static Optional<Path> readOnlyMount() throws IOException {
        Path mounts = Path.of("/proc/self/mounts");
        if (!Files.isReadable(mounts)) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(mounts);
        return lines.stream()
                .map(line -> line.split(" "))
                .filter(fields -> List.of(fields[3].split(",")).contains("ro"))
                .map(fields -> Path.of(fields[1]))
                .filter(path -> Files.isDirectory(path) && Files.isReadable(path))
                .findFirst();
    }
}
