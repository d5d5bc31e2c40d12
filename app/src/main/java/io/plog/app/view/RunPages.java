package io.plog.app.view;

import io.plog.measure.samples.SampleFileReader;
import io.plog.page.PageData;
import io.plog.page.RunPage;
import io.plog.results.Analysis;
import io.plog.results.compare.Assessor;
import io.plog.results.compare.NotComparableException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the pages of runs show, analysed one run at a time, and kept. A run that is under way may be measured on this machine, so its
 * figures are made anew only while somebody looks at them, and for at most a tenth of the time. Safe for any thread.
 */
final class RunPages {
    private static final int MOST_KEPT = 8;
    private static final long LEAST_PAUSE_NANOS = 4_000_000_000L;
    private static final int PAUSE_BY_WORK = 9;

    /** Guarded by this; the one that was used last is the last. */
    private final Map<String, Made> kept = new LinkedHashMap<>();

    /**
     * A page.
     *
     * @param version of what it was made of
     * @param until when it is new enough for a run that is under way
     */
    record Made(String version, PageData page, long until) {}

    private interface Maker<E extends Exception> {
        PageData make() throws IOException, E;
    }

    /**
     * The page of a run.
     *
     * @param growing whether it is under way
     * @throws IOException if its files can't be read, are damaged, or of a newer version; the message is for people
     */
    Made of(ViewedRun run, boolean growing) throws IOException {
        Path source = source(run);
        return of(run.name(), ViewedRun.version(source), growing, () -> RunPage.of(Analysis.of(source), null));
    }

    /**
     * The comparison of two runs, of which {@code a} is the baseline.
     *
     * @param anyway whether they are compared although something forbids it
     * @throws NotComparableException if something forbids it
     * @throws IOException as {@link #of}
     */
    Made comparison(ViewedRun a, ViewedRun b, boolean anyway) throws IOException, NotComparableException {
        Path ofA = source(a);
        Path ofB = source(b);
        String version = ViewedRun.version(ofA) + ViewedRun.version(ofB) + anyway;
        return of(a.name() + "\n" + b.name(), version, false, () -> comparison(a.name(), ofA, b.name(), ofB, anyway));
    }

    private synchronized <E extends Exception> Made of(String key, String version, boolean growing, Maker<E> maker)
            throws IOException, E {
        Made made = kept.remove(key);
        boolean newEnough =
                made != null && (made.version.equals(version) || (growing && System.nanoTime() - made.until < 0));
        if (made == null || !newEnough) {
            long began = System.nanoTime();
            PageData page = maker.make();
            long now = System.nanoTime();
            made = new Made(version, page, now + Math.max(LEAST_PAUSE_NANOS, PAUSE_BY_WORK * (now - began)));
        }
        kept.put(key, made);
        if (kept.size() > MOST_KEPT) {
            kept.remove(kept.keySet().iterator().next());
        }
        return made;
    }

    private static Path source(ViewedRun run) throws IOException {
        return run.source()
                .orElseThrow(() -> new FileNotFoundException(
                        run.directory() + ": holds no samples, of which its page would be made"));
    }

    private static PageData comparison(String nameOfA, Path a, String nameOfB, Path b, boolean anyway)
            throws IOException, NotComparableException {
        try (SampleFileReader ofA = SampleFileReader.open(a);
                SampleFileReader ofB = SampleFileReader.open(b)) {
            Analysis.Outcome outcome = Analysis.of(ofB);
            return RunPage.of(
                    outcome,
                    Assessor.of(
                            new Assessor.Input(nameOfA, ofA, Analysis.results(ofA)),
                            new Assessor.Input(nameOfB, ofB, outcome.results()),
                            new Assessor.Request(null, List.of(), anyway, false)));
        }
    }
}
