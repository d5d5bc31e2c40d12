package io.plog.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.alipay.sofa.jraft.core.NodeImpl;
import com.alipay.sofa.jraft.entity.EnumOutter.ErrorType;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.error.RaftException;
import com.alipay.sofa.jraft.option.RaftMetaStorageOptions;
import com.alipay.sofa.jraft.storage.RaftMetaStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The term and vote of a SOFAJRaft node: a cell beside its log, which opens and closes it. For one thread at a time, as JRaft's own. */
public final class JRaftMetaStorage implements RaftMetaStorage {
    private static final Logger LOG = LoggerFactory.getLogger(JRaftMetaStorage.class);
    private static final String CELL = "term and vote";

    private final JRaftLogStorage storage;
    private @Nullable NodeImpl node;
    private long term;
    private PeerId votedFor = PeerId.emptyPeer();

    /** @param storage of the same node; it is initialised first, as JRaft does */
    public JRaftMetaStorage(JRaftLogStorage storage) {
        this.storage = storage;
    }

    @Override
    public boolean init(RaftMetaStorageOptions options) {
        node = options.getNode();
        try {
            ByteBuffer cell = storage.log().cell(CELL).map(ByteBuffer::wrap).orElse(null);
            if (cell == null) {
                return true;
            }
            term = cell.getLong();
            votedFor = new PeerId();
            return votedFor.parse(UTF_8.decode(cell).toString());
        } catch (IOException e) {
            LOG.error("Cannot read the term and vote", e);
            return false;
        }
    }

    @Override
    public void shutdown() {} // each was forced when it was set

    @Override
    public long getTerm() {
        return term;
    }

    @Override
    public PeerId getVotedFor() {
        return votedFor;
    }

    @Override
    public boolean setTerm(long value) {
        return setTermAndVotedFor(value, votedFor);
    }

    @Override
    public boolean setVotedFor(PeerId peer) {
        return setTermAndVotedFor(term, peer);
    }

    @Override
    public boolean setTermAndVotedFor(long newTerm, PeerId peer) {
        byte[] name = peer.toString().getBytes(UTF_8);
        ByteBuffer cell =
                ByteBuffer.allocate(Long.BYTES + name.length).putLong(newTerm).put(name);
        try {
            storage.log().putCell(CELL, cell.array());
            term = newTerm;
            votedFor = peer.copy();
            return true;
        } catch (IOException | RuntimeException e) {
            LOG.error("Cannot keep term {} and vote {}", newTerm, peer, e);
            if (node != null) { // JRaft does not always look at what this returns
                node.onError(new RaftException(
                        ErrorType.ERROR_TYPE_META, RaftError.EIO, "cannot keep the term and vote: %s", e));
            }
            return false;
        }
    }
}
