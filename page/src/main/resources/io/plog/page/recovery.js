// What only the page of a recovery has: the means over its kills, and what it ran on.

BUILD.subtitle = () => [moment(results().startedAt), ...conditionsOf("load", "order", "simulated")].join(" · ");

BUILD.means = () => {
  const broken = results().validity.filter((check) => !check.ok);
  return h(
    "div",
    null,
    broken.length > 0 ? checksList(broken) : null,
    results().cost.map(({ sentence }) => h("p", null, sentence)),
  );
};

BUILD.conditions = () => {
  const { environment, conditions, command, validity } = results();
  const plan = conditions.map(({ name, text }) => [name, text]);
  return [
    facts("Machine and plan", [...allFacts(environment.client), ...plan, ["command", command]]),
    checksList(validity),
  ];
};
