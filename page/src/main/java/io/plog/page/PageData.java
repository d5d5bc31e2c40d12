package io.plog.page;

import io.plog.results.table.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a page shows.
 *
 * @param kind of page: its sections and figures are listed in the resource {@code KIND.json}
 * @param title of the document
 * @param source where the data are from, for the foot of each printed page and under each figure that is saved
 * @param documents results as they are, by name; each becomes JSON
 * @param tables what the figures draw
 * @param findings sentences for readers without scripts
 */
public record PageData(
        String kind,
        String title,
        String source,
        Map<String, Object> documents,
        List<Table> tables,
        List<String> findings) {
    /** The same with one more document. */
    public PageData with(String name, Object document) {
        Map<String, Object> more = new LinkedHashMap<>(documents);
        more.put(name, document);
        return new PageData(kind, title, source, more, tables, findings);
    }
}
