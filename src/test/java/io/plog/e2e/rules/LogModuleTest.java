package io.plog.e2e.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.MessageLog;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log as a named module of the platform, which an embedder with a module path gets. */
final class LogModuleTest {
    private static final String NAME = "io.plog.log";

    @TempDir
    Path directory;

    @Test
    void theLogWorksAsAModuleThatNeedsTheJdkOnly() throws Exception {
        Path classes = Path.of(MessageLog.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        ModuleFinder finder = ModuleFinder.of(classes);
        ModuleDescriptor module = finder.find(NAME).orElseThrow().descriptor();
        assertThat(module.isAutomatic()).isFalse();
        assertThat(module.requires().stream()
                        .filter(each -> !each.modifiers().contains(Requires.Modifier.STATIC))
                        .map(Requires::name))
                .containsExactly("java.base");
        assertThat(module.exports().stream().map(ModuleDescriptor.Exports::source))
                .containsExactlyInAnyOrder(NAME, "io.plog.log.spi", "io.plog.log.storage");

        ModuleLayer boot = ModuleLayer.boot();
        Configuration resolved = boot.configuration().resolveAndBind(finder, ModuleFinder.of(), Set.of(NAME));
        ClassLoader loader = boot.defineModulesWithOneLoader(resolved, ClassLoader.getPlatformClassLoader())
                .findLoader(NAME);
        Class<?> log = loader.loadClass(MessageLog.class.getName());
        assertThat(log.getModule().isNamed()).isTrue();
        Object options = loader.loadClass("io.plog.log.LogOptions")
                .getMethod("in", Path.class)
                .invoke(null, directory);
        try (AutoCloseable open =
                (AutoCloseable) log.getMethod("open", options.getClass()).invoke(null, options)) {
            Object index = log.getMethod("appendAndWait", ByteBuffer[].class)
                    .invoke(open, (Object) new ByteBuffer[] {ByteBuffer.wrap(new byte[8])});
            assertThat(index).isEqualTo(1L);
        }
    }
}
