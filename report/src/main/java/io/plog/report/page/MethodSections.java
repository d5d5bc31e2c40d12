package io.plog.report.page;

import io.plog.report.html.Html;
import io.plog.report.html.Section;
import io.plog.report.results.Results;
import io.plog.stats.text.Units;
import java.util.List;

/** The end of a run's page: method and glossary. Stateless. */
final class MethodSections {
    private MethodSections() {}

    static Section method(Results results) {
        Results.Plan plan = results.plan();
        String trials = plan.trials() > 1
                ? Units.count(plan.trials()) + " trials, each in fresh processes"
                : "one trial: server and client were started once, so the intervals do not cover what differs from start to"
                        + " start";
        return new Section("method", "Method")
                .add(Html.terms(
                        "prose",
                        List.of(
                                List.of(
                                        "Order",
                                        "The run has " + trials + ". Within it, " + plan.blocks()
                                                + " randomised blocks run every cell once, with the targets of a size next to each other, so"
                                                + " that what drifts hits all alike."),
                                List.of(
                                        "Two latencies",
                                        "Logging is measured by the server from handing the record to the log until it is durable as the way"
                                                + " of forcing says. End to end is measured by the client from sending the first byte until the"
                                                + " last byte of the reply has arrived. Only differences of one clock are used."),
                                List.of(
                                        "Percentiles",
                                        "Exact, by nearest rank, never averaged. Their intervals suppose nothing about the distribution;"
                                                + " where the samples are too few for an upper bound, the number is grey."),
                                List.of(
                                        "Overhead",
                                        "Ratio of the means of a logged target and of none at the same size; the 95 % interval is Student's t"
                                                + " over trials, or over blocks if there is one trial, both paired. \"Under 10 %\" holds only if"
                                                + " the whole interval lies below 1.10."),
                                List.of(
                                        "Nothing is removed",
                                        "Every request after the warm-up that was answered counts, the slowest included."),
                                List.of(
                                        "What it does not say",
                                        "It describes this machine on this day. That an acknowledged record survives a power cut is shown by"
                                                + " cutting the power and by plog audit, not by a latency."))))
                .note(
                        "Every definition and rule stands in docs/measurement.md of plog; the layout of results.json, version "
                                + results.schemaVersion() + ", in docs/results.schema.json.");
    }

    static Section glossary() {
        return new Section("glossary", "Glossary")
                .add(
                        Html.terms(
                                "prose",
                                List.of(
                                        List.of("cell", "a target together with a message size"),
                                        List.of(
                                                "target",
                                                "a log of the server, with its directory and its way of forcing; \"without logging\" answers at once"),
                                        List.of(
                                                "force",
                                                "make the operating system and the device put on stable storage what was written: fdatasync, fsync,"
                                                        + " or writing with dsync or direct; \"write\" does not force, and \"quorum\" means that enough"
                                                        + " bookies have forced"),
                                        List.of(
                                                "block, turn",
                                                "a block runs every cell once; a turn is a cell's part of a block"),
                                        List.of(
                                                "density",
                                                "how the requests are spread over the latencies: the area over a range is the share of requests in it"),
                                        List.of(
                                                "percentile, quantile",
                                                "the latency that this share of the requests did not exceed; the median is the one of half of them"),
                                        List.of(
                                                "standard deviation",
                                                "how far single requests lie from their mean, typically"),
                                        List.of(
                                                "95 % interval",
                                                "a range made by a method that is right in 95 of 100 runs"),
                                        List.of(
                                                "shift function",
                                                "how much later each quantile of one distribution is than that of another"),
                                        List.of(
                                                "batch wait",
                                                "the time a record waits after the log has taken it up until its batch is written"),
                                        List.of(
                                                "network and client",
                                                "end to end less the time in the server: what the server did not see"),
                                        List.of(
                                                "unread or network",
                                                "the same where the server's event loop blocks: requests wait unread meanwhile, and nobody can"
                                                        + " tell that wait from the network's"),
                                        List.of(
                                                "hiccup",
                                                "a moment in which a program that only looks at the clock did not get to run"))));
    }
}
