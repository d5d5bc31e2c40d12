package io.plog.app.server;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.Converters;
import io.plog.app.cli.DirectoryArgument;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.Failures;
import io.plog.app.cli.LogEngines;
import io.plog.app.cli.TlsOptions;
import io.plog.protocol.security.TlsFiles;
import io.plog.server.PlogServer;
import io.plog.server.monitoring.ServerMeters;
import io.plog.server.monitoring.ServerNotices;
import io.plog.server.options.DesignOption;
import io.plog.server.options.LogPlace;
import io.plog.server.options.MemoryOptions;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.ServerStartException;
import io.plog.server.options.TargetOptions;
import io.plog.server.options.TransportOption;
import io.plog.server.targets.TargetLog;
import io.plog.stats.text.ByteSize;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code plog server}: runs the server until it is asked to stop. */
@Command(
        name = "server",
        description = {
            "Runs the server: logs each request durably, then answers it.",
            "Examples:",
            "  plog server --log a=/mnt/ssd/log",
            "  plog server --log a=/mnt/ssd/log,force=dsync,checkpoint=64MiB --unlogged"
        },
        footerHeading = "%nSignals:%n",
        footer = {
            "  TERM or INT stops it in order: no new connections, everything appended is forced and answered,",
            "  the logs are closed; then it exits with 0, or with 1 if a log could not be closed properly, or not",
            "  within 10 seconds; then it names what it left behind. Before it listens they end it at once, with",
            "  130 (INT) or 143 (TERM)."
        })
public final class ServerCommand extends ConsoleCommand {
    @Option(
            names = "--log",
            paramLabel = "NAME=DIR|ADDRESS[,...]",
            description = {
                "A target and its log's directory; repeatable. DIR1+DIR2+... stripes the log over several, best on"
                        + " devices of their own; always in this order. A comma in a directory's name is written \\,."
                        + " sim:MODEL@ before the first one simulates a disk in each.",
                "ADDRESS is a log on several machines, bookkeeper://HOST:PORT[,HOST:PORT...]/NAME[?ensemble=3&ack=2],"
                        + " quoted; a reply waits for its quorum, and force, segment, reserve and check are not for it.",
                "Further parts: force=off|write|fdatasync|fsync|dsync|direct (default fdatasync), segment=SIZE,"
                        + " reserve=SIZE,",
                "service=invert|chain (what requests do; default invert), busy=TIME (each takes so much longer),",
                "execute=during|after (invert runs while the log forces, or only after it; default during),",
                "checkpoint=SIZE (save the state after each SIZE of log and drop the log before it),",
                "retain=SIZE (keep so much log in spite of checkpoints; beyond it save one and drop the oldest"
                        + " segments; default keep all),",
                "check=SIZE|background|start (a log up to SIZE is read as a whole before the port opens, a larger one leaves"
                        + " records before its checkpoint to be checked while the server is at work; default "
                        + TargetOptions.CHECK_AT_START_MEBIBYTES + "MiB)."
            })
    private List<TargetOptions> logs = new ArrayList<>();

