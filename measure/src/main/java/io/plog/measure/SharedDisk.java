package io.plog.measure;

import io.plog.measure.disk.DiskNeighbours;
import io.plog.measure.disk.Neighbour;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who uses the log's disk besides the log, and during the turns of which targets.
 *
 * @param directory on that disk
 * @param neighbours by the name of the target, as {@link Neighbour#label} says them; targets without one are not in it
 */
public record SharedDisk(String directory, Map<String, String> neighbours) {
    /** Nobody. */
    public static final SharedDisk NOBODY = new SharedDisk("", Map.of());

    /** The fact of the client that tells it. */
    static final String FACT = "neighbours";

    /** Copies the map and checks the names. */
    public SharedDisk {
        neighbours = Map.copyOf(neighbours);
        neighbours.values().forEach(Neighbour::ofLabel);
    }

    /** As people read it; empty without neighbours. */
    String told() {
        StringBuilder told = new StringBuilder();
        new TreeMap<>(neighbours)
                .forEach((target, neighbour) -> told.append(told.isEmpty() ? "" : ", ")
                        .append(target)
                        .append(" beside ")
                        .append(Neighbour.ofLabel(neighbour).words()));
        return told.toString();
    }

    /** Makes what the neighbours need. */
    Open open() throws IOException {
        if (neighbours.isEmpty()) {
            return new Open(Map.of(), null);
        }
        List<Neighbour> all =
                neighbours.values().stream().distinct().map(Neighbour::ofLabel).toList();
        return new Open(neighbours, DiskNeighbours.open(Path.of(directory), all));
    }

    /** What is measured of a target without a pause. */
    interface Turn<T> {
        T take() throws IOException;
    }

    /** The neighbours, ready to begin. */
    record Open(Map<String, String> byTarget, @Nullable DiskNeighbours disk) implements Closeable {
        /** Takes a turn of a target; its neighbour, if it has one, works meanwhile. */
        <T> T during(String target, Turn<T> turn) throws IOException {
            String neighbour = byTarget.get(target);
            if (neighbour == null || disk == null) {
                return turn.take();
            }
            Closeable working = disk.start(Neighbour.ofLabel(neighbour));
            try {
                return turn.take();
            } finally {
                working.close();
            }
        }

        @Override
        public void close() throws IOException {
            if (disk != null) {
                disk.close();
            }
        }
    }
}
