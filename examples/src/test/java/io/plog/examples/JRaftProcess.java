package io.plog.examples;

import com.alipay.sofa.jraft.Closure;
import com.alipay.sofa.jraft.Iterator;
import com.alipay.sofa.jraft.RaftGroupService;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.core.StateMachineAdapter;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.entity.Task;
import com.alipay.sofa.jraft.option.NodeOptions;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;

/** A node of SOFAJRaft as a process. While it leads, it applies random values and prints those that were acknowledged. */
final class JRaftProcess extends StateMachineAdapter {
    private static final int IN_FLIGHT = 64;

    private final List<Long> values = new ArrayList<>();
    private final RaftGroupService service;
    private volatile boolean loads = true;
    private volatile long leads;

    private JRaftProcess(Path directory, PeerId self, Configuration peers) {
        NodeOptions options = new NodeOptions();
        options.setElectionTimeoutMs(1000);
        options.setInitialConf(peers);
        options.setFsm(this);
        options.setLogUri(directory.resolve("log").toString());
        options.setRaftMetaUri(options.getLogUri());
        service = new RaftGroupService("values", self, options);
    }

    /** Arguments: a directory, its address, and those of all. After a line on its input it stops the load; after two it prints all values. */
    public static void main(String[] arguments) {
        Configuration peers = new Configuration();
        peers.parse(arguments[2]);
        JRaftProcess process = new JRaftProcess(Path.of(arguments[0]), PeerId.parsePeer(arguments[1]), peers);
        process.service.start();
        Scanner input = new Scanner(System.in);
        input.nextLine();
        process.loads = false;
        input.nextLine();
        synchronized (process.values) {
            System.out.println(
                    "all " + process.values.stream().map(String::valueOf).collect(Collectors.joining(" ")));
        }
        System.exit(0);
    }

    @Override
    public void onApply(Iterator iterator) {
        for (; iterator.hasNext(); iterator.next()) {
            synchronized (values) {
                values.add(iterator.getData().getLong(0));
            }
            Closure done = iterator.done();
            if (done != null) {
                done.run(Status.OK());
            }
        }
        System.out.println("applied " + values.size());
    }

    @Override
    public void onLeaderStart(long term) {
        leads = term;
        System.out.println("leads");
        Thread load = new Thread(() -> load(term), "load");
        load.setDaemon(true);
        load.start();
    }

    @Override
    public void onLeaderStop(Status status) {
        leads = 0;
    }

    private void load(long term) {
        SplittableRandom random = new SplittableRandom();
        Semaphore room = new Semaphore(IN_FLIGHT);
        while (loads && leads == term) {
            room.acquireUninterruptibly();
            long value = random.nextLong();
            service.getRaftNode().apply(new Task(ByteBuffer.allocate(Long.BYTES).putLong(0, value), status -> {
                room.release();
                if (status.isOk()) {
                    System.out.println("acknowledged " + value);
                }
            }));
        }
        room.acquireUninterruptibly(IN_FLIGHT);
        System.out.println("idle");
    }
}
