package io.plog.results;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.measure.samples.SampleFormat;

/** Records with other values in some of their fields, for tests. */
public final class Fields {
    private static final ObjectMapper JSON = SampleFormat.JSON
            .copy()
            .setVisibility(PropertyAccessor.IS_GETTER, JsonAutoDetect.Visibility.NONE); // else all that a record says

    private Fields() {}

    /**
     * The same record with other values.
     *
     * @param namesAndValues of fields, named as in the record's JSON
     */
    @SuppressWarnings("unchecked")
    public static <T> T changed(T record, Object... namesAndValues) {
        ObjectNode json = JSON.valueToTree(record);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            json.set((String) namesAndValues[i], JSON.valueToTree(namesAndValues[i + 1]));
        }
        return (T) JSON.convertValue(json, record.getClass());
    }
}
