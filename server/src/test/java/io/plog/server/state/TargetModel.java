package io.plog.server.state;

import io.plog.protocol.RequestRecord;
import io.plog.protocol.Status;
import io.plog.server.service.BuiltInService;
import io.plog.server.service.ChainModel;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a target must know after certain records of its log, made in the plainest way: every record and every answer is
 * kept, and what is remembered of each client is a queue.
 */
public final class TargetModel {
    private final boolean isChain;
    private final MemoryBounds bounds;
    private final ChainModel chain = new ChainModel();
    private final List<byte[]> records = new ArrayList<>();
    private final List<byte[]> answers = new ArrayList<>();
    private final Map<RequestId, Integer> indexes = new LinkedHashMap<>();

    /** The indexes of the answers remembered, by client, the least recently logged client first. */
    private final Map<Long, Deque<Integer>> remembered = new LinkedHashMap<>();

    private final Map<Long, Long> floors = new LinkedHashMap<>();

    public TargetModel(BuiltInService service, MemoryBounds bounds) {
        this.isChain = service == BuiltInService.CHAIN;
        this.bounds = bounds;
    }

    public int size() {
        return records.size();
    }

    public byte[] record(int index) {
        return records.get(index - 1);
    }

    public byte[] answer(int index) {
        return answers.get(index - 1);
    }

    public Map<RequestId, Integer> executed() {
        return indexes;
    }

    /** The next record of the log. */
    public void add(byte[] record) {
        RequestId id = idOf(record);
        records.add(record);
        int index = records.size();
        if (indexes.put(id, index) != null) {
            throw new AssertionError(id + " was executed twice, the second time at index " + index);
        }
        byte[] payload = Arrays.copyOfRange(record, RequestRecord.ENVELOPE_BYTES, record.length);
        answers.add(isChain ? chain.answer(payload) : inverted(payload));
        remember(id.client(), index);
    }

    public static RequestId idOf(byte[] record) {
        ByteBuffer buffer = ByteBuffer.wrap(record);
        return new RequestId(RequestRecord.client(buffer), RequestRecord.request(buffer));
    }

    private static byte[] inverted(byte[] payload) {
        byte[] answer = new byte[payload.length];
        for (int i = 0; i < payload.length; i++) {
            answer[i] = (byte) ~payload[i];
        }
        return answer;
    }

    private void remember(long client, int index) {
        Deque<Integer> own = remembered.remove(client);
        own = own == null ? new ArrayDeque<>() : own;
        remembered.put(client, own);
        own.addLast(index);
        while (own.size() > bounds.window() || (own.size() > 1 && bytes(own) > bounds.clientBytes())) {
            forgetOldest(client, own);
        }
        if (remembered.size() > bounds.clients()) {
            long quietest = remembered.keySet().iterator().next();
            remembered.remove(quietest);
            floors.remove(quietest);
        }
        for (Map.Entry<Long, Deque<Integer>> each : remembered.entrySet()) {
            long last = each.getKey();
            while (heap() > bounds.answerBytes() && each.getValue().size() > (last == client ? 1 : 0)) {
                forgetOldest(last, each.getValue());
            }
        }
    }

    private void forgetOldest(long client, Deque<Integer> own) {
        long number = idOf(record(own.removeFirst())).number();
        floors.merge(client, number, (a, b) -> Long.compareUnsigned(a, b) > 0 ? a : b);
    }

    private long bytes(Deque<Integer> own) {
        return isChain ? own.stream().mapToLong(index -> answer(index).length).sum() : 0;
    }

    private long heap() {
        return remembered.values().stream()
                .mapToLong(own -> Answers.heapBytes(own.size(), bounds.window(), isChain, bytes(own)))
                .sum();
    }

    /** How a request with this number ends that comes now: OK, if its answer is remembered or it is new. */
    public Status statusOf(RequestId id) {
        if (isRemembered(id)) {
            return Status.OK;
        }
        Long floor = floors.get(id.client());
        return floor != null && Long.compareUnsigned(id.number(), floor) <= 0 ? Status.OUTDATED : Status.OK;
    }

    /** Whether its answer is remembered. */
    public boolean isRemembered(RequestId id) {
        Integer index = indexes.get(id);
        Deque<Integer> own = remembered.get(id.client());
        return index != null && own != null && own.contains(index);
    }
}
