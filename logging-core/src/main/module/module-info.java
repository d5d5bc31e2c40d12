/** The embeddable log. */
module io.plog.log {
    requires static org.jspecify;
    // Without it a log opens all the same, but no file with O_DIRECT.
    requires static jdk.unsupported;

    exports io.plog.log;
    exports io.plog.log.spi;
    exports io.plog.log.storage;

    uses io.plog.log.spi.DurableLogProvider;

    provides io.plog.log.spi.DurableLogProvider with
            io.plog.log.spi.FileLogProvider;
}
