package io.plog.host;

import java.util.Map;

/** What a server tells about its machine, its JVM and itself. Stateless. */
public final class ServerFacts {
    private ServerFacts() {}

    /** {@link MachineFacts}, and how the server's sockets are served. */
    public static Map<String, String> collect(String transport, int eventLoops) {
        Map<String, String> facts = MachineFacts.collect();
        facts.put("transport", transport);
        facts.put("eventLoops", Integer.toString(eventLoops));
        return facts;
    }
}
