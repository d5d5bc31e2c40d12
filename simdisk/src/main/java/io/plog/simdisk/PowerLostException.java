package io.plog.simdisk;

import java.io.IOException;

/** What every operation of a {@link SimulatedDisk} throws from the moment of its crash on. */
public final class PowerLostException extends IOException {
    PowerLostException() {
        super("the simulated disk lost power");
    }
}
