package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.ClassArchive;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.Plog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The three machines of {@code docs/machines.md}, each an address of the loopback network and a directory: their files are those that
 * the page shows, and their processes run what its units say. Only addresses, paths, and the sizes of heaps are others.
 */
final class DocumentedMachines implements AutoCloseable {
    private static final Path PAGE = DiskDirectory.root().resolve("docs/machines.md");
    static final String ZOOKEEPER = "plog-zookeeper.service";
    static final String BOOKIE = "plog-bookie.service";
    static final String SERVER = "plog.service";

    private static final Pattern FILE = Pattern.compile("(?ms)^```\\n(?:#|//) (/etc/\\S+)\\n(.*?)^```$");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

    private final Path root;
    private final String network = "127." + (ProcessHandle.current().pid() / 200 % 200 + 20) + "."
            + (ProcessHandle.current().pid() % 200 + 20) + ".";
    private final TreeMap<String, Process> processes = new TreeMap<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private final String protection;
    private final Path library;

    /**
     * @param root an empty directory
     * @param protection what the page adds: {@code passwords} or {@code TLS}, or nothing
     */
    DocumentedMachines(Path root, String protection) throws Exception {
        this.root = root;
        this.protection = protection;
        this.library = Files.createDirectory(root.resolve("library"));
        try (Stream<Path> jars = Files.list(jars())) {
            for (Path jar :
                    jars.filter(each -> each.toString().endsWith(".jar")).toList()) {
                Files.copy(jar, library.resolve(jar.getFileName()));
            }
        }
        for (int machine = 1; machine <= 3; machine++) {
            for (String directory : List.of("zookeeper", "journal", "ledgers")) {
                Files.createDirectories(directory(machine).resolve("srv").resolve(directory));
            }
            Files.writeString(directory(machine).resolve("srv/zookeeper/myid"), machine + "\n");
            for (MatchResult file : files()) {
                Path path = Path.of(local(machine, file.group(1)));
                Files.createDirectories(path.getParent());
                Files.writeString(path, ownLines(machine, file.group(1), local(machine, file.group(2))));
            }
        }
        if (protection.equals("TLS")) {
            makeCertificates();
        }
    }

    /** Each file that the page shows whole: its path, and what is in it. */
    private static List<MatchResult> files() {
        return FILE.matcher(page()).results().toList();
    }

    /** What the page says to write differently on each machine, and what its addresses being those of loopback asks for. */
    private String ownLines(int machine, String file, String text) {
        String address = network + machine;
        if (file.endsWith("machine.env")) {
            return text.replaceAll("(?m)^(PLOG_\\w+)=.*$", "$1=" + address)
                    .replaceAll("(?m)^ZOOKEEPER_OPTS=\"(.*)\"$", options(machine, "ZOOKEEPER_OPTS"))
                    .replaceAll("(?m)^JAVA_OPTS=\"(.*)\"$", options(machine, "JAVA_OPTS"));
        }
        String added = local(machine, added(file).orElse(""));
        if (file.endsWith("zookeeper.cfg") && protection.equals("TLS")) {
            return text.replaceAll("(?m)^(server.*);.*$", "$1") + added + "secureClientPortAddress=" + address + "\n";
        }
        return file.endsWith("bookie.conf")
                ? text.replace("bookieId=bookie-1", "bookieId=bookie-" + machine)
                                .replaceFirst("(?m)^advertisedAddress=.*$", "advertisedAddress=" + address)
                                .replace("eth0", "lo")
                        + "allowLoopback=true\n" + added
                : text + added;
    }

    /** A line that sets them; for {@code replaceAll}, with what was there before. */
    private String options(int machine, String name) {
        String added = local(machine, added(name).orElse("")).strip().replace('\n', ' ');
        return name + "=\"$1 -XX:TieredStopAtLevel=1 " + Matcher.quoteReplacement(added) + "\"";
    }

    /** What the page adds there under this protection. */
    private Optional<String> added(String file) {
        return block("# " + protection + ": added to " + file);
    }

    /** What stands below this line in a block of the page. */
    private static Optional<String> block(String firstLine) {
        Matcher block = Pattern.compile("(?ms)^```\\n" + Pattern.quote(firstLine) + "\\n(.*?)^```$")
                .matcher(page());
        return block.find() ? Optional.of(block.group(1)) : Optional.empty();
    }

