package io.plog.simdisk;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The names in a directory: those that a process sees apart from those that the device holds. Guarded by the disk. */
final class SimulatedDirectory {
    private final Place place;
    private final Map<String, SimulatedFile> names = new TreeMap<>();
    private final Map<String, SimulatedFile> stableNames = new TreeMap<>();
    private final List<Change> unforced = new ArrayList<>();
    private boolean isInParent = true;

    SimulatedDirectory(Place place) {
        this.place = place;
    }

    /** A change that was not forced: a name that points to something else now, or to nothing. A rename is one change. */
    record Change(
            @Nullable String removed,
            @Nullable String added,
            @Nullable SimulatedFile file) {
        void applyTo(Map<String, SimulatedFile> names) {
            if (removed != null) {
                names.remove(removed);
            }
            if (added != null && file != null) {
                names.put(added, file);
            }
        }
    }

    List<String> list() {
        return new ArrayList<>(names.keySet());
    }

    /** Those that have a name, each once. */
    Set<SimulatedFile> files() {
        return new LinkedHashSet<>(names.values());
    }

    boolean has(String name) {
        return names.containsKey(name);
    }

    SimulatedFile find(String name) throws NoSuchFileException {
        SimulatedFile file = names.get(name);
        if (file == null) {
            throw new NoSuchFileException(name);
        }
        return file;
    }

    /** How many names its file has. */
    int linksOf(String name) throws NoSuchFileException {
        SimulatedFile file = find(name);
        return (int) names.values().stream().filter(each -> each == file).count();
    }

    void checkFree(String name) throws FileAlreadyExistsException {
        if (names.containsKey(name)) {
            throw new FileAlreadyExistsException(name);
        }
    }

    void add(String name, SimulatedFile file) {
        change(new Change(null, name, file));
    }

    void rename(String from, String to) throws NoSuchFileException {
        change(new Change(from, to, find(from)));
    }

    void remove(String name) {
        change(new Change(name, null, null));
    }

    private void change(Change change) {
        change.applyTo(names);
        unforced.add(change);
    }

    /** The changes that are not stable, which no other force covers from now on; {@link #settle} has to follow. */
    List<Change> takeUnforced() {
        List<Change> taken = List.copyOf(unforced);
        unforced.clear();
        return taken;
    }

    /** Makes changes stable, in order. */
    void settle(List<Change> changes) {
        for (Change change : changes) {
            place.apply(change, stableNames);
            change.applyTo(stableNames);
        }
    }

    /** The power goes: the first changes that were not stable survive, as many as chance says. */
    void losePower(SplittableRandom random) {
        List<Change> changes = takeUnforced();
        settle(changes.subList(0, random.nextInt(changes.size() + 1)));
        names.clear();
        names.putAll(stableNames);
    }

    /** It was just created, and its own entry in its parent is not stable. */
    void isNew() {
        isInParent = false;
    }

    void forceParent() {
        isInParent = true;
    }

    /** Changes the directory at rest: the file of a name, or none. */
    void replace(String name, @Nullable SimulatedFile file) {
        if (file == null) {
            names.remove(name);
            stableNames.remove(name);
        } else {
            names.put(name, file);
            stableNames.put(name, file);
        }
    }

    /** A copy with copies of the files, for another disk. */
    SimulatedDirectory copy(Sectors other) {
        SimulatedDirectory copy = new SimulatedDirectory(place);
        copy.isInParent = isInParent;
        IdentityHashMap<SimulatedFile, SimulatedFile> copies = new IdentityHashMap<>();
        names.forEach((name, file) -> copy.names.put(name, copies.computeIfAbsent(file, f -> f.copy(other))));
        stableNames.forEach(
                (name, file) -> copy.stableNames.put(name, copies.computeIfAbsent(file, f -> f.copy(other))));
        for (Change change : unforced) {
            SimulatedFile file = change.file();
            copy.unforced.add(new Change(
                    change.removed(),
                    change.added(),
                    file == null ? null : copies.computeIfAbsent(file, f -> f.copy(other))));
        }
        return copy;
    }

    /** The directory after a crash: what was forced, and of the other changes those that chance lets survive. */
    SimulatedDirectory survivor(Sectors other, SplittableRandom random) {
        SimulatedDirectory after = new SimulatedDirectory(place);
        after.isInParent = isInParent;
        if (!isInParent && random.nextBoolean()) {
            return after; // created anew by the one that created it before
        }
        Map<String, SimulatedFile> surviving = new TreeMap<>(stableNames);
        int outOfFour = random.nextInt(5); // from none to all
        for (Change change : unforced) {
            if (random.nextInt(4) < outOfFour) {
                change.applyTo(surviving);
            }
        }
        IdentityHashMap<SimulatedFile, SimulatedFile> copies = new IdentityHashMap<>();
        surviving.forEach((name, file) -> after.replace(name, copies.computeIfAbsent(file, f -> {
            SimulatedFile copy = f.copy(other);
            copy.losePower(random, false);
            return copy;
        })));
        return after;
    }
}
