package io.plog.log.bookkeeper;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link SimulatedStore} for several threads: the cluster's monitor is held for each operation, and never for an outcome. */
final class SharedStore {
    private final SimulatedCluster cluster;
    private final SimulatedStore store;
    private final ReadGate gate;
    private final SimulatedElection election;
    private List<Runnable> answers = new ArrayList<>(); // guarded by the cluster

    /** @param gate that every reading of entries passes */
    SharedStore(SimulatedCluster cluster, ReadGate gate, SimulatedElection election) {
        this.election = election;
        this.cluster = cluster;
        this.gate = gate;
        this.store = new SimulatedStore(cluster);
    }

    void kill() {
        store.kill();
    }

    /** The outcomes that are to be reported, for a thread that does not hold the cluster's monitor. */
    Runnable takeAnswers() {
        List<Runnable> taken = answers;
        answers = new ArrayList<>();
        return () -> taken.forEach(Runnable::run);
    }

    /** For a log, whose threads may be any. */
    LedgerStore ledgers() {
        return shared(LedgerStore.class, store);
    }

    private <T> T shared(Class<T> type, T alone) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call(alone, method, arguments)));
    }

    private @Nullable Object call(Object alone, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getName().equals("queue")) {
            return election.servers();
        }
        if (method.getName().equals("read")) {
            gate.pass();
        }
        if (method.getName().equals("append") && arguments != null) {
            LedgerWriter.Outcome outcome = (LedgerWriter.Outcome) arguments[1];
            arguments[1] = (LedgerWriter.Outcome) failure -> answers.add(() -> outcome.done(failure));
        }
        Object result;
        synchronized (cluster) {
            try {
                result = method.invoke(alone, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
        if (result instanceof LedgerReader reader) {
            return shared(LedgerReader.class, reader);
        }
        return result instanceof LedgerWriter writer ? shared(LedgerWriter.class, writer) : result;
    }
}
