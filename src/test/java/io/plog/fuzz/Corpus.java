package io.plog.fuzz;

import io.plog.e2e.support.Directories;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * What {@code tools/fuzz} asks of us. {@code unpack TARGET CORPUS DIRECTORY} writes all cases of a target into a directory, a
 * file each, and the name of its class into {@code DIRECTORY.class}; {@code pack TARGET CORPUS DIRECTORY} puts the files
 * of a directory into the corpus.
 */
final class Corpus {
    private Corpus() {}

    public static void main(String[] args) throws IOException {
        FuzzTarget target = FuzzTarget.valueOf(args[1].toUpperCase(Locale.ROOT));
        Path corpus = Path.of(args[2]);
        Path directory = Path.of(args[3]);
        if (args[0].equals("pack")) {
            pack(directory, corpus.resolve(target.label() + ".zip"));
            return;
        }
        for (Map.Entry<String, byte[]> entry : target.cases(corpus).entrySet()) {
            Files.write(directory.resolve(entry.getKey()), entry.getValue());
        }
        Files.writeString(Path.of(directory + ".class"), target.className() + "\n");
    }

    private static void pack(Path directory, Path zip) throws IOException {
        Files.createDirectories(zip.toAbsolutePath().getParent());
        try (OutputStream bytes = Files.newOutputStream(zip);
                ZipOutputStream out = new ZipOutputStream(bytes)) {
            out.setLevel(9);
            for (Path file : Directories.files(directory)) {
                ZipEntry entry = new ZipEntry(file.getFileName().toString());
                // The same cases give the same file.
                entry.setTime(0);
                out.putNextEntry(entry);
                out.write(Files.readAllBytes(file));
                out.closeEntry();
            }
        }
    }
}
