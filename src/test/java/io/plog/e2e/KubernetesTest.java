package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.protocol.security.TestCertificates;
import io.plog.protocol.security.TlsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command lines in {@code ops/kubernetes} are ones that plog takes, with the files where the volumes are mounted. */
final class KubernetesTest {
    private static final Pattern LISTED = Pattern.compile("(?m)^ {12}- (\\S+)$");
    private static final Pattern INLINE = Pattern.compile("args: \\[(.+)]");

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    private static String file(String name) throws Exception {
        return Files.readString(Path.of("../../ops/kubernetes", name));
    }

    @Test
    void theServerStartsWithWhatItsPodMounts() throws Exception {
        Path volume =
                Files.createDirectories(directory.resolve("data/lost+found")).getParent();
        TlsFiles made = TestCertificates.authority("root")
                .signs("server", Duration.ofDays(9))
                .writeTo(directory, null);
        Path access = Files.writeString(directory.resolve("access"), "admin token " + "0".repeat(64) + "\n");
        Files.setPosixFilePermissions(access, PosixFilePermissions.fromString("r--r-----"));
        List<String> words = new ArrayList<>(LISTED.matcher(file("server.yaml"))
                .results()
                .map(found -> found.group(1)
                        .replace("a=/data", "a=" + volume)
                        .replace(
                                "/tls/tls.crt",
                                Objects.requireNonNull(made.certificate()).toString())
                        .replace(
                                "/tls/tls.key",
                                Objects.requireNonNull(made.key()).toString())
                        .replace("/access/access", access.toString()))
                .toList());
        assertThat(words).startsWith("server").contains("--bind=0.0.0.0").hasSizeGreaterThan(5);
        words.add("--check");
        LocalRun.of("%s", words).exited(0);
    }

    @Test
    void theJobMeasuresTheVolume() throws Exception {
        MatchResult args =
                INLINE.matcher(file("disk.yaml")).results().findFirst().orElseThrow();
        List<String> words = new ArrayList<>(List.of(args.group(1).split(", ")));
        assertThat(words).startsWith("disk").endsWith("/data");
        words.set(words.size() - 1, directory.toString());
        words.add("--dry-run");
        LocalRun.of("%s", words).exited(0);
    }
}
