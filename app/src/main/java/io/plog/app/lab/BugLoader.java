package io.plog.app.lab;

import io.plog.app.lab.yours.LogCampaign;
import io.plog.app.lab.yours.PlogLog;
import io.plog.app.lab.yours.YourLog;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Loads the log anew, with the classes of one bug instead of the right ones. The build puts them under {@code bugs/NUMBER} in the
 * program.
 */
final class BugLoader extends ClassLoader {
    /** How many bugs there are, numbered from 1; 0 is the log as it is. */
    static final int BUGS = 8;

    private final int bug;

    BugLoader(int bug) {
        super(BugLoader.class.getClassLoader());
        this.bug = bug;
    }

    /**
     * Judges the log by one random history.
     *
     * @return what promise was broken, a word, a colon and a sentence; "" if none was
     */
    String history(long seed, Set<String> faults) {
        Set<String> may = new HashSet<>(faults);
        may.addAll(List.of("callers", "checkpoint"));
        return new LogCampaign(this::log, seed).history(may);
    }

    private YourLog log(Storage disk) {
        try {
            return (YourLog) loadClass(PlogLog.class.getName())
                    .getConstructor(Storage.class)
                    .newInstance(disk);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        boolean isOfTheLog = name.startsWith("io.plog.log.") && !name.startsWith("io.plog.log.storage.");
        if (!isOfTheLog && !name.startsWith(PlogLog.class.getName())) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String path = name.replace('.', '/') + ".class";
        ClassLoader own = BugLoader.class.getClassLoader();
        try (InputStream wrong = own.getResourceAsStream("bugs/" + bug + "/" + path);
                InputStream right = own.getResourceAsStream(path)) {
            InputStream bytes = wrong == null ? right : wrong;
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] code = bytes.readAllBytes();
            return defineClass(name, code, 0, code.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