    @Option(names = "--unlogged", description = "Also offer the target 'off', which answers without logging.")
    private boolean unlogged;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            defaultValue = ServerOptions.DEFAULT_BIND,
            description = "Address to listen on. Default: ${DEFAULT-VALUE}.")
    private String bind;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "" + ServerOptions.DEFAULT_PORT,
            description = "Port; 0 picks a free one. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--admin-bind",
            paramLabel = "ADDRESS",
            defaultValue = ServerOptions.DEFAULT_BIND,
            description = "Address for metrics and health. Default: ${DEFAULT-VALUE}.")
    private String adminBind;

    @Option(
            names = "--admin-port",
            paramLabel = "PORT",
            defaultValue = "" + ServerOptions.DEFAULT_ADMIN_PORT,
            converter = OptionalPort.class,
            description = "Port for metrics, health and events; 0 turns them off, 'free' picks a free one."
                    + " Default: ${DEFAULT-VALUE}.")
    private int adminPort;

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            defaultValue = "0",
            converter = OptionalPort.class,
            description = "Port for HTTP/1.1, at the same address; 0 turns it off, 'free' picks a free one."
                    + " Default: ${DEFAULT-VALUE}.")
    private int httpPort;

    @Option(
            names = "--allow-host",
            paramLabel = "NAME",
            description =
                    "A name or an address by which the HTTP and the admin port may be called, besides localhost and the"
                            + " address they listen on; repeatable. Requests for other names are refused: a web page may have sent them.")
    private List<String> allowedHosts = new ArrayList<>();

    @Mixin
    private TlsOptions tls;

    @Option(
            names = "--access",
            paramLabel = "FILE",
            description =
                    "Who may do what: lines of RIGHTS token SHA-256, or RIGHTS subject NAME; RIGHTS are append:TARGET,"
                            + " append:*, read and admin, with commas between them. Default: everybody may do everything.")
    private @Nullable Path access;

    @Option(
            names = "--insecure",
            description =
                    "Listen on other addresses than loopback although anybody there may send requests: without TLS, or"
                            + " without --tls-ca and --access.")
    private boolean insecure;

    @Option(
            names = "--event-loops",
            paramLabel = "N",
            description = "Threads that serve connections. Default: 1 on one core or two, else half of them, at most "
                    + ServerOptions.MOST_USUAL_EVENT_LOOPS + ".")
    private @Nullable Integer eventLoops;

    @Option(
            names = "--transport",
            paramLabel = "NAME",
            description =
                    "How event loops serve their sockets: io_uring, epoll, nio, or auto, the first of them that the"
                            + " machine offers; where it refuses one, the next. Default: ${DEFAULT-VALUE}.")
    private TransportOption transport = TransportOption.AUTO;

    @Option(
            names = "--design",
            hidden = true, // for plog study; the others than dedicated are there to be measured
            paramLabel = "DESIGN",
            description = "Where the server waits for the force of its logs, for plog study.")
    private DesignOption design = DesignOption.DEFAULT;

    @Option(
            names = "--max-payload",
            paramLabel = "SIZE",
            defaultValue = ServerOptions.DEFAULT_MAX_PAYLOAD_MEBIBYTES + "MiB",
            converter = Converters.Size.class,
            description = "Longest payload of a request. Default: ${DEFAULT-VALUE}.")
    private long maxPayload;

    @Option(
            names = "--max-connections",
            paramLabel = "N",
            defaultValue = "" + ServerOptions.DEFAULT_MAX_CONNECTIONS,
            description = "Connections at once. Default: ${DEFAULT-VALUE}.")
    private int maxConnections;

    @Option(
            names = "--max-buffered",
            paramLabel = "SIZE",
            converter = Converters.Size.class,
            description =
                    "Memory for requests under way and replies not yet read, of all connections together. Default: "
                            + ServerOptions.USUAL_BUFFERED_MEBIBYTES
                            + "MiB, but at most half of the heap's limit and at least eight of the longest requests.")
    private @Nullable Long maxBuffered;

    @Option(
            names = "--max-wait",
            paramLabel = "TIME",
            defaultValue = ServerOptions.DEFAULT_MAX_WAIT_MILLIS + "ms",
            description =
                    "Refuse a request that would have to wait longer for its log, if its connection has others under"
                            + " way; 0 for never. Default: ${DEFAULT-VALUE}.")
    private Duration maxWait;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = Converters.Size.class,
            description = "Heap for the answers that all targets remember. Default: a quarter of the heap.")
    private @Nullable Long memory;

    @Option(
            names = "--client-memory",
            paramLabel = "SIZE",
            converter = Converters.Size.class,
            description = "Of that, for the clients of each target without their answers, "
                    + MemoryOptions.BYTES_OF_A_CLIENT + " bytes for each: so many are remembered. Default: "
                    + MemoryOptions.LEAST_CLIENTS + " clients, or 2 for each connection.")
    private @Nullable Long clientMemory;

    @Option(
            names = "--least-time",
            paramLabel = "TIME",
            defaultValue = MemoryOptions.DEFAULT_LEAST_SECONDS + "s",
            description = "How long each client is remembered at least after its last request; new ones that come"
                    + " too fast for that are refused. 0 for no such promise. Default: ${DEFAULT-VALUE}.")
    private Duration leastTime;

    @Option(
            names = "--standby",
            description =
                    "For logs on several machines: wait while another server holds the log, and take it over when that"
                            + " one is gone. All servers of a log are started so.")
    private boolean standby;

    @Option(
            names = "--takeover-within",
            paramLabel = "TIME",
            description =
                    "With --standby: a server that holds a log counts as gone after two fifths of this without a sign of life;"
                            + " the rest is for opening and replay, which it does not bound. Default: "
                            + ServerOptions.DEFAULT_TAKEOVER_SECONDS + "s.")
    private @Nullable Duration takeoverWithin;

    @Option(
            names = "--ready-file",
            paramLabel = "FILE",
            description = "Written once the server listens, with the lines port=, admin-port=, http-port= and pid=.")
    private @Nullable Path readyFile;

    @Option(
            names = "--log-format",
            paramLabel = "text|json",
            defaultValue = "text",
            description = "What the server says on standard error: lines of text, or a JSON object each, with time and"
                    + " message. Default: ${DEFAULT-VALUE}.")
    private String logFormat;

    @Option(
            names = "--check",
            description = "Look whether settings and log directories are right, say what is wrong, and start nothing.")
    private boolean check;

    /** A port, 0 for none, or {@code free}; as {@link ServerOptions#adminPort} has it. */
    private static final class OptionalPort implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            if (value.equals("free")) {
                return 0;
            }
            if (!value.matches("[0-9]{1,5}") || Integer.parseInt(value) > 65535) {
                throw new TypeConversionException("'" + value + "' is no port: expected 1 to 65535, 0, or free");
            }
            int port = Integer.parseInt(value);
            return port == 0 ? ServerOptions.NO_ADMIN : port;
        }
    }

    @Override
    protected ExitCode run() throws IOException, InterruptedException {
        if (!logFormat.equals("text") && !logFormat.equals("json")) {
            throw new IllegalArgumentException("--log-format is " + logFormat + ": expected text or json");
        }
        if (logFormat.equals("json")) {
            ServerNotices.standardError().asJson();
            spec().commandLine().setErr(new PrintWriter(new NoticeWriter(ServerNotices.standardError()), true));
        }
        PrintWriter err = err();
        ServerOptions options = options();
        String open = openAddress(options);
        if (!open.isEmpty() && !insecure) {
            throw new IllegalArgumentException(open + ": give it both, or say --insecure");
        }
        if (!open.isEmpty()) {
            err.println("warning: " + open);
        }
        if (check) {
            TargetLog.check(options.targets());
            PlogServer.checkSecurity(options);
            err.println("settings and log directories of " + options.targets().size() + " targets are right");
            return ExitCode.DONE;
        }
        PlogServer server = start(options, err);
        OrderlyStop stop = new OrderlyStop(spec().commandLine(), server);
        Thread hook = new Thread(stop::stopAndHalt, "plog-stop");
        Runtime.getRuntime().addShutdownHook(hook); // first: who is told that the server listens may stop it at once
        try {
            StartReport.print(err, server, options);
            if (readyFile != null) {
                writeReadyFile(server, readyFile);
            }
            ServiceManager.tell(server);
        } catch (IOException e) {
            Runtime.getRuntime().removeShutdownHook(hook);
            stop.stop();
            throw e;
        }
        IOException broken = server.awaitBroken(); // until a signal
        int code = Failures.report(spec().commandLine(), broken);
        try {
            server.close();
        } catch (IOException e) {
            Failures.report(spec().commandLine(), e);
        }
        Runtime.getRuntime().halt(code);
        return ExitCode.FAILED;
    }

    /** Which address beyond loopback anybody may use, in a sentence without an end; "" if there is none. */
    private static String openAddress(ServerOptions options) throws UnknownHostException {
        TlsFiles files = options.tls();
        if (files != null && (files.authority() != null || options.access() != null)) {
            return "";
        }
        boolean hasAdmin = options.adminPort() != ServerOptions.NO_ADMIN;
        for (String address : hasAdmin ? List.of(options.bind(), options.adminBind()) : List.of(options.bind())) {
            if (!InetAddress.getByName(address).isLoopbackAddress()) {
                return address + " is not loopback, and the server has "
                        + (files == null
                                ? "no TLS (--tls-cert)"
                                : "nothing that says who may do what (--access, --tls-ca)")
                        + (files == null && options.access() == null ? " and no --access" : "");
            }
        }
        return "";
    }

    /** Writes the ports and the process number, a line each, for scripts. The file appears whole or not at all. */
    private static void writeReadyFile(PlogServer server, Path file) throws IOException {
        Path absolute = file.toAbsolutePath();
        Path temporary = absolute.resolveSibling(absolute.getFileName() + ".tmp");
        Files.writeString(
                temporary,
                "port=" + server.address().getPort() + "\nadmin-port=" + server.adminPort() + "\nhttp-port="
                        + server.httpPort() + "\npid=" + ProcessHandle.current().pid() + "\n");
        Files.move(temporary, absolute, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static PlogServer start(ServerOptions options, PrintWriter err) throws IOException {
        List<URI> addresses = new ArrayList<>();
        for (TargetOptions target : options.targets()) {
            if (target.place() instanceof LogPlace.Address address) {
                addresses.add(address.uri());
            }
        }
        for (TargetOptions target : options.targets()) {
            DirectoryArgument.makeReal(target.storage(), target.directories(), err);
        }
        return LogEngines.with(addresses, () -> {
            Path messages = LogEngines.messages(addresses);
            if (messages != null) {
                err.println("BookKeeper's own messages go to " + messages);
                err.flush();
            }
            PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            PlogServer server;
            try {
                server = PlogServer.start(options, registry, registry::scrape);
            } catch (OutOfMemoryError e) { // of buffers: the JVM ends itself for want of heap
                throw new ServerStartException(
                        "too little memory for the buffers of these logs (" + e.getMessage()
                                + "): give the process a larger heap (-Xmx), or the server fewer targets",
                        e);
            }
            ServerMeters.watchProcess(registry); // only now: it takes 50 ms
            return server;
        });
    }

    private ServerOptions options() {
        List<TargetOptions> targets = new ArrayList<>(logs);
        if (unlogged) {
            targets.add(TargetOptions.unlogged("off"));
        }
        if (targets.isEmpty()) {
            throw new IllegalArgumentException("nothing to serve: give --log NAME=DIR, or --unlogged, or both");
        }
        ServerOptions defaults = ServerOptions.of(targets);
        return defaults.withBinds(bind, adminBind)
                .withPorts(port, adminPort)
                .withHttpPort(httpPort)
                .withAllowedHosts(allowedHosts)
                .withEventLoops(eventLoops == null ? defaults.eventLoops() : eventLoops)
                .withTransport(transport)
                .withDesign(design)
                .withMaxWait(maxWait)
                .withMaxBufferedBytes(maxBuffered == null ? ServerOptions.AUTOMATIC : ByteSize.toInt(maxBuffered))
                .withMemory(memory(defaults.memory()))
                .withStandby(standby())
                .withTls(tls.ofServer())
                .withAccess(access)
                .withLimits(
                        ByteSize.toInt(maxPayload),
                        maxConnections,
                        defaults.maxOutstanding(),
                        defaults.maxOutstandingBytes());
    }

    private @Nullable Duration standby() {
        if (!standby && takeoverWithin != null) {
            throw new IllegalArgumentException("--takeover-within without --standby: give both, or neither");
        }
        if (!standby) {
            return null;
        }
        return takeoverWithin == null ? Duration.ofSeconds(ServerOptions.DEFAULT_TAKEOVER_SECONDS) : takeoverWithin;
    }

    private MemoryOptions memory(MemoryOptions defaults) {
        return new MemoryOptions(
                memory == null ? defaults.bytes() : memory,
                clientMemory == null ? defaults.clientBytes() : clientMemory,
                leastTime);
    }
}
