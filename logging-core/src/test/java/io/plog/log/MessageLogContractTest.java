package io.plog.log;

import io.plog.log.testing.DurableLogContract;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;

/** The log of directories keeps the contract, over power cuts of a simulated disk. */
class MessageLogContractTest extends DurableLogContract {
    private SimulatedDisk disk = new SimulatedDisk(512, 7);

    @Override
    protected DurableLog open(LogOptions options) throws IOException {
        return MessageLog.open(options, disk);
    }

    @Override
    protected void crash(DurableLog log) {
        SimulatedDisk before = disk;
        before.crash();
        disk = before.afterCrash(11);
    }

    @Override
    protected void fail(DurableLog log) {
        disk.faults().failForce(1);
    }
}
