package io.plog.server.targets;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.Arguments;

/** The same on many more devices, and after more kinds of crowded moments. */
@Tag("slow")
final class OverloadSimulationCampaignTest extends OverloadSimulationTest {
    /** Nothing, 500 MB/s and 20 MB/s. */
    static Stream<Arguments> devices() {
        return devices(List.of(100, 300, 1_200, 6_000, 20_000), List.of(0.0, 2.0, 50.0), List.of(100, 10_000, 100_000));
    }

    static Stream<Arguments> crowdedMoments() {
        return crowdedMoments(List.of(100, 400, 2_000, 10_000), List.of(20, 100, 300), List.of(5, 20, 100));
    }
}
