package io.plog.app.lab.yours;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.plog.log.LogReader;
import io.plog.protocol.RequestRecord;
import io.plog.server.service.Chain;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** Runs a client, with some requests on its standard input, and holds what it prints against what the server's log says. */
final class ClientTrial implements ProgramCommand.Trial {
    private static final int REQUESTS = 10;
    private static final int PATIENCE_SECONDS = 4; // without any progress
    private static final int MOST_FRAMES = 250; // of one run; a client that sends more never ends
    private static final int MOST_LINES = 100;
    private static final int MOST_CHARACTERS = 10_000; // of a line

    private final String command;
    private final FaultyNetwork network;

    /** Starts the server. */
    ClientTrial(String command, Path folder) throws IOException, InterruptedException {
        this.command = command;
        network = new FaultyNetwork(folder);
    }

    /** What the log holds of a request, and the answer that follows from all records before. */
    private record Logged(long index, long client, long number, String answer) {}

    @Override
    public String history(Set<String> may, SplittableRandom random) throws IOException, InterruptedException {
        List<String> payloads = new ArrayList<>();
        for (int i = 1; i <= REQUESTS; i++) {
            payloads.add(
                    "request " + i + " of " + Long.toHexString(random.nextLong()) + "!".repeat(random.nextInt(20)));
        }
        network.begin(may, random);
        StudentProgram program = new StudentProgram(command, "127.0.0.1", "" + network.port());
        program.sayAtLast(payloads);
        String end = end(program);
        List<String> said = program.killed(MOST_LINES, MOST_CHARACTERS);
        network.awaitServer();
        Map<String, List<Logged>> logged = logged();
        long last = 0;
        for (int i = 0; i < REQUESTS; i++) {
            List<Logged> found = logged.getOrDefault(payloads.get(i), List.of());
            String answer = i < said.size() ? said.get(i).strip() : "";
            String wrong = answer.isEmpty()
                    ? "has no answer, and "
                            + (found.isEmpty() ? "was never executed" : "is record " + found.get(0).index) + ": "
                            + (end.isEmpty() ? "the program ended" : end)
                    : wrong(found, answer, last, logged, payloads);
            if (!wrong.isEmpty()) {
                return "request " + (i + 1) + " " + wrong;
            }
            last = found.get(0).index;
        }
        return said.size() == REQUESTS
                ? end
                : "the program printed " + said.size() + " lines for " + REQUESTS + " requests";
    }

    /** Waits until the client ends, or makes no progress; returns what is wrong with its end, a sentence. */
    private String end(StudentProgram program) throws InterruptedException {
        long before = -1;
        while (!program.ends(PATIENCE_SECONDS)) {
            long frames = network.frames();
            if (frames > MOST_FRAMES) {
                return "the program sent more than " + MOST_FRAMES + " frames";
            }
            if (frames >= 0 && frames == before) {
                return "the program did nothing for " + PATIENCE_SECONDS + " s";
            }
            before = frames;
        }
        return program.ending();
    }

    /** What is wrong with a request that was answered, the rest of a sentence; empty if nothing is. */
    private static String wrong(
            List<Logged> found, String answer, long before, Map<String, List<Logged>> logged, List<String> payloads) {
        if (found.isEmpty()) {
            return "was never executed, and was answered " + StudentProgram.shown(answer);
        }
        Logged first = found.get(0);
        if (found.size() > 1) {
            Logged second = found.get(1);
            return "was executed twice: under number " + first.number + " as record " + first.index
                    + " of the log, under " + second.number
                    + (first.client == second.client ? "" : " of another client") + " as " + second.index;
        }
        if (first.index < before) {
            return "was executed before the one before it, as record " + first.index + " of the log";
        }
        for (String payload : answer.equals(first.answer) ? List.<String>of() : payloads) {
            if (logged.getOrDefault(payload, List.of()).stream().anyMatch(each -> each.answer.equals(answer))) {
                return "was answered with the reply of request " + (payloads.indexOf(payload) + 1);
            }
        }
        return answer.equals(first.answer)
                ? ""
                : "was answered " + StudentProgram.shown(answer) + ", expected '" + first.answer + "'";
    }

    /** What was executed, by its payload. */
    private Map<String, List<Logged>> logged() throws IOException {
        Map<String, List<Logged>> logged = new HashMap<>();
        long state = Chain.INITIAL_STATE;
        try (LogReader reader = LogReader.open(network.log(), 1)) {
            while (reader.next()) {
                ByteBuffer record = reader.payload();
                ByteBuf payload = Unpooled.copiedBuffer(RequestRecord.payload(record));
                int length = payload.readableBytes();
                state = Chain.next(state, payload, 0, length);
                ByteBuf answer = Unpooled.buffer(length).writerIndex(length);
                Chain.answer(state, payload, 0, answer, 0, length);
                logged.computeIfAbsent(payload.toString(StandardCharsets.UTF_8), none -> new ArrayList<>())
                        .add(new Logged(
                                reader.index(),
                                RequestRecord.client(record),
                                RequestRecord.request(record),
                                ByteBufUtil.hexDump(answer)));
            }
        }
        return logged;
    }

    @Override
    public void close() throws IOException {
        network.close();
    }
}
