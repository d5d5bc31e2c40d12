package io.plog.app;

import io.plog.stats.text.ClosestName;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Reads a {@code --config} file: Java properties in UTF-8, whose keys are options. */
final class ConfigFile {
    private ConfigFile() {}

    /**
     * Reads all of it and checks every key, also those of other commands: a misspelt one would else be ignored.
     *
     * @throws ParameterException if the file cannot be read or a key is unknown
     */
    static Map<String, String> read(CommandLine root, Path path) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (NoSuchFileException e) {
            throw new ParameterException(root, "config file " + path + ": no such file", e);
        } catch (AccessDeniedException e) {
            throw new ParameterException(root, "config file " + path + ": permission denied", e);
        } catch (IOException | IllegalArgumentException e) {
            throw new ParameterException(root, "config file " + path + ": cannot be read: " + e.getMessage(), e);
        }
        TreeSet<String> known = new TreeSet<>();
        collect(root, known);
        Map<String, String> values = new TreeMap<>();
        for (String key : new TreeSet<>(properties.stringPropertyNames())) {
            if (!known.contains(key)) {
                String hint = ClosestName.to(key, known)
                        .map(near -> " (did you mean '" + near + "'?)")
                        .orElse("");
                throw new ParameterException(root, "config file " + path + ": unknown key '" + key + "'" + hint);
            }
            values.put(key, properties.getProperty(key).strip());
        }
        return values;
    }

    private static void collect(CommandLine command, Set<String> known) {
        for (OptionSpec option : command.getCommandSpec().options()) {
            if (Settings.isSetting(option)) {
                known.add(Settings.key(option));
                known.add(Settings.path(command.getCommandSpec()) + Settings.key(option));
            }
        }
        command.getSubcommands().values().forEach(subcommand -> collect(subcommand, known));
    }
}
