import { expect, test } from 'vitest';
import { metricNames, monitoringFaults } from './monitoring-rules.ts';

test('the endings that OpenMetrics adds are not part of the name', () => {
  const text = 'rate(octroi_calls_total[5m]) / octroi_wait_seconds_bucket{le="1"} + octroi_open_disputes';
  expect([...metricNames(text)]).toEqual(['octroi_calls', 'octroi_wait_seconds', 'octroi_open_disputes']);
});

test('an alert on a metric that nobody has, and a metric that nobody describes, are faults', () => {
  const source = `gauge('octroi_known', 'x'); gauge('octroi_silent', 'y')`;
  const alerts = new Map([['alerts.yaml', 'expr: octroi_known > octroi_gone']]);
  expect(monitoringFaults(source, alerts, '`octroi_known`, `octroi_old`')).toEqual([
    'alerts.yaml: no process has the metric octroi_gone',
    'docs/operating/watching.md: the metric octroi_silent is missing',
    'docs/operating/watching.md: no process has octroi_old',
  ]);
});
