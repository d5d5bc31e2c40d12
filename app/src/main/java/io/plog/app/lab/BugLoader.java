package io.plog.app.lab;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Loads the log, the simulated disk and the campaign anew, with the classes of one bug instead of the right ones. The build puts
 * them under {@code bugs/NUMBER} in the program.
 */
final class BugLoader extends ClassLoader {
    /** How many bugs there are, numbered from 1; 0 is the log as it is. */
    static final int BUGS = 8;

    private final int bug;

    BugLoader(int bug) {
        super(BugLoader.class.getClassLoader());
        this.bug = bug;
    }

    /** A campaign against that log. */
    @SuppressWarnings("unchecked") // what crosses between the loaders are classes of the JDK
    BiFunction<Long, Set<String>, Optional<String>> campaign() {
        try {
            return (BiFunction<Long, Set<String>, Optional<String>>)
                    loadClass(LogCampaign.class.getName()).getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("io.plog.log.")
                && !name.startsWith("io.plog.simdisk.")
                && !name.startsWith(LogCampaign.class.getName())) {
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
