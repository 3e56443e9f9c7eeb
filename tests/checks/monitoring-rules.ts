/** Names of the product's own metrics in a text, without the endings that OpenMetrics adds. */
export function metricNames(text: string): Set<string> {
  const names = text.match(/\boctroi_[a-z0-9_]+/g) ?? [];
  return new Set(names.map((name) => name.replace(/_(total|bucket|count|sum)$/, '')));
}

/**
 * Faults of the monitoring files: metrics that no process has, and metrics that the documentation for operators leaves out or names wrongly.
 * `registered`: the source of the files that register metrics; `used`: alerts and dashboards by file name.
 */
export function monitoringFaults(registered: string, used: ReadonlyMap<string, string>, documented: string): string[] {
  const own = new Set(registered.match(/(?<=')octroi_[a-z0-9_]+(?=')/g));
  const described = metricNames(documented);
  return [
    ...[...used].flatMap(([file, text]) =>
      [...metricNames(text)]
        .filter((name) => !own.has(name))
        .map((name) => `${file}: no process has the metric ${name}`),
    ),
    ...[...own]
      .filter((name) => !described.has(name))
      .map((name) => `docs/operating/watching.md: the metric ${name} is missing`),
    ...[...described]
      .filter((name) => !own.has(name))
      .map((name) => `docs/operating/watching.md: no process has ${name}`),
  ];
}
