package io.plog.measure.plan;

import com.fasterxml.jackson.annotation.JsonValue;
import io.plog.stats.text.Labelled;

/** A constant that JSON has by its label. */
public interface JsonLabelled extends Labelled {
    @Override
    @JsonValue
    default String label() {
        return Labelled.super.label();
    }
}
