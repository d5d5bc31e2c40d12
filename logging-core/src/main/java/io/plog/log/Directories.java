package io.plog.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The directories of a log on real file systems. */
final class Directories {
    private Directories() {}

    /**
     * One storage for each, in order.
     *
     * @throws LogException if one is missing or cannot be used; it is named
     */
    static List<Storage> open(List<Path> directories) throws IOException {
        List<Storage> storages = new ArrayList<>();
        for (Path directory : directories) {
            storages.add(new DiskStorage(directory));
        }
        return storages;
    }

    static void close(List<? extends Storage> storages) throws IOException {
        for (Storage storage : storages) {
            storage.close();
        }
    }
}
