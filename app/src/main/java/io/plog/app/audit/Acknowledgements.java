package io.plog.app.audit;

import io.plog.measure.ledger.LedgerLine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a ledger says was acknowledged. Each has an id, counted from 0 in the order of adding. For one thread. */
final class Acknowledgements {
    /** The result of adding an acknowledgement. */
    enum Added {
        /** It was not known. */
        NEW,
        /** It was known, with the same place and content. */
        REPEAT,
        /** It was known with another place or content. */
        CONTRADICTION
    }

    private record Request(long client, long request) {}

    private final List<LedgerLine> lines = new ArrayList<>();
    private final Map<Request, Integer> ids = new HashMap<>();

    /** Adds one, unless its client and request are known. */
    Added add(LedgerLine line) {
        Integer known = ids.putIfAbsent(new Request(line.client(), line.request()), lines.size());
        if (known == null) {
            lines.add(line);
            return Added.NEW;
        }
        return lines.get(known).equals(line) ? Added.REPEAT : Added.CONTRADICTION;
    }

    /** The id of the one with this client and request, or -1 if there is none. */
    int find(long client, long request) {
        return ids.getOrDefault(new Request(client, request), -1);
    }

    LedgerLine get(int id) {
        return lines.get(id);
    }

    int size() {
        return lines.size();
    }

    /** Forgets all, to give the memory back. */
    void clear() {
        lines.clear();
        ids.clear();
    }
}
