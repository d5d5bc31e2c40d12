package io.plog.app.lab.yours;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Jars as students make them. */
final class StudentJars {
    static final Path LAB = Path.of("../labs/10-your-own-log");

    private StudentJars() {}

    /** Compiles one class, in a folder of its own, into a jar. */
    static Path jar(Path directory, String name, String text) throws Exception {
        Path folder = Files.createTempDirectory(directory, name);
        Path source = Files.writeString(folder.resolve(name + ".java"), text);
        String[] options = {
            "-proc:none", "-nowarn", "-cp", System.getProperty("java.class.path"), "-d", folder + "", source + ""
        };
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, options))
                .as(name)
                .isZero();
        Path jar = folder.resolve(name + ".jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".class")).toList()) {
                out.putNextEntry(new JarEntry(file.getFileName().toString()));
                out.write(Files.readAllBytes(file));
            }
        }
        return jar;
    }

    /** The skeleton, with something in place of its first line of {@code append}. */
    static Path skeleton(Path directory, String inAppend) throws Exception {
        String text = Files.readString(LAB.resolve("skeleton/MyLog.java"));
        String first = "        ByteBuffer entry = ByteBuffer.allocate(";
        assertThat(text).contains(first);
        return jar(directory, "MyLog", text.replaceFirst(Pattern.quote(first), inAppend + "\n" + first));
    }
}
