package io.plog.study.page;

import io.plog.report.html.Html;
import io.plog.report.html.Section;
import io.plog.study.StudyResults.Plan;
import java.util.List;

/** The page's end: method, glossary and files. */
final class ClosingSections {
    private ClosingSections() {}

    static Section method(StudyView study) {
        Plan plan = study.results().plan();
        return new Section("method", "Method")
                .add(Html.terms(
                        "prose",
                        List.of(
                                List.of(
                                        "Cells",
                                        "A cell is a design under a load. Each of its "
                                                + (plan.trials() == 1 ? "1 trial" : plan.trials() + " trials")
                                                + " has a fresh server with an empty log."),
                                List.of(
                                        "Capacity",
                                        "Answers per second while every connection always has a request outstanding; its interval is over"
                                                + " trials, or over stretches of the only one."),
                                List.of(
                                        "Relative load",
                                        "The offered rate is the level times the design's own capacity. That favours designs with little"
                                                + " capacity, as the study's authors say; so the same absolute rates are measured for"
                                                + " all."),
                                List.of(
                                        "Latency",
                                        "From sending a request's first byte until the last byte of its reply has arrived, as the study has"
                                                + " it. From the intended time of sending, what a user would have waited, stands in the"
                                                + " tables; the two part when the client falls behind its plan."),
                                List.of(
                                        "Not sustained",
                                        "If fewer requests were answered than offered, a backlog grows and its latency depends on how long"
                                                + " the cell ran. Such points are rings, and no comparison uses them without saying so."),
                                List.of(
                                        "Percentiles",
                                        "Exact, by nearest rank, over all requests of a cell; never averaged."),
                                List.of(
                                        "Service inversion",
                                        "The distance between the order of latencies and that of sizes, by the distance of the reversed"
                                                + " order. Equal latencies are taken in the order of sizes. Its baseline deals the"
                                                + " latencies anew 200 times."),
                                List.of(
                                        "Nothing is removed",
                                        "Every request after the warm-up that was answered counts, the slowest included."),
                                List.of(
                                        "Published figures",
                                        "They come from other machines, disks and programs, and from reading files instead of forcing a log."
                                                + " Directions and factors can be compared, milliseconds cannot."))))
                .note(
                        "Every definition and rule stands in docs/measurement.md of plog; the layout of study.json, version "
                                + study.results().schemaVersion() + ", in docs/study.schema.json.");
    }

    static Section glossary() {
        return new Section("glossary", "Glossary")
                .add(Html.terms(
                        "prose",
                        List.of(
                                List.of("design", "where in the server the force of the log happens"),
                                List.of(
                                        "force",
                                        "make the operating system and the device put on stable storage what was written"),
                                List.of(
                                        "event loop",
                                        "a thread that serves many connections, each when it has something to read"),
                                List.of("batch", "the records that one force makes durable"),
                                List.of(
                                        "infinite demand",
                                        "every connection asks again at once; what is answered then is the capacity"),
                                List.of(
                                        "relative load, level",
                                        "the offered rate as a share of the design's own capacity"),
                                List.of(
                                        "partly open",
                                        "so many connections, each with so many requests before it is made anew, at a fixed total rate"),
                                List.of("95 % interval", "a range made by a method that is right in 95 of 100 studies"),
                                List.of("tenth, decile", "a tenth of the requests in the order of their latencies"),
                                List.of("service inversion", "how far answers come out of the order of sizes"),
                                List.of("waiting", "the time from the arrival at the server until it is taken up"),
                                List.of(
                                        "service",
                                        "the time that the server works on a request, with writing and forcing its record"),
                                List.of("network", "end to end less the time in the server"))));
    }
}