    static String page() {
        try {
            return Files.readString(PAGE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** By the commands of the page, for the addresses of these machines; and the jar that TLS of bookies needs. */
    private void makeCertificates() throws Exception {
        List<String> commands = page().lines()
                .filter(line -> line.startsWith("$ keytool ") || line.startsWith("$ mvn "))
                .map(line -> line.substring(2).replace("plog-dist/lib/bookkeeper", library.toString()))
                .toList();
        Files.writeString(root.resolve("password"), "changeit");
        run(commands.stream().filter(line -> !line.contains("machine-1")).toList());
        for (int machine = 1; machine <= 3; machine++) {
            String name = "machine-" + machine;
            String address = network + machine;
            run(commands.stream()
                    .filter(line -> line.contains("machine-1"))
                    .map(line -> line.replace("machine-1", name).replace("10.0.0.1", address))
                    .toList());
            Path own = directory(machine).resolve("etc/plog");
            Files.copy(root.resolve(name + ".p12"), own.resolve("machine.p12"));
            Files.copy(root.resolve("trust.p12"), own.resolve("trust.p12"));
            Files.copy(root.resolve("password"), own.resolve("password"));
        }
    }

    private String run(List<String> commands) throws Exception {
        Path output = Files.createTempFile(root, "run", "");
        int exitCode = exitCode(commands, output);
        String said = Files.readString(output);
        assertThat(exitCode).as(said).isZero();
        return said;
    }

    private int exitCode(List<String> commands, Path output) throws Exception {
        Process process = new ProcessBuilder("bash", "-e", "-c", String.join("\n", commands))
                .directory(root.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(Plog.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private Path directory(int machine) {
        return root.resolve("machine-" + machine);
    }

    private String local(int machine, String text) {
        return address(text)
                .replaceAll("(?m)(^|[ =])/(etc|srv)/", "$1" + directory(machine) + "/$2/")
                .replace("/opt/plog/lib/bookkeeper", library.toString());
    }

    static Path jars() {
        return DiskDirectory.root().resolve("logging-bookkeeper/target/lib/bookkeeper");
    }

    /** In words of the page. */
    String address(String text) {
        String local = text.replace("10.0.0.", network);
        return protection.equals("TLS") ? local.replace(":2181", ":2281") : local;
    }

    /** For tools: what {@code JAVA_OPTS} says on the first machine. */
    Map<String, String> toolEnvironment() throws IOException {
        return Map.of(
                "JAVA_TOOL_OPTIONS",
                "-Dplog.bookkeeper.lib=" + library + " " + environment(1).get("JAVA_OPTS"));
    }

    private Map<String, String> environment(int machine) throws IOException {
        Map<String, String> environment =
                Plog.pairs(Files.readAllLines(directory(machine).resolve("etc/plog/machine.env")));
        environment.replaceAll((name, value) -> value.replace("\"", ""));
        return environment;
    }

    /** Runs what the unit says. */
    void start(int machine, String unit) throws IOException {
        Path file = directory(machine).resolve("etc/systemd/system").resolve(unit);
        String command = Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("ExecStart="))
                .findFirst()
                .orElseThrow()
                .substring("ExecStart=".length());
        List<String> words = new ArrayList<>();
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().keySet().removeIf(name -> name.startsWith("PLOG_"));
        builder.environment().putAll(environment(machine));
        for (String word : words(command)) {
            if (word.startsWith("$")) {
                String options = environment(machine).get(word.substring(1));
                words.addAll(List.of(options.strip().split(" ")));
            } else {
                words.add(word.replace("%%", "%").replaceFirst("^-Xmx1g$", "-Xmx512m"));
            }
        }
        words.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
        runFromClasses(words);
        processes.put(
                machine + unit,
                builder.redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(
                                directory(machine).resolve(unit + ".log").toFile()))
                        .start());
    }

    /** The program of this build, which need not have made its jar. */
    private void runFromClasses(List<String> words) {
        int jar = words.indexOf("-jar");
        if (jar >= 0) {
            assertThat(words.get(jar + 1)).isEqualTo("/opt/plog/plog.jar");
            words.subList(jar, jar + 2).clear();
            words.addAll(
                    jar,
                    List.of("-Dplog.bookkeeper.lib=" + library, "-cp", ClassArchive.classPath(), "io.plog.app.Main"));
        }
    }

    private static List<String> words(String command) {
        return WORD.matcher(command)
                .results()
                .map(word -> IntStream.rangeClosed(1, 3)
                        .mapToObj(word::group)
                        .filter(group -> group != null)
                        .findFirst()
                        .orElseThrow())
                .toList();
    }

    /** Ends it as systemd does, and waits. */
    void stop(int machine, String unit) throws InterruptedException {
        Process process = processes.get(machine + unit);
        process.destroy();
        assertThat(process.waitFor(Plog.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("%s of machine %s has ended", unit, machine)
                .isTrue();
    }

    void restart(int machine, String unit) throws Exception {
        stop(machine, unit);
        start(machine, unit);
    }

    /** All that runs on it dies at once. */
    void kill(int machine) {
        List<Process> there = List.copyOf(processes
                .subMap(Integer.toString(machine), Integer.toString(machine + 1))
                .values());
        there.forEach(Process::destroyForcibly);
        there.forEach(each -> each.onExit().join());
    }

    /** {@code leader} or {@code follower}, or what there is instead, by {@code echo srvr | nc}. */
    String zooKeeperMode(int machine) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(network + machine, 2181), 1_000);
            socket.setSoTimeout(5_000);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return answer.lines()
                    .filter(line -> line.startsWith("Mode: "))
                    .findFirst()
                    .orElse(answer)
                    .replace("Mode: ", "");
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** The answer of {@code /health/ready}, or why there is none. */
    String ready(int machine) throws InterruptedException {
        try {
            URI uri = URI.create("http://" + network + machine + ":7412/health/ready");
            return http.send(
                            HttpRequest.newBuilder(uri)
                                    .timeout(Duration.ofSeconds(5))
                                    .build(),
                            BodyHandlers.ofString())
                    .body()
                    .strip();
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Runs the page's shell on the first machine, and returns what it says. */
    String shell(String... arguments) throws Exception {
        return run(shellCommands(arguments));
    }

    /** The same, and returns whether it succeeded. */
    boolean tryShell(String... arguments) throws Exception {
        return exitCode(shellCommands(arguments), root.resolve("shell-tries")) == 0;
    }

    private List<String> shellCommands(String... arguments) {
        return Stream.concat(
                        page().lines()
                                .filter(line -> line.startsWith("$ . /etc/") || line.startsWith("$ shell() {"))
                                .map(line -> local(1, line.substring(2))),
                        Stream.of("shell " + String.join(" ", arguments)))
                .toList();
    }

    @Override
    public void close() {
        processes.values().forEach(Process::destroyForcibly);
        processes.values().forEach(each -> each.onExit().join());
    }
}
