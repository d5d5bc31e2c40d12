package io.plog.log;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectIteration;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The library with some of its classes compiled anew from changed sources, and its tests, in a class loader of their own. */
final class PatchedLibrary {
    private static final String PACKAGE = "io.plog.log.";
    private static final String CRASH_STEP = "plog.crash.step";

    private final ClassLoader loader;

    private PatchedLibrary(Map<String, String> sources) {
        Map<String, byte[]> classes = compile(sources);
        loader = new Loader(classes);
    }

    /** The library with a defect. */
    static PatchedLibrary of(Mutant mutant) {
        return new PatchedLibrary(Map.of(mutant.file(), mutant.applyTo(sourceOf(mutant.file()))));
    }

    /** The library with some classes compiled anew and nothing changed. */
    static PatchedLibrary unchanged(List<String> files) {
        Map<String, String> sources = new HashMap<>();
        for (String file : files) {
            sources.put(file, sourceOf(file));
        }
        return new PatchedLibrary(sources);
    }

    /**
     * Of how many crash points the tests try one. It is more than one only where tests run to show that this route breaks
     * nothing: that they pass at every crash point is shown by the same tests outside of it.
     */
    static int crashStep() {
        return Integer.getInteger(CRASH_STEP, 1);
    }

    /** Sets it, for the tests that run from now on; 1 for all. */
    static void setCrashStep(int step) {
        System.setProperty(CRASH_STEP, Integer.toString(step));
    }

    private static String sourceOf(String file) {
        try {
            return Files.readString(Path.of("src", "main", "java", "io", "plog", "log", file + ".java"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Runs one test of the library.
     *
     * @param test {@code Class.method}, and behind a colon the name of one of its {@link Scripts}
     */
    boolean passes(String test) {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(loader);
        try {
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(selectorOf(test))
                    .configurationParameter("junit.jupiter.execution.timeout.testable.method.default", "60 s")
                    .build();
            SummaryGeneratingListener listener = new SummaryGeneratingListener();
            LauncherFactory.create(LauncherConfig.builder()
                            .enableLauncherSessionListenerAutoRegistration(false)
                            .enableTestExecutionListenerAutoRegistration(false)
                            .build())
                    .execute(request, listener);
            TestExecutionSummary summary = listener.getSummary();
            if (summary.getTestsStartedCount() == 0) {
                throw new AssertionError("there is no test " + test);
            }
            for (TestExecutionSummary.Failure failure : summary.getFailures()) {
                if (failure.getException() instanceof TimeoutException) {
                    throw new AssertionError(test + " took too long, which shows nothing", failure.getException());
                }
            }
            return summary.getTotalFailureCount() == 0;
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private DiscoverySelector selectorOf(String test) {
        String[] parts = test.split(": ", 2);
        int dot = parts[0].indexOf('.');
        Method method = methodOf(parts[0].substring(0, dot), parts[0].substring(dot + 1));
        if (parts.length == 1) {
            return selectMethod(method.getDeclaringClass(), method);
        }
        List<String> scripts = Scripts.all().stream().map(Scripts.Script::name).toList();
        if (!scripts.contains(parts[1])) {
            throw new AssertionError("there is no script " + parts[1]);
        }
        return selectIteration(selectMethod(method.getDeclaringClass(), method), scripts.indexOf(parts[1]));
    }

    private Method methodOf(String testClass, String name) {
        try {
            Class<?> loaded = loader.loadClass(PACKAGE + testClass);
            return Arrays.stream(loaded.getDeclaredMethods())
                    .filter(method -> method.getName().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("there is no test " + testClass + "." + name));
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<String, byte[]> compile(Map<String, String> sources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<JavaFileObject> files = new ArrayList<>();
        sources.forEach((name, source) -> files.add(new SourceFile(name, source)));
        StringBuilder problems = new StringBuilder();
        try (StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, null);
                ClassFiles classes = new ClassFiles(standard)) {
            List<String> options = List.of(
                    "-proc:none", "-nowarn", "-Xlint:none", "-classpath", System.getProperty("java.class.path"));
            boolean done = compiler.getTask(
                            null, classes, problem -> problems.append(problem).append('\n'), options, null, files)
                    .call();
            if (!done) {
                throw new AssertionError("does not compile: " + sources.keySet() + ": " + problems);
            }
            return classes.bytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class SourceFile extends SimpleJavaFileObject {
        private final String source;

        SourceFile(String name, String source) {
            super(URI.create("string:///io/plog/log/" + name + ".java"), Kind.SOURCE);
            this.source = source;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
        }
    }

    /** Keeps what the compiler writes in memory. */
    private static final class ClassFiles extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> written = new HashMap<>();

        ClassFiles(JavaFileManager standard) {
            super(standard);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, javax.tools.FileObject sibling) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            written.put(className, bytes);
            return new SimpleJavaFileObject(URI.create("memory:///" + className), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return bytes;
                }
            };
        }

        Map<String, byte[]> bytes() {
            Map<String, byte[]> bytes = new HashMap<>();
            written.forEach((name, stream) -> bytes.put(name, stream.toByteArray()));
            return bytes;
        }
    }

    /** Loads the library and its tests itself, the compiled classes first; everything else comes from its parent. */
    private static final class Loader extends ClassLoader {
        private final Map<String, byte[]> patched;

        Loader(Map<String, byte[]> patched) {
            super(PatchedLibrary.class.getClassLoader());
            this.patched = patched;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(PACKAGE)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null) {
                    byte[] bytes = patched.containsKey(name) ? patched.get(name) : bytesOf(name);
                    loaded = defineClass(name, bytes, 0, bytes.length);
                }
                return loaded;
            }
        }

        private byte[] bytesOf(String name) throws ClassNotFoundException {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                return in.readAllBytes();
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
