package io.plog.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DemoLinkTest {
    @TempDir
    Path directory;

    private String commands(String... names) throws IOException {
        for (String name : names) {
            assertThat(Files.createFile(directory.resolve(name)).toFile().setExecutable(true))
                    .isTrue();
        }
        return "/nowhere:" + directory;
    }

    @Test
    void eachSideIsANamespaceWithOneLimitedInterface() {
        List<String> commands = DemoLink.commands("s", "c").stream()
                .map(command -> String.join(" ", command))
                .toList();
        assertThat(commands)
                .startsWith(
                        "ip netns add s",
                        "ip netns add c",
                        "ip link add plog-s netns s type veth peer name plog-c netns c")
                .containsSubsequence(
                        "ip -n s address add 10.77.0.1/24 dev plog-s",
                        "ip -n s link set plog-s gso_max_size 1514 gso_max_segs 1",
                        "ip netns exec s sh -c echo reno > /proc/sys/net/ipv4/tcp_congestion_control",
                        "tc -n s qdisc add dev plog-s root tbf rate 1gbit burst 15k latency 50ms",
                        "ip -n c address add 10.77.0.2/24 dev plog-c",
                        "ip netns exec c sh -c echo reno > /proc/sys/net/ipv4/tcp_congestion_control",
                        "tc -n c qdisc add dev plog-c root tbf rate 1gbit burst 15k latency 50ms")
                .hasSize(3 + 2 * 6);
    }

    @Test
    void whatIsMissingIsSaidInOneSentence() throws IOException {
        assertThatThrownBy(() -> DemoLink.check("10gbit", 0, "")).hasMessage("--link is 10gbit: expected 1gbit");
        assertThatThrownBy(() -> DemoLink.check("1gbit", 1000, ""))
                .hasMessage("--link makes network namespaces, which takes the rights of root");
        String ip = commands("ip");
        assertThatThrownBy(() -> DemoLink.check("1gbit", 0, ip))
                .hasMessage("--link needs tc, which is not there: install iproute2");
        DemoLink.check("1gbit", 0, commands("tc"));
    }

    @Test
    void withoutARateItIsTheLoopback() throws Exception {
        try (DemoLink link = DemoLink.open(null)) {
            assertThat(link.server(4080).toString()).isEqualTo("127.0.0.1:4080");
            assertThat(link.atServer()).isEmpty();
            assertThat(link.atClient()).isEmpty();
        }
    }
}
