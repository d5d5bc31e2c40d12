package io.plog.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks JSON against the part of JSON Schema that our schema uses. A keyword that it doesn't know is an error, not ignored. */
public final class SchemaCheck {
    private static final Set<String> SILENT = Set.of("$schema", "$defs", "title", "description");

    private final JsonNode root;
    private final List<String> violations;

    /**
     * @param root the schema
     * @param violations what is found is added to it
     */
    public SchemaCheck(JsonNode root, List<String> violations) {
        this.root = root;
        this.violations = violations;
    }

    /** Checks a value, found at this place, against a part of the schema. */
    public void check(String where, JsonNode schema, JsonNode value) {
        for (Map.Entry<String, JsonNode> keyword : schema.properties()) {
            if (!SILENT.contains(keyword.getKey())) {
                apply(where, schema, keyword.getKey(), keyword.getValue(), value);
            }
        }
    }

    private void apply(String where, JsonNode schema, String keyword, JsonNode rule, JsonNode value) {
        switch (keyword) {
            case "type" -> require(where, isOfType(rule.textValue(), value), "is no " + rule.textValue());
            case "const" -> require(where, rule.equals(value), "is not " + rule);
            case "enum" -> {
                List<JsonNode> allowed = new ArrayList<>();
                rule.forEach(allowed::add);
                require(where, allowed.contains(value), "is none of " + rule);
            }
            case "minimum" -> require(where, value.doubleValue() >= rule.doubleValue(), "is below " + rule);
            case "maximum" -> require(where, value.doubleValue() <= rule.doubleValue(), "is above " + rule);
            case "required" ->
                rule.forEach(name -> require(where, value.has(name.textValue()), "lacks " + name.textValue()));
            case "properties" ->
                rule.properties().forEach(property -> {
                    if (value.has(property.getKey())) {
                        check(where + "." + property.getKey(), property.getValue(), value.get(property.getKey()));
                    }
                });
            case "additionalProperties" ->
                value.properties().forEach(property -> {
                    if (!schema.path("properties").has(property.getKey())) {
                        if (rule.isObject()) {
                            check(where + "." + property.getKey(), rule, property.getValue());
                        } else {
                            require(where, rule.booleanValue(), "has an unknown " + property.getKey());
                        }
                    }
                });
            case "items" -> {
                for (int i = 0; i < value.size(); i++) {
                    check(where + "[" + i + "]", rule, value.get(i));
                }
            }
            case "$ref" ->
                check(where, root.path("$defs").path(rule.textValue().substring("#/$defs/".length())), value);
            case "anyOf" -> require(where, anyOf(rule, value), "fits none of the alternatives");
            default -> throw new AssertionError("the schema uses " + keyword + ", which this check does not know");
        }
    }

    private boolean anyOf(JsonNode alternatives, JsonNode value) {
        for (JsonNode alternative : alternatives) {
            List<String> found = new ArrayList<>();
            new SchemaCheck(root, found).check("", alternative, value);
            if (found.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfType(String type, JsonNode value) {
        return switch (type) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "number" -> value.isNumber();
            case "integer" -> value.isIntegralNumber();
            case "boolean" -> value.isBoolean();
            case "null" -> value.isNull();
            default -> throw new AssertionError("unknown type " + type);
        };
    }

    private void require(String where, boolean holds, String what) {
        if (!holds) {
            violations.add(where + " " + what);
        }
    }
}
