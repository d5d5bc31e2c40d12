package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The meters that the dashboard and the alerts in {@code ops/} ask for. */
final class OpsFiles {
    private static final Path OPS = Path.of("..", "ops");
    private static final Pattern NAME = Pattern.compile("\\b(?:plog|process|jvm|netty|system)_\\w+");
    private static final Pattern REPLICATED = Pattern.compile("plog_(?:standby|log_copies|takeover).*");

    private OpsFiles() {}

    /** Each of them is in what an admin port answered: those of a log on several machines, or all others. */
    static void assertThatNamesAreIn(String metrics, boolean replicated) throws IOException {
        Set<String> found = metrics.lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceFirst("[{ ].*", ""))
                .collect(Collectors.toSet());
        for (String file : new String[] {"grafana.json", "alerts.yml"}) {
            Set<String> asked = NAME.matcher(Files.readString(OPS.resolve(file)))
                    .results()
                    .map(MatchResult::group)
                    .filter(name -> !name.startsWith("plog_tls_")) // of servers with TLS: TlsTest looks
                    .filter(name -> REPLICATED.matcher(name).matches() == replicated)
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(asked).as(file).isNotEmpty();
            assertThat(found).as("meters of ops/" + file).containsAll(asked);
        }
    }
}
