package io.plog.log.testing;

import java.io.ByteArrayOutputStream;
import java.io.File;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
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

/**
 * A package with some of its classes compiled anew from changed sources, and its tests, in a class loader of their own. For tests
 * of tests, with {@link Mutant}s.
 */
final class PatchedPackage {
    /** Of each thread one for all that it compiles: to open the jars of the class path again takes longer than to compile. */
    private static final ThreadLocal<StandardJavaFileManager> FILES = ThreadLocal.withInitial(
            () -> ToolProvider.getSystemJavaCompiler().getStandardFileManager(null, null, null));

    /** Loaded with the package, since they implement an interface of the log. */
    private static final String DISKS = "io.plog.simdisk.";

    /** What is compiled already, by file name. */
    private static final Map<String, byte[]> COMPILED = new ConcurrentHashMap<>();

    private final String prefix; // the package's name and a dot
    private final ClassLoader loader;

    private PatchedPackage(String name, Map<String, String> sources) {
        this.prefix = name + ".";
        this.loader = new Loader(prefix, compile(name, sources));
    }

    /** The package with a defect. */
    static PatchedPackage of(String name, Mutant mutant) {
        return new PatchedPackage(name, Map.of(mutant.file(), mutant.applyTo(sourceOf(name, mutant.file()))));
    }

    /**
     * Applies the defects of several classes and looks whether all of it compiles; nothing is loaded.
     *
     * @throws AssertionError if a snippet is not in its class exactly once, or a class does not compile with its defect
     */
    static void checkThatAllCompile(String name, List<Mutant> mutants) {
        Map<String, String> sources = new HashMap<>();
        for (Mutant mutant : mutants) {
            sources.put(mutant.file(), mutant.applyTo(sourceOf(name, mutant.file())));
        }
        compile(name, sources, "--should-stop=ifNoError=FLOW");
    }

    /** The package with some classes compiled anew and nothing changed. */
    static PatchedPackage unchanged(String name, List<String> files) {
        Map<String, String> sources = new HashMap<>();
        for (String file : files) {
            sources.put(file, sourceOf(name, file));
        }
        return new PatchedPackage(name, sources);
    }

    private static String sourceOf(String name, String file) {
        try {
            return Files.readString(find(Path.of("src", "main", "java"), name, file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The source of a class in this package, or in one below it. */
    private static Path find(Path sources, String name, String simpleName) throws IOException {
        try (Stream<Path> files = Files.walk(sources.resolve(name.replace('.', '/')))) {
            return files.filter(each -> each.endsWith(simpleName + ".java"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("there is no " + simpleName + " below " + sources));
        }
    }

    /**
     * Runs one test of the package.
     *
     * @param test {@code Class.method}
     * @param selector what of that method to run
     */
    boolean passes(String test, Function<Method, DiscoverySelector> selector) {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(loader);
        try {
            int dot = test.indexOf('.');
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(selector.apply(methodOf(test.substring(0, dot), test.substring(dot + 1))))
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

    private Method methodOf(String testClass, String name) {
        try {
            Path tests = Path.of("src", "test", "java");
            String file = tests.relativize(find(tests, prefix.substring(0, prefix.length() - 1), testClass))
                    .toString();
            Class<?> loaded =
                    loader.loadClass(file.substring(0, file.lastIndexOf('.')).replace(File.separatorChar, '.'));
            return Arrays.stream(loaded.getDeclaredMethods())
                    .filter(method -> method.getName().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("there is no test " + testClass + "." + name));
        } catch (IOException | ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<String, byte[]> compile(String packageName, Map<String, String> sources, String... more) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<JavaFileObject> files = new ArrayList<>();
        sources.forEach((name, source) -> files.add(new SourceFile(packageName, name, source)));
        StringBuilder problems = new StringBuilder();
        ClassFiles classes = new ClassFiles(FILES.get());
        List<String> options = new ArrayList<>(List.of("-proc:none", "-nowarn", "-Xlint:none", "-implicit:none"));
        options.addAll(List.of(more));
        boolean done = compiler.getTask(
                        null, classes, problem -> problems.append(problem).append('\n'), options, null, files)
                .call();
        if (!done) {
            throw new AssertionError("does not compile: " + sources.keySet() + ": " + problems);
        }
        return classes.bytes();
    }

    private static final class SourceFile extends SimpleJavaFileObject {
        private final String source;

        SourceFile(String packageName, String name, String source) {
            super(URI.create("string:///" + packageName.replace('.', '/') + "/" + name + ".java"), Kind.SOURCE);
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
        private final String prefix;
        private final Map<String, byte[]> patched;

        Loader(String prefix, Map<String, byte[]> patched) {
            super(PatchedPackage.class.getClassLoader());
            this.prefix = prefix;
            this.patched = patched;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(prefix) && !name.startsWith(DISKS)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null) {
                    byte[] bytes = patched.containsKey(name) ? patched.get(name) : compiled(name);
                    loaded = defineClass(name, bytes, 0, bytes.length);
                }
                return loaded;
            }
        }

        private byte[] compiled(String name) throws ClassNotFoundException {
            byte[] known = COMPILED.get(name);
            if (known == null) {
                known = bytesOf(name);
                COMPILED.put(name, known);
            }
            return known;
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
