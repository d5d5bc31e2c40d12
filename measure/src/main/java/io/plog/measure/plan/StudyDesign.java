package io.plog.measure.plan;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server design of a study, with its number of event loops.
 *
 * @param option as {@code plog server --design} takes it: {@code dedicated}, {@code inline}, {@code threads=N} or {@code threads-shared=N}
 * @param eventLoops at least 1
 */
@JsonAutoDetect(isGetterVisibility = JsonAutoDetect.Visibility.NONE)
public record StudyDesign(String option, int eventLoops) {
    /** The design that the others are held against. */
    public static final String DEDICATED = "dedicated";

    private static final String INLINE = "inline";
    private static final String THREADS = "threads";

    private static final Pattern LABEL =
            Pattern.compile("((?:dedicated|inline|threads=\\d{1,4}|threads-shared=\\d{1,4}))(?:, (\\d{1,3}) loops)?");

    /** The design that results name so; none if it is not one that this version knows. */
    public static Optional<StudyDesign> ofLabel(String label) {
        Matcher match = LABEL.matcher(label);
        if (!match.matches()) {
            return Optional.empty();
        }
        String loops = match.group(2);
        return Optional.of(new StudyDesign(match.group(1), loops == null ? 1 : Integer.parseInt(loops)));
    }

    /** As results name it: the option, with the event loops if it has more than one. */
    public String label() {
        return eventLoops == 1 ? option : option + ", " + eventLoops + " loops";
    }

    /** The option without its number. */
    String kind() {
        int equals = option.indexOf('=');
        return equals < 0 ? option : option.substring(0, equals);
    }

    /** How many connections it serves at once; 0 if it has no such limit. */
    public int threads() {
        int equals = option.indexOf('=');
        return equals < 0 ? 0 : Integer.parseInt(option.substring(equals + 1));
    }

    /**
     * How many connections a load on it may have. A design with N threads serves N connections from their beginning to their
     * end, so any further one of a load that keeps its connections would never be served.
     *
     * @param asked for all designs
     */
    public int connections(int asked) {
        return threads() == 0 ? asked : Math.min(asked, threads());
    }

    /** Whether a request's force holds up others than those that share it: what the study calls blocking. */
    public boolean isBlocking() {
        return kind().equals(INLINE) || kind().equals(THREADS);
    }

    /** Whether the log has threads of its own. */
    public boolean isDedicated() {
        return option.equals(DEDICATED);
    }

    /** Whether the event loop forces each request by itself, so that others wait for it unread. */
    public boolean isInline() {
        return option.equals(INLINE);
    }

    /** Whether it is a thread for each connection that forces on its own. */
    public boolean isThreads() {
        return kind().equals(THREADS);
    }
}
