package io.plog.measure.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.storage.Force;
import io.plog.measure.plan.FileKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Adds ways of forcing to {@link Force} and measures them: nothing else is to be told of a new way. The class is compiled anew with the
 * new constants, and loaded with all that this module measures with.
 */
final class AddedForceTest {
    private static final Path SOURCE = Path.of("../logging-core/src/main/java/io/plog/log/storage/Force.java");
    private static final String LAST = "DIRECT(Storage.Access.WRITE_DIRECT, Call.NONE, true);";

    @TempDir
    Path classes;

    /** Runs in the other class loader: what is asked of the operating system for one append with a way, and for settling. */
    public static final class Calls implements Function<String, List<String>> {
        @Override
        public List<String> apply(String label) {
            ManualClock clock = new ManualClock(0);
            RecordedFile file = new RecordedFile(clock);
            AppendFile appends = new AppendFile(file, Force.ofLabel(label), FileKind.INITIALISED, 1 << 20);
            List<String> found = new ArrayList<>();
            try {
                appends.append(
                        512,
                        ByteBuffer.allocateDirect(1 << 16),
                        (began, write, force) -> found.add(force > 0 ? "took time" : "took none"),
                        clock);
                found.addAll(0, file.calls);
                file.calls.clear();
                appends.settle();
                found.addAll(file.calls);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return found;
        }
    }

    @Test
    void aWayThatIsAddedIsForcedTimedAndSettledAsItSays() throws Exception {
        Function<String, List<String>> calls = withForces(
                "DIRECT(Storage.Access.WRITE_DIRECT, Call.NONE, true)",
                "CAREFUL(Storage.Access.WRITE, Call.FSYNC, true)",
                "CARELESS(Storage.Access.WRITE, Call.NONE, false);");
        assertThat(calls.apply("careful")).containsExactly("write 512 at 0", "fsync", "took time");
        assertThat(calls.apply("careless")).containsExactly("write 512 at 0", "took none", "fdatasync");
        assertThat(calls.apply("fdatasync")).containsExactly("write 4096 at 0", "fdatasync", "took time");
    }

    @SuppressWarnings("unchecked")
    private Function<String, List<String>> withForces(String... constants) throws Exception {
        String source = Files.readString(SOURCE);
        assertThat(source).contains(LAST);
        Path changed = Files.createDirectories(classes.resolve("source")).resolve("Force.java");
        Files.writeString(changed, source.replace(LAST, String.join(", ", constants)));
        String path = System.getProperty("java.class.path");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-proc:none", "-cp", path, "-d", classes.toString(), changed.toString()))
                .isZero();
        List<URL> urls = new ArrayList<>(List.of(classes.toUri().toURL()));
        for (String each : path.split(java.io.File.pathSeparator)) {
            urls.add(Path.of(each).toUri().toURL());
        }
        // Without the test's own loader above it, so that every class meets the changed one; never closed, since it
        // lives as long.
        ClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        return (Function<String, List<String>>)
                loader.loadClass(Calls.class.getName()).getDeclaredConstructor().newInstance();
    }
}
