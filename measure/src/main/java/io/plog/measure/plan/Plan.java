package io.plog.measure.plan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/**
 * What a run measures: its subject, with everything that was asked of it. It stands in the sample file and in the results, with
 * the subject's name as {@code subject}; in JSON a component has the name of its option where it has one.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "subject")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Grid.class, name = "grid"),
    @JsonSubTypes.Type(value = Load.class, name = "load"),
    @JsonSubTypes.Type(value = Directories.class, name = "directories"),
    @JsonSubTypes.Type(value = Designs.class, name = "designs"),
    @JsonSubTypes.Type(value = Recovery.class, name = "recovery")
})
public sealed interface Plan permits Grid, Load, Directories, Designs, Recovery {
    /** Decides everything that is drawn. */
    long seed();

    /** How often all of it begins anew with fresh processes; at least 1. */
    int trials();

    /** Into how many blocks each cell is divided within a trial. */
    int blocks();

    /** The sizes that its cells go by. */
    List<Integer> sizesBytes();

    /** The names of what is measured: a server's targets, directories, designs. */
    List<String> targets();

    /** Whether requests are due at intended times. */
    @JsonIgnore
    boolean isScheduled();
}
