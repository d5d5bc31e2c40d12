package io.plog.app.lab.yours;

import io.plog.log.storage.Storage;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/** A student's jar. */
final class StudentJar {
    private StudentJar() {}

    /**
     * What makes the log of a jar. Nothing of the jar is run yet.
     *
     * @param named its class; if null, that of the manifest's {@code Log-Class}, else the only one that is a log
     * @throws IOException if there is no such class; in one sentence
     */
    static Function<Storage, YourLog> log(Path jar, @Nullable String named) throws IOException {
        List<Class<?>> found = new ArrayList<>();
        try (JarFile file = new JarFile(jar.toFile())) {
            URL[] urls = {jar.toUri().toURL()};
            URLClassLoader loader = new URLClassLoader(urls, YourLog.class.getClassLoader());
            for (String name : names(file, named)) {
                Class<?> each = Class.forName(name, false, loader);
                if (YourLog.class.isAssignableFrom(each) && !Modifier.isAbstract(each.getModifiers())) {
                    found.add(each);
                }
            }
        } catch (IOException | ClassNotFoundException | LinkageError e) {
            throw new IOException(jar + " is no jar with a log: " + e, e);
        }
        if (found.size() != 1) {
            throw new IOException(jar + " has " + found.size() + " classes that implement " + YourLog.class.getName()
                    + (named == null ? ": expected one, or its name with --class" : " under the name " + named));
        }
        try {
            Constructor<?> constructor = found.get(0).getConstructor(Storage.class);
            return disk -> made(constructor, disk);
        } catch (NoSuchMethodException e) {
            throw new IOException(found.get(0).getName() + " has no public constructor with one Storage", e);
        }
    }

    private static List<String> names(JarFile file, @Nullable String named) throws IOException {
        Manifest manifest = file.getManifest();
        String listed = manifest == null ? null : manifest.getMainAttributes().getValue("Log-Class");
        String one = named == null ? listed : named;
        return one != null
                ? List.of(one)
                : file.stream()
                        .map(entry -> entry.getName())
                        .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
                        .map(name -> name.replace(".class", "").replace('/', '.'))
                        .toList();
    }

    private static YourLog made(Constructor<?> constructor, Storage disk) {
        try {
            return (YourLog) constructor.newInstance(disk);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e.getCause() == null ? e : e.getCause());
        }
    }
}
