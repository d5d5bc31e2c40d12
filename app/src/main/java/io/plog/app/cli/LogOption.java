package io.plog.app.cli;

import io.plog.log.LogOptions;
import io.plog.log.storage.Force;
import io.plog.protocol.ServiceKind;
import io.plog.server.options.TargetOptions;
import io.plog.server.service.BuiltInService;
import io.plog.server.service.BusyService;
import io.plog.server.service.Service;
import io.plog.stats.text.ByteSize;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Reads {@code NAME=[sim:MODEL@]DIR[+DIR...][,force=MODE][,segment=SIZE][,reserve=SIZE][,service=NAME][,busy=TIME]
 * [,execute=during|after][,checkpoint=SIZE][,retain=SIZE]
 * [,check=SIZE|background|start]}.
 * A comma in a directory's name is written {@code \,}. {@code sim:MODEL@} puts a simulated disk in each directory. In place of
 * directories there may be the address of a log, {@code bookkeeper://HOST:PORT,HOST:PORT/NAME?ensemble=3&ack=2}, commas and all.
 */
public final class LogOption {
    private LogOption() {}

    static final String SYNTAX =
            "NAME=[sim:MODEL@]DIR[+DIR...]|ADDRESS[,force=MODE][,segment=SIZE][,reserve=SIZE][,service="
                    + ServiceKind.labels("|") + "][,busy=TIME][,execute=during|after]"
                    + "[,checkpoint=SIZE][,retain=SIZE][,check=SIZE|background|start]";

    /** An event loop executes: a longer time would only stall its other connections. */
    private static final Duration MOST_BUSY = Duration.ofSeconds(1);

    private static final String ESCAPED_COMMA = "\\,";

    /** Commas between parts: those without a backslash before. */
    private static final Pattern PARTS = Pattern.compile("(?<!\\\\),");

    /** The same behind an address, in which commas stand between servers: a part begins with a word and an equals sign. */
    private static final Pattern PARTS_OF_ADDRESS = Pattern.compile(",(?=[a-z]+=)");

    /** A target with the address of a log. */
    private static final Pattern ADDRESS = Pattern.compile("[^=]+=[A-Za-z][A-Za-z0-9+.-]*://.*", Pattern.DOTALL);

    /** What an address says itself, or what a log of several machines has not. */
    private static final Set<String> OF_DIRECTORIES = Set.of("force", "segment", "reserve", "check");

    /** A target's name and directory as this option takes them; further parts may follow. */
    public static String of(String name, DirectoryArgument directory) {
        return name + "=" + directory.device()
                + directory.directory().toString().replace(",", ESCAPED_COMMA);
    }

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException if it is not written so
     */
    public static TargetOptions parse(String text) {
        boolean elsewhere = ADDRESS.matcher(text).matches();
        String[] parts = (elsewhere ? PARTS_OF_ADDRESS : PARTS).split(text, -1);
        int equals = parts[0].indexOf('=');
        if (equals < 1 || equals == parts[0].length() - 1) {
            throw new IllegalArgumentException("expected " + SYNTAX);
        }
        String name = parts[0].substring(0, equals);
        String place = parts[0].substring(equals + 1);
        TargetOptions options = elsewhere
                ? TargetOptions.at(name, URI.create(place))
                : inDirectories(name, place.replace(ESCAPED_COMMA, ","));
        BuiltInService service = BuiltInService.INVERT;
        Duration busy = Duration.ZERO;
        boolean after = false;
        long retainBytes = options.retainBytes(); // as long as nothing else is asked for
        long reserveBytes = 0;
        Set<String> given = new HashSet<>();
        for (int i = 1; i < parts.length; i++) {
            String part = parts[i];
            String key = part.substring(0, Math.max(0, part.indexOf('=')));
            String value = part.substring(part.indexOf('=') + 1);
            if (!given.add(key)) {
                throw new IllegalArgumentException(key + "= stands there twice: expected it once");
            }
            if (elsewhere && OF_DIRECTORIES.contains(key)) {
                throw new IllegalArgumentException(key + "= is for a log in directories, and " + place
                        + " is an address: leave it out; what replies wait for is the quorum in the address, as in"
                        + " ?ensemble=3&ack=2");
            }
            switch (key) {
                case "force" -> options = options.withForce(Force.ofLabel(value));
                case "segment" -> options = options.withSegmentBytes(ByteSize.parse(value));
                case "reserve" -> reserveBytes = reserve(value);
                case "service" -> service = BuiltInService.ofLabel(value);
                case "busy" -> busy = busy(value);
                case "execute" -> after = isAfter(value);
                case "checkpoint" -> {
                    options = options.withCheckpointBytes(ByteSize.parse(value));
                    retainBytes = retainBytes == TargetOptions.KEEP_ALL ? options.retainBytes() : retainBytes;
                }
                case "check" -> options = options.withCheckAtStartBytes(checkAtStartBytes(value));
                case "retain" -> retainBytes = ByteSize.parse(value);
                default ->
                    throw new IllegalArgumentException("unknown part '" + part + "': expected " + SYNTAX
                            + "; a comma that belongs to a directory's name is written \\,");
            }
        }
        options = options.withService(maker(service, busy, after));
        if (reserveBytes > 0) {
            options = withReserve(options, reserveBytes);
        }
        // Last, since its least value depends on the size of a segment, as the reserve does.
        return options.withRetainBytes(retainBytes);
    }

    private static TargetOptions inDirectories(String name, String place) {
        List<DirectoryArgument> disks = DirectoryArgument.parseAll(place);
        List<Path> directories =
                disks.stream().map(DirectoryArgument::directory).toList();
        return TargetOptions.logged(name, directories, Force.FDATASYNC)
                .withStorage(disks.get(0).opener());
    }

    private static Duration busy(String value) {
        Duration busy = TimeSpan.parse(value);
        if (busy.compareTo(MOST_BUSY) > 0) {
            throw new IllegalArgumentException("busy is '" + value + "': expected at most 1s");
        }
        return busy;
    }

    private static boolean isAfter(String value) {
        return switch (value) {
            case "after" -> true;
            case "during" -> false;
            default ->
                throw new IllegalArgumentException("execute is '" + value + "': expected during or after the force");
        };
    }

    private static long checkAtStartBytes(String value) {
        return switch (value) {
            case "background" -> 0;
            case "start" -> Long.MAX_VALUE;
            default -> {
                try {
                    yield ByteSize.parse(value);
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(
                            "check is '" + value + "': expected background, start, or the size up to which a log is"
                                    + " checked as a whole at the start, such as 512MiB",
                            e);
                }
            }
        };
    }

    private static Supplier<? extends Service> maker(BuiltInService service, Duration busy, boolean after) {
        return busy.isZero() && !after ? service : () -> new BusyService(service.get(), busy.toNanos(), after);
    }

    private static long reserve(String value) {
        long bytes = ByteSize.parse(value);
        if (bytes == 0) {
            throw new IllegalArgumentException("reserve is '" + value + "': expected a size of at least 1");
        }
        return bytes;
    }

    /** The reserve in whole segments, rounded up. */
    private static TargetOptions withReserve(TargetOptions options, long bytes) {
        long segments = bytes / options.segmentBytes() + (bytes % options.segmentBytes() == 0 ? 0 : 1);
        if (segments > LogOptions.MOST_RESERVE_SEGMENTS) {
            throw new IllegalArgumentException("reserve is " + ByteSize.format(bytes) + ", and a segment "
                    + ByteSize.format(options.segmentBytes()) + ": expected a reserve of at most "
                    + LogOptions.MOST_RESERVE_SEGMENTS
                    + " segments. Choose a smaller reserve, or larger segments");
        }
        return options.withReserveSegments((int) segments);
    }
}
