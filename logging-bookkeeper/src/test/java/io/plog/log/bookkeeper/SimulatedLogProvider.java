package io.plog.log.bookkeeper;

import io.plog.log.DurableLog;
import io.plog.log.LogOptions;
import io.plog.log.spi.DurableLogProvider;
import io.plog.log.spi.HolderElection;
import io.plog.log.spi.LogFollower;
import io.plog.log.spi.StoredLog;
import io.plog.log.spi.StoredRepair;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;

/** Opens the logs that {@link SimulatedBookies} keep. */
public final class SimulatedLogProvider implements DurableLogProvider {
    /** For {@link java.util.ServiceLoader}. */
    public SimulatedLogProvider() {}

    @Override
    public String scheme() {
        return SimulatedBookies.SCHEME;
    }

    @Override
    public DurableLog open(URI address, LogOptions options) throws IOException {
        return SimulatedBookies.open(address, options);
    }

    @Override
    public StoredLog openStored(URI address) throws IOException {
        return SimulatedBookies.openStored(address);
    }

    @Override
    public Optional<StoredRepair> planRepair(URI address) throws IOException {
        return SimulatedBookies.planRepair(address);
    }

    @Override
    public Optional<LogFollower> follower(URI address) {
        return Optional.of(SimulatedBookies.follower(address));
    }

    @Override
    public HolderElection election(URI address) throws IOException {
        return SimulatedBookies.election(address);
    }
}
