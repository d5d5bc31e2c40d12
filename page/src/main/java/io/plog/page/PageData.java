package io.plog.page;

import io.plog.report.table.Table;
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
        List<String> findings) {}
