package io.plog.study.page;

import io.plog.report.figure.Axis;
import io.plog.report.figure.Figure;
import io.plog.report.figure.Fill;
import io.plog.report.figure.Fill.Hatch;
import io.plog.report.figure.KeyEntry;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import io.plog.report.figure.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which thread waits for what in the four designs, with the same three requests in each. A sketch: nothing in it was measured. */
final class WaitingFigure {
    private static final Fill WORK = new Fill("#00855f", Hatch.NONE);
    private static final Fill WAIT = new Fill("#c8ced6", Hatch.RISING);
    private static final Fill FORCE = new Fill("#0072b2", Hatch.NONE);

    private WaitingFigure() {}

    /** What a thread does between two points in time; time has no unit here. */
    private record Does(String thread, double from, double to, Fill what, String words) {}

    private record Drawn(String design, String heading, List<String> threads, List<Does> does) {}

    private static Does work(String thread, double from, String words) {
        return new Does(thread, from, from + 1, WORK, words);
    }

    private static Does force(String thread, double from, String words) {
        return new Does(thread, from, from + 6, FORCE, words);
    }

    private static Does waits(String thread, double from, double to) {
        return new Does(thread, from, to, WAIT, "waits");
    }

    private static final String LOOP = "event loop";
    private static final String LOG = "log thread";
    private static final List<String> THREADS = List.of("thread 1", "thread 2", "thread 3");

    /** Requests 1, 2 and 3 arrive at 0, 2 and 3. */
    private static final List<Drawn> DESIGNS = List.of(
            new Drawn(
                    "dedicated",
                    "dedicated: the loop reads on, the log thread forces",
                    List.of(LOOP, LOG),
                    List.of(
                            work(LOOP, 0, "1"),
                            work(LOOP, 2, "2"),
                            work(LOOP, 3, "3"),
                            force(LOG, 1, "force 1"),
                            work(LOOP, 7, "→1"),
                            force(LOG, 7, "force 2, 3"),
                            new Does(LOOP, 13, 14.4, WORK, "→2,3"))),
            new Drawn(
                    "inline",
                    "inline: the loop forces, everyone behind it waits",
                    List.of(LOOP, "request 2", "request 3"),
                    List.of(
                            work(LOOP, 0, "1"),
                            force(LOOP, 1, "force 1"),
                            waits("request 2", 2, 8),
                            waits("request 3", 3, 15.5),
                            new Does(LOOP, 7, 8.5, WORK, "→1, 2"),
                            force(LOOP, 8.5, "force 2"),
                            new Does(LOOP, 14.5, 16, WORK, "→2, 3"),
                            force(LOOP, 16, "force 3"))),
            new Drawn(
                    "turn",
                    "turn: the loop forces all that it has read, once",
                    List.of(LOOP, "request 2", "request 3"),
                    List.of(
                            work(LOOP, 0, "1"),
                            force(LOOP, 1, "force 1"),
                            waits("request 2", 2, 8),
                            waits("request 3", 3, 8.5),
                            new Does(LOOP, 7, 9, WORK, "→1, 2, 3"),
                            force(LOOP, 9, "force 2, 3"),
                            new Does(LOOP, 15, 16.4, WORK, "→2,3"))),
            new Drawn(
                    "threads",
                    "threads=N: each forces alone, the forces queue at the disk",
                    THREADS,
                    List.of(
                            work("thread 1", 0, "1"),
                            force("thread 1", 1, "force 1"),
                            work("thread 2", 2, "2"),
                            waits("thread 2", 3, 7),
                            force("thread 2", 7, "force 2"),
                            work("thread 3", 3, "3"),
                            waits("thread 3", 4, 13),
                            force("thread 3", 13, "force 3"))),
            new Drawn(
                    "threads-shared",
                    "threads-shared=N: those who wait share the next force",
                    THREADS,
                    List.of(
                            work("thread 1", 0, "1"),
                            force("thread 1", 1, "force 1"),
                            work("thread 2", 2, "2"),
                            waits("thread 2", 3, 7),
                            force("thread 2", 7, "force 2, 3"),
                            work("thread 3", 3, "3"),
                            waits("thread 3", 4, 13))));

    static Figure of() {
        List<Panel> panels = DESIGNS.stream().map(WaitingFigure::panel).toList();
        List<List<@Nullable Object>> rows = new ArrayList<>();
        DESIGNS.forEach(drawn -> drawn.does()
                .forEach(does -> rows.add(
                        Table.row(drawn.design(), does.thread(), does.from(), does.to(), kind(does), does.words()))));
        return new Figure(
                "designs",
                "Who waits for the disk",
                "Time runs to the right; three requests arrive shortly after one another. Dedicated: the event loop takes up requests 2"
                        + " and 3 while the log thread forces request 1, and the next force serves both. Inline: the loop itself"
                        + " forces, so requests 2 and 3 are not even read before it is done. Threads: each thread forces its own"
                        + " record, and the forces stand in line at the disk. Threads-shared: the threads that wait are served by one"
                        + " force.",
                List.of(
                        KeyEntry.area("reads, executes, replies (→)", WORK),
                        KeyEntry.area("waits", WAIT),
                        KeyEntry.area("force of the log", FORCE)),
                panels.stream().map(List::of).toList(),
                List.of("A drawing of the idea with three requests; lengths are not measured."),
                new Table(List.of("design", "row", "from", "to", "what", "words"), rows));
    }

    private static String kind(Does does) {
        return does.what().equals(WORK) ? "work" : does.what().equals(WAIT) ? "wait" : "force";
    }

    private static Panel panel(Drawn drawn) {
        int n = drawn.threads().size();
        List<Mark> marks = new ArrayList<>();
        for (Does does : drawn.does()) {
            double row = n - 1.0 - drawn.threads().indexOf(does.thread());
            marks.add(new Mark.Box(does.from(), does.to(), row - 0.4, row + 0.4, does.what(), does.words()));
        }
        Axis time = new Axis("", Axis.Scale.LINEAR, -0.2, 22.5, List.of(), true);
        return Panel.of(drawn.heading(), time, Axes.rows(drawn.threads()), 20 * n + 4, marks);
    }
}
