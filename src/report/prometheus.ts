type Labels = Readonly<Record<string, string>>;

/** A value of a metric under its labels. */
export type MetricSample = readonly [labels: Labels, value: number];

/** A metric, which is a counter where its name ends in `_total`; it is left out where it has no value. */
export type Metric = readonly [
  name: string,
  help: string,
  value: number | readonly MetricSample[] | null | undefined,
];

/** Returns metrics in the Prometheus text format, with `labels` on every sample; ends with a line break. */
export function formatPrometheusText(
  prefix: string,
  metrics: readonly Metric[],
  labels: Labels = {},
): string {
  const lines = metrics.flatMap(([name, help, value]) => {
    if (value == null) return [];
    const full = `${prefix}_${name}`;
    const samples: readonly MetricSample[] = typeof value === 'number' ? [[{}, value]] : value;
    return [
      `# HELP ${full} ${help}`,
      `# TYPE ${full} ${name.endsWith('_total') ? 'counter' : 'gauge'}`,
      ...samples.map(([own, n]) => `${full}${labelText({ ...labels, ...own })} ${n}`),
    ];
  });
  return `${lines.join('\n')}\n`;
}

function labelText(labels: Labels): string {
  const escaped = (value: string) =>
    value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
