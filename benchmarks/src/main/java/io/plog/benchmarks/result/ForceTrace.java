package io.plog.benchmarks.result;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Counts in a system call trace ({@code strace -f -y}) how often appends were forced. The traced program marks the beginning of
 * each append by an attempt to open a file {@code mark-append}, and the end of the last by {@code mark-end}. One that cannot
 * mark its appends, fio, is counted as a whole between {@code mark-begin} and {@code mark-end}.
 *
 * <p>These force: {@code fdatasync}, {@code fsync}, {@code msync} with {@code MS_SYNC}, and writes, also by
 * {@code io_submit}, to a file opened with {@code O_DSYNC} or {@code O_SYNC}. An append counts as forced if one of them
 * returned without an error after its last write began, before the next append. What a thread is in the middle of is noted
 * when it ends.
 */
public final class ForceTrace {
    private static final Pattern LINE = Pattern.compile("^(?:\\[pid +)?(\\d+)\\]? +(.*)$");
    private static final Pattern RESUMED = Pattern.compile("^<\\.\\.\\. (\\w+) resumed>(.*)$");
    private static final Pattern CALL = Pattern.compile("^(\\w+)\\((.*)$");
    private static final Pattern FILE = Pattern.compile("^(\\d+)<([^>]*)>");
    private static final Pattern OPENED = Pattern.compile("= (\\d+)<[^>]*>$");
    private static final Pattern AIO_FILE = Pattern.compile("aio_fildes=(\\d+)");
    private static final Set<String> WRITES = Set.of("write", "pwrite64", "writev", "pwritev", "pwritev2", "io_submit");
    private static final String UNFINISHED = "<unfinished ...>";

    private final String directory;
    private final Map<String, String> unfinished = new LinkedHashMap<>();
    private final Set<String> syncedFiles = new HashSet<>();
    private final Map<String, Integer> calls = new LinkedHashMap<>();
    private int appends;
    private int forcedAppends;
    private int forces;
    private int writes;
    private boolean counting;
    private boolean inAppend;
    private boolean forced;

    private ForceTrace(String directory) {
        this.directory = directory;
    }

    /**
     * What was found.
     *
     * @param appends how many appends were marked; 0 if the program marks none
     * @param forcedAppends how many of them were forced
     * @param forces calls that force, while appends were made
     * @param writes calls that write to files of the directory, while appends were made
     * @param calls how often each of these calls was seen
     */
    public record Count(int appends, int forcedAppends, int forces, int writes, Map<String, Integer> calls) {
        /** Whether every append was forced; where none are marked, whether there was a force for each write but the last. */
        public boolean allForced() {
            return appends > 0 ? forcedAppends == appends : writes > 0 && forces >= writes - 1;
        }

        /** Forcing calls for each append, or for each write where appends are not marked. */
        public double forcesPerAppend() {
            return (double) forces / Math.max(1, appends > 0 ? appends : writes);
        }

        /** The calls as text, such as {@code fdatasync 200, writev 200}. */
        public String callsAsText() {
            return calls.entrySet().stream()
                    .map(call -> call.getKey() + " " + call.getValue())
                    .collect(Collectors.joining(", "));
        }
    }

    /**
     * Counts.
     *
     * @param trace the lines of the trace
     * @param directory where the journal's files are; writes elsewhere do not matter
     */
    public static Count count(List<String> trace, String directory) {
        ForceTrace counter = new ForceTrace(directory);
        trace.forEach(counter::line);
        return new Count(counter.appends, counter.forcedAppends, counter.forces, counter.writes, counter.calls);
    }

    private void line(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            return;
        }
        String thread = matcher.group(1);
        String text = matcher.group(2);
        Matcher resumed = RESUMED.matcher(text);
        if (text.endsWith(UNFINISHED)) {
            String begun = text.substring(0, text.length() - UNFINISHED.length());
            unfinished.put(thread, begun);
            begin(begun);
        } else if (resumed.matches()) {
            String begun = unfinished.remove(thread);
            if (begun != null) {
                end(begun + resumed.group(2));
            }
        } else {
            begin(text);
            end(text);
        }
    }

    private void begin(String text) {
        Matcher call = CALL.matcher(text);
        if (counting && call.matches() && WRITES.contains(call.group(1)) && isOfDirectory(call)) {
            forced = false;
        }
    }

    private void end(String text) {
        if (text.contains("/mark-")) {
            mark(text.contains("/mark-append\""), text.contains("/mark-begin\""));
            return;
        }
        Matcher call = CALL.matcher(text);
        if (!call.matches()) {
            return;
        }
        String name = call.group(1);
        if (name.equals("openat") || name.equals("open")) {
            opened(text);
        } else if (counting && WRITES.contains(name)) {
            wrote(call, text);
        } else if (counting && isForce(name, call.group(2)) && text.endsWith("= 0")) {
            force(name);
        }
    }

    private void mark(boolean append, boolean begin) {
        if (inAppend) {
            appends++;
            forcedAppends += forced ? 1 : 0;
        }
        inAppend = append;
        counting = append || begin;
        forced = false;
    }

    private void opened(String text) {
        Matcher opened = OPENED.matcher(text);
        if (opened.find()) {
            if (text.contains("O_DSYNC") || text.contains("O_SYNC")) {
                syncedFiles.add(opened.group(1));
            } else {
                syncedFiles.remove(opened.group(1)); // the number is used again
            }
        }
    }

    private void wrote(Matcher call, String text) {
        if (!isOfDirectory(call) || text.contains("= -1")) {
            return;
        }
        writes++;
        note(call.group(1));
        String file = fileNumber(call);
        if (syncedFiles.contains(file) || text.contains("RWF_DSYNC")) {
            force("O_DSYNC");
        }
    }

    private void force(String name) {
        forces++;
        forced = true;
        note(name);
    }

    private void note(String name) {
        calls.merge(name, 1, Integer::sum);
    }

    private boolean isForce(String name, String arguments) {
        return switch (name) {
            case "fdatasync", "fsync" -> arguments.contains("<" + directory);
            case "msync" -> arguments.contains("MS_SYNC");
            default -> false;
        };
    }

    private static boolean isAio(Matcher call) {
        return call.group(1).equals("io_submit");
    }

    private boolean isOfDirectory(Matcher call) {
        return isAio(call) || call.group(2).contains("<" + directory);
    }

    private static String fileNumber(Matcher call) {
        Matcher file = isAio(call) ? AIO_FILE.matcher(call.group(2)) : FILE.matcher(call.group(2));
        return file.find() ? file.group(1) : "";
    }
}
