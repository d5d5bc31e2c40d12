package io.plog.measure.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;

/** A plan on its way to a worker. Stateless. */
final class PlanJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private PlanJson() {}

    static String write(LoadPlan plan) {
        ObjectNode node = JSON.createObjectNode()
                .put("host", plan.host())
                .put("port", plan.port())
                .put("target", plan.target())
                .put("mode", plan.mode().label())
                .put("connections", plan.connections())
                .put("outstanding", plan.outstanding())
                .put("ratePerSecond", plan.ratePerSecond())
                .put("arrivals", plan.arrivals().label())
                .put("requestsPerConnection", plan.requestsPerConnection())
                .put("mix", plan.mix().label())
                .put("loggedShare", plan.loggedShare())
                .put("warmUpMillis", plan.warmUp().toMillis())
                .put("durationMillis", plan.duration().toMillis())
                .put("requests", plan.requests())
                .put("mostOutstanding", plan.mostOutstanding())
                .put("blocks", plan.blocks())
                .put("seed", plan.seed())
                .put("part", plan.part())
                .put("parts", plan.parts())
                .put("command", plan.command());
        return node.toString();
    }

    /**
     * Reads it.
     *
     * @throws IOException if it is no plan
     */
    static LoadPlan read(String text) throws IOException {
        try {
            JsonNode node = JSON.readTree(text);
            return new LoadPlan(
                    new LoadPlan.Destination(
                            node.required("host").asText(),
                            node.required("port").asInt(),
                            node.required("target").asText()),
                    arrivalModel(node),
                    new LoadPlan.RequestMix(
                            Mix.parse(node.required("mix").asText()),
                            node.required("loggedShare").asDouble(),
                            node.required("seed").asLong()),
                    new LoadLength(
                            Duration.ofMillis(node.required("warmUpMillis").asLong()),
                            Duration.ofMillis(node.required("durationMillis").asLong()),
                            node.required("requests").asLong(),
                            node.required("blocks").asInt()),
                    new LoadPlan.Share(
                            node.required("part").asInt(),
                            node.required("parts").asInt()),
                    node.required("mostOutstanding").asInt(),
                    null,
                    node.required("command").asText());
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw new IOException("the coordinator sent no plan that can be read: " + e.getMessage(), e);
        }
    }

    private static ArrivalModel arrivalModel(JsonNode node) {
        return new ArrivalModel(
                LoadMode.of(node.required("mode").asText()),
                node.required("connections").asInt(),
                node.required("outstanding").asInt(),
                node.required("ratePerSecond").asDouble(),
                ArrivalTimes.Kind.of(node.required("arrivals").asText()),
                node.required("requestsPerConnection").asInt());
    }

    /** What a worker says of itself. */
    static String join(String plogVersion) {
        return JSON.createObjectNode()
                .put("protocol", ControlConnection.PROTOCOL)
                .put("plogVersion", plogVersion)
                .toString();
    }

    /**
     * Why a worker that says this cannot take part; empty if it can.
     *
     * @param plogVersion ours
     */
    static String objection(String join, String plogVersion) {
        try {
            JsonNode node = JSON.readTree(join);
            int protocol = node.path("protocol").asInt(-1);
            String version = node.path("plogVersion").asText("unknown");
            if (protocol == ControlConnection.PROTOCOL && version.equals(plogVersion)) {
                return "";
            }
            return "the worker is plog " + version + " (protocol " + protocol + "), the coordinator plog " + plogVersion
                    + " (protocol " + ControlConnection.PROTOCOL + "): use the same plog for all processes of a run";
        } catch (JsonProcessingException e) {
            return "the process that wants to join is no plog load";
        }
    }
}
