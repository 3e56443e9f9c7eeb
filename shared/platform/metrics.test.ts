import { Gauge } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from './log.ts';
import { createMetrics, serveMetrics } from './metrics.ts';

test('metrics are served as OpenMetrics at /metrics, and nothing else is', async () => {
  const metrics = createMetrics();
  const served = await serveMetrics(metrics, { port: 0, host: '127.0.0.1' }, createLog('test', { level: 'silent' }));
  onTestFinished(served.close);
  const response = await fetch(served.url);
  expect(response.headers.get('content-type')).toMatch(/^application\/openmetrics-text; version=1\.0\.0/);
  const page = await response.text();
  expect(page).toMatch(/^process_cpu_seconds_total [\d.]+$/m);
  expect(page).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  expect(page.endsWith('# EOF\n')).toBe(true);
  expect((await fetch(new URL('/', served.url))).status).toBe(404);
  expect((await fetch(served.url, { method: 'POST' })).status).toBe(404);
});

test('a number that cannot be read is left out, with its reason in the log, and the others are served', async () => {
  const metrics = createMetrics();
  metrics.registerMetric(
    new Gauge({
      name: 'broken',
      help: 'Always fails',
      registers: [],
      collect() {
        throw new Error('the database is away');
      },
    }),
  );
  const lines: string[] = [];
  const log = createLog('test', { destination: { write: (line) => void lines.push(line) } });
  const served = await serveMetrics(metrics, { port: 0, host: '127.0.0.1' }, log);
  onTestFinished(served.close);
  const page = await (await fetch(served.url)).text();
  expect(page).not.toContain('broken');
  expect(page).toMatch(/^# TYPE process_cpu_seconds counter\nprocess_cpu_seconds_total [\d.]+$/m);
  expect(page).not.toContain('\n\n');
  expect(page.endsWith('# EOF\n')).toBe(true);
  expect(lines.join('')).toContain('the database is away');
  expect(lines.join('')).toContain('"leftOut":["broken"]');
});
