package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.DiskDirectory;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Scriptable;

/** The engine of labs 12 and 13 against what the literature says of each protocol. */
final class SimulationTest {
    private static final int SEEDS = 1_000;
    private static final int SEEDS_OF_A_BUILD = 50; // Rhino takes some 30 ms for each

    /** Each is given a history and all runs on it by protocol, and returns what is wrong, or nothing. */
    private static final String RULES = """
            function appEvents(run) {
              return run.steps.filter(function (s) { return ["send", "receive", "reply"].indexOf(s.kind) >= 0; });
            }
            function shape(run) {
              return JSON.stringify(appEvents(run).map(function (s) { return [s.kind, s.process, s.message, s.at]; }));
            }
            function orphansOf(run, cut) {
              return run.messages.filter(function (m) {
                return m.from >= 0 && m.received !== null && m.received <= cut[m.to] && m.sent > cut[m.from];
              }).length;
            }
            function alone(run) { return run.result["rolled back"] === 0 && run.result.orphans === 0; }
            var rules = {
              allRunOnTheSameHistory: function (past, runs) {
                for (var p in runs) {
                  if (p !== "coordinated" && shape(runs[p]) !== shape(runs.pessimistic)) { return p; }
                }
                for (var q = 0; q < past.processes; q++) { // who stops does the same later
                  var mine = function (run) {
                    return appEvents(run).filter(function (s) { return s.process === q; })
                      .map(function (s) { return s.kind + s.message; }).join();
                  };
                  if (mine(runs.pessimistic).indexOf(mine(runs.coordinated)) !== 0) { return "coordinated"; }
                }
              },
              noOrphanIsLeft: function (past, runs) {
                for (var p in runs) { if (orphansOf(runs[p], runs[p].line) > 0) { return p; } }
              },
              theUncoordinatedLineIsMaximal: function (past, runs) {
                var run = runs.uncoordinated, best = [0, 0, 0];
                var points = run.checkpoints.map(function (c, p) { return past.crashed.indexOf(p) < 0 ? c.concat(past.end) : c; });
                (points[0]).forEach(function (a) { points[1].forEach(function (b) { (points[2] || [0]).forEach(function (c) {
                  if (orphansOf(run, [a, b, c]) === 0) {
                    best = [Math.max(best[0], a), Math.max(best[1], b), Math.max(best[2], c)];
                  }
                }); }); });
                return best.slice(0, past.processes).join() === run.line.join() ? "" : best + " not " + run.line;
              },
              theDominoReachesTheStart: function (past, runs) {
                return past.scenario.indexOf("domino") < 0 || runs.uncoordinated.line.every(function (c) { return c === 0; })
                  ? "" : "" + runs.uncoordinated.line;
              },
              globalStatesAreConsistent: function (past, runs) {
                return ["coordinated", "snapshot"].map(function (p) {
                  var run = runs[p];
                  return run.result.orphans > 0 ? p + " rolls back further" : run.complete && orphansOf(run, run.cut) > 0 ? p : "";
                }).join("");
              },
              channelStatesAreRight: function (past, runs) {
                return ["coordinated", "snapshot"].map(function (p) {
                  var run = runs[p];
                  if (!run.complete) { return ""; }
                  for (var channel in run.channels) {
                    var between = run.messages.filter(function (m) {
                      return m.from + ">" + m.to === channel && m.sent !== null && m.sent <= run.cut[m.from]
                        && (m.received === null || m.received > run.cut[m.to]);
                    }).map(function (m) { return m.id; });
                    if (between.join() !== run.channels[channel].slice().sort(function (a, b) { return a - b; }).join()) {
                      return p + " " + channel + ": " + run.channels[channel] + " not " + between;
                    }
                  }
                  return "";
                }).join("");
              },
              pessimisticRollsBackNobodyElseAndLosesNothing: function (past, runs) {
                var run = runs.pessimistic;
                return alone(run) && run.result.lost === 0 && run.line.every(function (c) { return c === past.end; }) ? "" : "it does";
              },
              causalHasNoOrphanAndForcesOnlyForReplies: function (past, runs) {
                var run = runs.causal;
                return alone(run) && run.result.forces <= run.result.replies ? "" : "it has";
              },
              senderBasedSurvivesOneCrash: function (past, runs) {
                var run = runs["sender-based"];
                return past.crashed.length > 1 || alone(run) && run.result.lost === 0 ? "" : "it does not";
              },
              optimisticRollsBackExactlyWhatDependsOnWhatWasLost: function (past, runs) {
                var run = runs.optimistic, bad = {}, tainted = [], first = [];
                run.steps.forEach(function (s) {
                  var p = s.process;
                  if (s.kind === "receive") {
                    var gone = past.crashed.indexOf(p) >= 0 && run.stable[s.message] === undefined;
                    if ((gone || bad[s.message]) && !tainted[p]) { tainted[p] = true; first[p] = s.at - 0.5; }
                  } else if (s.kind === "send" && tainted[p]) {
                    bad[s.message] = true;
                  }
                });
                var want = run.line.map(function (c, p) { return tainted[p] ? first[p] : past.end; });
                return want.join() === run.line.join() ? "" : want + " not " + run.line;
              },
              noReplyThatLeftIsUndone: function (past, runs) {
                return ["pessimistic", "optimistic", "causal"].concat(past.crashed.length > 1 ? [] : ["sender-based"])
                  .filter(function (p) { return runs[p].result["told and undone"] > 0; }).join();
              }
            };
            function broken(names, seeds) {
              for (var i = 0; i < seeds; i++) {
                var past = simulation.history(simulation.SCENARIOS[i % simulation.SCENARIOS.length], i), runs = {};
                simulation.PROTOCOLS.forEach(function (p) { runs[p] = simulation.run(past, p); });
                for (var j = 0; j < names.length; j++) {
                  var wrong = rules[names[j]](past, runs);
                  if (wrong) { return names[j] + ": " + past.scenario + ", seed " + i + ": " + wrong; }
                }
              }
              return "";
            }
            """;

