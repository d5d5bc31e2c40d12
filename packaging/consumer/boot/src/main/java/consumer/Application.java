package consumer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import io.plog.log.micrometer.LogHealth;
import io.plog.log.micrometer.LogMeters;
import io.plog.server.PlogServer;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** Embeds a log and a server, and prints what its own actuator says of them. */
@SpringBootApplication
public class Application {
    @Bean
    LogMeters meters() {
        return new LogMeters(Tags.of("log", "orders"));
    }

    @Bean
    MessageLog log(LogMeters meters, @Value("${log}") Path directory) throws IOException {
        MessageLog log = MessageLog.open(
                LogOptions.in(Files.createDirectory(directory)).withListener(meters));
        meters.watch(log);
        return log;
    }

    @Bean
    HealthIndicator ordersHealth(MessageLog log) {
        return () -> {
            LogHealth health = LogHealth.of(log);
            return Health.status(health.status().name())
                    .withDetails(health.details())
                    .build();
        };
    }

    @Bean
    PlogServer server(MeterRegistry registry) throws IOException {
        ServerOptions options = ServerOptions.of(List.of(TargetOptions.unlogged("off")));
        return PlogServer.start(options.withPorts(0, ServerOptions.NO_ADMIN), registry, null);
    }

    public static void main(String[] args) throws Exception {
        try (ConfigurableApplicationContext context = SpringApplication.run(Application.class, args)) {
            context.getBean(MessageLog.class).appendAndWait(ByteBuffer.wrap(new byte[8]));
            System.out.println(ask(context, "health"));
            ask(context, "prometheus").lines().filter(line -> line.startsWith("plog_")).forEach(System.out::println);
        }
    }

    private static String ask(ConfigurableApplicationContext context, String what) throws Exception {
        String port = context.getEnvironment().getProperty("local.server.port");
        URI uri = URI.create("http://127.0.0.1:" + port + "/actuator/" + what);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .body();
    }
}
