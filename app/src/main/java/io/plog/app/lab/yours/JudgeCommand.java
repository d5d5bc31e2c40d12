package io.plog.app.lab.yours;

import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.JsonText;
import io.plog.app.lab.Evidence;
import io.plog.app.lab.yours.Promise.Verdict;
import io.plog.host.Build;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Judges what a student built: says of each promise what it got, and writes that to {@code yours.json}. */
public abstract class JudgeCommand extends ConsoleCommand {
    public static final Path RESULT = Path.of("yours.json");

    @Option(
            names = "--histories",
            paramLabel = "N",
            description = "At most so many for each promise. With fewer than the lab has, no points are counted."
                    + " Default: as many as the lab has")
    private @Nullable Integer histories;

    @Option(names = "--seed", paramLabel = "N", description = "Repeats the histories of an earlier run.")
    private @Nullable Long seed;

    private final int enough;

    /** @param enough histories of each promise for points */
    JudgeCommand(int enough) {
        this.enough = enough;
    }

    /** Judges one promise by at most so many histories. */
    interface Judge {
        Verdict judge(Promise promise, int histories) throws IOException, InterruptedException;
    }

    /** What is written to {@code yours.json}. */
    private record Result(
            String program,
            String judged,
            String sha256,
            long seed,
            int histories,
            int points,
            String ended,
            List<Verdict> promises) {}

    final int histories() {
        int most = histories == null ? enough : histories;
        if (most < 1) {
            throw new IllegalArgumentException("--histories is " + most + ": expected 1 or more");
        }
        return most;
    }

    /** What was asked for, or by chance. */
    final long seed() {
        seed = seed == null ? Long.valueOf(new SplittableRandom().nextLong(1L << 32)) : seed;
        return seed;
    }

    /**
     * Judges it.
     *
     * @param judged what it is, and its bytes
     */
    final ExitCode judge(List<Promise> promises, Judge judge, String judged, byte[] bytes)
            throws IOException, InterruptedException {
        boolean counts = histories() >= enough;
        List<Verdict> verdicts = new ArrayList<>();
        boolean stuck = false;
        for (Promise promise : promises) {
            Verdict verdict = stuck ? promise.after(0, "not tried") : judge.judge(promise, histories());
            verdicts.add(verdict);
            stuck |= verdict.isStuck();
            boolean practice = !counts && verdict.points() > 0;
            print(String.format(
                    Locale.ROOT,
                    "%-8s  %s%s (history %d)%n",
                    practice ? "kept" : String.format(Locale.ROOT, "%2d of %2d", verdict.points(), verdict.of()),
                    verdict.promise(),
                    verdict.why().isEmpty() ? "" : ": " + verdict.why(),
                    verdict.histories()));
            verdict.picture().forEach(row -> print("            " + row + "\n"));
        }
        int points = counts ? verdicts.stream().mapToInt(Verdict::points).sum() : 0;
        write(judged, bytes, points, "", verdicts);
        String sum =
                counts ? points + " of 100 points" : "no points: they take " + enough + " histories of each promise";
        print(sum + ", seed " + seed() + ", in " + RESULT + "\n");
        return verdicts.stream().allMatch(each -> each.points() > 0) ? ExitCode.DONE : ExitCode.CHECK_FAILED;
    }

    /** @param ended how it ended the judge; empty if it did not */
    final void write(String judged, byte[] bytes, int points, String ended, List<Verdict> verdicts) throws IOException {
        String sum = HexFormat.of().formatHex(Evidence.sha256().digest(bytes));
        Result result = new Result(Build.current().text(), judged, sum, seed(), histories(), points, ended, verdicts);
        Files.writeString(RESULT, JsonText.fields(result).toPrettyString() + "\n");
    }
}