    @Test
    void whatTheLiteratureSaysHolds() throws Exception {
        assertThat(evaluated(engine(), "broken(Object.keys(rules), " + SEEDS_OF_A_BUILD + ")"))
                .isEmpty();
    }

    @Test
    @Tag("slow")
    void whatTheLiteratureSaysHoldsForAThousandSeeds() throws Exception {
        assertThat(evaluated(engine(), "broken(Object.keys(rules), " + SEEDS + ")"))
                .isEmpty();
    }

    /** Rules that find nothing prove nothing. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "pessimisticRollsBackNobodyElseAndLosesNothing ~ protocol === \"pessimistic\" || ( ~ false || (",
                "causalHasNoOrphanAndForcesOnlyForReplies ~ protocol === \"causal\") { ~ protocol === \"none\") {",
                "senderBasedSurvivesOneCrash ~ past.crashed.indexOf(message.from) < 0 ~ message.from !== 1",
                "noReplyThatLeftIsUndone ~ \"optimistic\" && missing.length > 0 ~ \"optimistic\" && missing.length > 9",
                "theUncoordinatedLineIsMaximal ~ points[points.length - 1] ~ points[0]",
                "globalStatesAreConsistent ~ run.cut[p] = at; ~ run.cut[p] = at + (p === past.coordinator ? 0 : 6);",
                "channelStatesAreRight ~ && !heard[message.to][message.from] ~ ",
                "noOrphanIsLeft ~ each.sent > cut[each.from] ~ each.sent > cut[each.from] + 1",
                "optimisticRollsBackExactlyWhatDependsOnWhatWasLost ~ cut[p] = Math.min(cut[p], each.received - 0.5) ~ cut[p] = 0"
            })
    void aBrokenRuleIsFound(String rule, String code, String instead) throws Exception {
        assertThat(engine().contains(code)).as(code).isTrue();
        String wrong = engine().replace(code, instead == null ? "" : instead);
        assertThat(evaluated(wrong, "broken(['" + rule + "'], " + SEEDS + ")")).isNotEmpty();
    }

    @Test
    void twoCrashesAtOnceAreTooManyForSenderBasedLogging() throws Exception {
        assertThat(
                        evaluated(
                                engine(),
                                "var n = 0; for (var i = 0; i < 100; i++) {"
                                        + " n += simulation.run(simulation.history('two crashes', i), 'sender-based').result.lost } n"))
                .isNotEqualTo("0");
    }

    private static String engine() throws IOException {
        return Files.readString(DiskDirectory.root().resolve("labs/simulation/history.js"));
    }

    private static String evaluated(String engine, String expression) {
        try (Context context = Context.enter()) {
            context.setLanguageVersion(Context.VERSION_ES6);
            Scriptable scope = context.initStandardObjects();
            context.evaluateString(scope, engine, "history.js", 1, null);
            context.evaluateString(scope, RULES, "rules", 1, null);
            return Context.toString(context.evaluateString(scope, expression, "expression", 1, null));
        }
    }
}
