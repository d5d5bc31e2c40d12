package io.plog.log;

import io.plog.log.LogTools.Inspection;
import io.plog.log.LogTools.Segment;
import io.plog.log.LogTools.Window;
import io.plog.log.file.HeadFile;
import io.plog.log.file.SegmentHeader;
import io.plog.log.segment.LogAnalysis;
import io.plog.log.segment.SegmentState;
import io.plog.log.segment.StripeAnalysis;
import io.plog.log.segment.TornTailWindow;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Collects what {@link LogTools#inspect} returns. */
final class LogInspector {
    private LogInspector() {}

    static Inspection inspect(List<? extends Storage> storages) throws IOException {
        LogAnalysis analysis = LogAnalysis.ofLive(storages);
        HeadFile head = analysis.head();
        LogDamagedException damage = analysis.damage();
        List<Segment> segments = new ArrayList<>();
        for (StripeAnalysis stripe : analysis.stripes()) {
            segments.addAll(segmentsOf(stripe, damage, analysis.nextIndex()));
        }
        return new Inspection(
                head == null ? "" : head.logId().toString(),
                analysis.firstIndex(),
                analysis.nextIndex() - 1,
                analysis.markedIndex(),
                analysis.isCleanlyClosed(),
                analysis.checkpoint(),
                List.copyOf(segments),
                List.copyOf(analysis.notes()),
                Optional.ofNullable(damage),
                damage == null ? windowsOf(analysis) : List.of());
    }

    private static List<Window> windowsOf(LogAnalysis analysis) throws IOException {
        List<Window> windows = new ArrayList<>();
        for (StripeAnalysis stripe : analysis.stripes()) {
            if (stripe.segments().isEmpty() || stripe.isClosed()) {
                continue;
            }
            long elsewhere = Math.max(analysis.firstIndex() - 1, analysis.checkpoint());
            for (StripeAnalysis other : analysis.stripes()) {
                for (SegmentState segment : other.segments()) {
                    elsewhere = segment.equals(stripe.end()) && other.equals(stripe)
                            ? elsewhere
                            : Math.max(elsewhere, segment.highestWatermark());
                }
            }
            TornTailWindow.Doubt doubt = TornTailWindow.of(stripe, elsewhere);
            windows.add(new Window(
                    directoryOf(stripe), doubt.file(), doubt.offset(), doubt.firstIndex(), doubt.lastIndex()));
        }
        return List.copyOf(windows);
    }

    private static String directoryOf(StripeAnalysis stripe) {
        return stripe.id().isStriped() ? stripe.name() : "";
    }

    private static List<Segment> segmentsOf(
            StripeAnalysis stripe, @Nullable LogDamagedException damage, long nextIndex) {
        String directory = directoryOf(stripe);
        List<Segment> segments = new ArrayList<>();
        stripe.segments().forEach(state -> segments.add(inUse(directory, state)));
        stripe.superseded()
                .forEach(state ->
                        segments.add(superseded(directory, state, stripe.last().stopReason())));
        if (damage != null
                && damage.stripe() == stripe.id().number()
                && SegmentHeader.numberOf(damage.file()) > 0
                && segments.stream().noneMatch(segment -> segment.file().equals(damage.file()))) {
            segments.add(missing(damage, nextIndex));
        }
        stripe.spares().forEach(spare -> segments.add(prepared(directory, spare)));
        return segments;
    }

    private static Segment inUse(String directory, SegmentState state) {
        boolean striped = state.header().stripe().isStriped();
        boolean empty = state.records() == 0;
        long first = striped && !empty ? state.firstRecord() : state.firstIndex();
        return new Segment(
                directory,
                state.file(),
                state.sealed() ? "sealed" : "active",
                state.content(),
                first,
                empty ? first - 1 : state.lastRecord(),
                state.header().segmentBytes(),
                state.endOffset(),
                state.isTorn() ? state.tail().remainsEnd() - state.endOffset() : 0,
                state.stopReason());
    }

    private static Segment prepared(String directory, SegmentHeader spare) {
        String name = SegmentHeader.fileName(spare.segment());
        return new Segment(
                directory,
                name,
                "prepared",
                "empty",
                0,
                -1,
                spare.segmentBytes(),
                SegmentHeader.BLOCK_BYTES,
                0,
                "zeros");
    }

    /** One of which nothing is part of the log. */
    private static Segment superseded(String directory, SegmentState state, String why) {
        long end = Math.max(state.endOffset(), state.tail().remainsEnd());
        return new Segment(
                directory,
                state.file(),
                "superseded",
                "torn",
                state.firstIndex(),
                state.firstIndex() - 1,
                state.header().segmentBytes(),
                SegmentHeader.BLOCK_BYTES,
                end - SegmentHeader.BLOCK_BYTES,
                why);
    }

    /** One that could not be read at all. */
    private static Segment missing(LogDamagedException damage, long nextIndex) {
        return new Segment(
                damage.directory(),
                damage.file(),
                "active",
                "missing",
                nextIndex,
                nextIndex - 1,
                0,
                0,
                0,
                damage.found());
    }
}
