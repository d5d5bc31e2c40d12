package io.plog.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;

class BuildTest {
    @Test
    void theManifestSaysVersionAndCommit() throws Exception {
        assertThat(Build.of(manifest("Implementation-Version: 0.1.0\nImplementation-Commit: 0123456789ab-dirty\n")))
                .isEqualTo(new Build("0.1.0", "0123456789ab-dirty"));
    }

    @Test
    void aBuildWithoutGitHasNoCommit() throws Exception {
        assertThat(Build.of(
                        manifest("Implementation-Version: 0.1.0\nImplementation-Commit: ${git.commit.id.describe}\n")))
                .isEqualTo(new Build("0.1.0", "unknown"));
    }

    @Test
    void whatDoesNotRunFromAJarIsInDevelopment() throws Exception {
        assertThat(Build.of(null)).isEqualTo(new Build("development", "unknown"));
        assertThat(Build.of(manifest(""))).isEqualTo(new Build("development", "unknown"));
    }

    private static Manifest manifest(String lines) throws IOException {
        return new Manifest(new ByteArrayInputStream(
                ("Manifest-Version: 1.0\n" + lines + "\n").getBytes(StandardCharsets.US_ASCII)));
    }
}
