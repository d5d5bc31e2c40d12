package io.plog.app.cli;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * How plog starts another plog: on the same JVM with the same flags, but without agents. An agent was asked for in one process; a
 * second one of it finds its port taken or loads twice, and what it costs would be measured. Stateless.
 */
public final class ChildJvm {
    /** Variables whose flags this JVM has taken already, and hands on itself. */
    private static final Set<String> FLAG_VARIABLES = Set.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS");

    private static final List<String> AGENTS =
            List.of("-javaagent:", "-agentlib:", "-agentpath:", "-Xrun", "-Xdebug", "-Dcom.sun.management.jmxremote");

    /** By name, since the program's root command knows all others. */
    private static final String PROGRAM = "io.plog.app.Main";

    private ChildJvm() {}

    /** The command line of plog itself, which ends with its standard input; a command and its arguments are to follow. */
    public static List<String> ofProgram() {
        return command(List.of(ParentWatch.FLAG), PROGRAM);
    }

    /** The same with more flags and another class path. */
    public static List<String> ofProgram(List<String> flags, String classPath) {
        return command(
                Stream.concat(Stream.of(ParentWatch.FLAG), flags.stream()).toList(), classPath, PROGRAM);
    }

    /**
     * The command line of a program with this class path; its arguments are to follow.
     *
     * @param flags more of them
     */
    public static List<String> command(List<String> flags, String mainClass) {
        return command(flags, System.getProperty("java.class.path"), mainClass);
    }

    private static List<String> command(List<String> flags, String classPath, String mainClass) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(withoutAgents(ManagementFactory.getRuntimeMXBean().getInputArguments()));
        if (Runtime.version().feature() >= 22) {
            // The jar's manifest allows it only for java -jar; older ones complain about the flag.
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, mainClass));
        return command;
    }

    static List<String> withoutAgents(List<String> flags) {
        return flags.stream()
                .filter(flag -> AGENTS.stream().noneMatch(flag::startsWith))
                .toList();
    }

    /**
     * The same command line for a child that ignores Ctrl-C, which reaches every process of the terminal's group. A server must
     * outlive it, so that its client can finish its request and end the server itself. A JVM leaves alone a signal that is ignored
     * when it starts; on Windows, which cannot do that, {@link ParentWatch} ignores it some moments later.
     */
    public static List<String> shieldedFromInterrupt(List<String> command) {
        if (File.separatorChar == '\\') {
            return command;
        }
        List<String> shielded = new ArrayList<>(List.of("/bin/sh", "-c", "trap '' INT; exec \"$0\" \"$@\""));
        shielded.addAll(command);
        return shielded;
    }

    /** Takes out of a child's environment what would give it the agents all the same. */
    public static void withoutFlags(Map<String, String> environment) {
        environment.keySet().removeAll(FLAG_VARIABLES);
    }
}
