package io.plog.app.sim;

import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.DirectoryArgument;
import io.plog.app.cli.ExitCode;
import io.plog.simdisk.ModelledDisk.Survivors;
import io.plog.simdisk.PowerSwitch;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plog sim cut DIR}: the power of a simulated disk goes while a server uses it. */
@Command(
        name = "cut",
        description = {
            "Cuts the power of a simulated disk that a server uses: what was not forced is gone, or survives by chance. The"
                    + " server's log fails; end the server, start it again, and it recovers from what the disk holds.",
            "To end the server with kill -9 is a cut that drops everything that was not forced."
        })
final class SimCutCommand extends ConsoleCommand {
    private static final Duration MOST_WAIT = Duration.ofSeconds(3);

    @Parameters(
            paramLabel = "DIR",
            description = "Its directory, or sim:MODEL@DIR; of a striped log all of them: DIR1+DIR2+...")
    private String directories;

    @Option(
            names = "--survivors",
            paramLabel = "WHICH",
            defaultValue = "drop",
            description =
                    "What survives of what was not forced: drop (nothing), prefix (of each file a first part), random"
                            + " (any blocks). Default: ${DEFAULT-VALUE}.")
    private String survivors;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Decides what survives; with the same one, the same does. Default: random, and said.")
    private @Nullable Long seed;

    @Override
    protected ExitCode run() throws IOException {
        List<DirectoryArgument> disks = DirectoryArgument.parseAll(directories);
        Survivors which = survivors(survivors);
        long chosen = seed == null ? ThreadLocalRandom.current().nextInt(1_000_000) : seed;
        for (DirectoryArgument disk : disks) {
            boolean used = PowerSwitch.cut(disk.directory(), which, chosen, MOST_WAIT);
            out().println(
                            used
                                    ? "cut the power of the simulated disk in " + disk.directory() + ", survivors "
                                            + survivors + ", seed " + chosen + "; end its server and start it again"
                                    : "nobody uses the simulated disk in " + disk.directory()
                                            + ", so nothing on it is unforced");
        }
        return ExitCode.DONE;
    }

    private static Survivors survivors(String label) {
        for (Survivors each : Survivors.values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(label)) {
                return each;
            }
        }
        throw new IllegalArgumentException("--survivors is '" + label + "': expected drop, prefix or random");
    }
}
