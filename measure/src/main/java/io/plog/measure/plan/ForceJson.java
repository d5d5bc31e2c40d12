package io.plog.measure.plan;

import com.fasterxml.jackson.databind.util.StdConverter;
import io.plog.log.storage.Force;

/** Ways of forcing in JSON: by their labels. */
final class ForceJson {
    private ForceJson() {}

    static final class Label extends StdConverter<Force, String> {
        @Override
        public String convert(Force force) {
            return force.label();
        }
    }

    static final class OfLabel extends StdConverter<String, Force> {
        @Override
        public Force convert(String label) {
            return Force.ofLabel(label);
        }
    }
}
