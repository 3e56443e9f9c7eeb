import { expect, onTestFinished, test } from 'vitest';
import { openTracer } from '#shared/platform/opentelemetry.ts';
import { startCollector } from '#ship/standins/collector/collector.ts';

/** A tracer that records a share of the traces, and its collector. */
async function openTestTracer(share: number) {
  const collector = await startCollector();
  onTestFinished(() => collector.close());
  const tracer = await openTracer('test', {
    otelExporterOtlpEndpoint: collector.url,
    otelExporterOtlpHeaders: undefined,
    otelTracesSamplerArg: share,
  });
  return { tracer, collector };
}

const callersTrace = '0af7651916cd43dd8448eb211c80319c';
const parent = `00-${callersTrace}-b7ad6b7169203331-01`;

test('a trace that the sampler leaves out keeps its id, tells that to whatever it causes, and sends nothing', async () => {
  const { tracer, collector } = await openTestTracer(0);
  const span = tracer.start('left out', { parent });
  const caused = tracer.start('caused', { parent: span, attributes: { 'octroi.units': 1 } });
  caused.set({ 'octroi.units': 2 });
  caused.end(new Error('failed'));
  span.end();
  expect(span).toMatchObject({ isRecorded: false, traceId: callersTrace });
  expect(caused).toMatchObject({ isRecorded: false, traceId: callersTrace });
  expect(caused.traceparent).toMatch(new RegExp(`^00-${callersTrace}-[0-9a-f]{16}-00$`));
  await tracer.close();
  expect(collector.received()).toBe('');
});

test('a recorded span sends what it began with, what was set later, and why it failed', async () => {
  const { tracer, collector } = await openTestTracer(1);
  const span = tracer.start('recorded', { parent, attributes: { 'octroi.request_id': 'r-1' } });
  const caused = tracer.start('caused', { parent: span });
  expect(caused.traceparent).toMatch(new RegExp(`^00-${callersTrace}-[0-9a-f]{16}-01$`));
  caused.end();
  span.set({ 'octroi.units': 7 });
  span.end('it failed');
  await tracer.close();
  const recorded = collector.spans.find(({ name }) => name === 'recorded');
  expect(recorded).toMatchObject({
    traceId: callersTrace,
    parentSpanId: 'b7ad6b7169203331',
    attributes: { 'octroi.request_id': 'r-1', 'octroi.units': 7 },
    failed: true,
  });
  expect(collector.spans.find(({ name }) => name === 'caused')?.parentSpanId).toBe(recorded?.spanId);
});
