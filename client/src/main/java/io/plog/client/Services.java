package io.plog.client;

import io.plog.protocol.ServiceKind;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Welcome;
import java.util.List;

/** What a client must know of the services behind a server's targets. Stateless; safe for any thread. */
public final class Services {
    private static final String SERVICE = "service";
    private static final String WINDOW = "window";

    private Services() {}

    /**
     * Whether a reply of this target is its request, inverted, so that every byte can be checked. Replies of others, and of a
     * service that is not known, are not checked but for their length.
     */
    public static boolean inverts(Welcome welcome, int targetId) {
        List<TargetDescription> targets = welcome.targets();
        for (int i = 0; i < targets.size(); i++) {
            TargetDescription target = targets.get(i);
            if (target.id() == targetId) {
                return ServiceKind.ofLabel(target.facts().getOrDefault(SERVICE, ServiceKind.INVERT.label()))
                        .filter(ServiceKind::inverts)
                        .isPresent();
            }
        }
        return true;
    }

    /** Of how many requests of a client every target that remembers any remembers the answers; the largest int if none. */
    static int window(Welcome welcome) {
        int least = Integer.MAX_VALUE;
        for (TargetDescription target : welcome.targets()) {
            try {
                int window = Integer.parseInt(target.facts().getOrDefault(WINDOW, "0"));
                least = window > 0 ? Math.min(least, window) : least;
            } catch (NumberFormatException e) {
                // A fact is for people first: one that is no number limits nothing.
            }
        }
        return least;
    }
}
