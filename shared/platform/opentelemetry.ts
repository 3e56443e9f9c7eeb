import type { Context, Span as ApiSpan } from '@opentelemetry/api';
import { hideSecrets } from './log.ts';
import type { Span, SpanAttributes, SpanOptions, Tracer } from './spans.ts';
import type { TracingSettings } from './tracing-settings.ts';

/** The only file that knows OpenTelemetry. Its packages are imported here and not above, since a bundle would load those at each start. */
export async function openTracer(service: string, settings: TracingSettings): Promise<Tracer> {
  const [api, core, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  const ratio = new sdk.TraceIdRatioBasedSampler(settings.otelTracesSamplerArg);
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.instance.id': `${process.pid}` }),
    // Callers of the gateway choose the flag in traceparent: it must not decide how much we record.
    sampler: new sdk.ParentBasedSampler({ root: ratio, remoteParentSampled: ratio, remoteParentNotSampled: ratio }),
    spanLimits: { attributeValueLengthLimit: 1000 },
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new OTLPTraceExporter({
          url: `${settings.otelExporterOtlpEndpoint}/v1/traces`,
          headers: core.parseKeyPairsIntoRecord(settings.otelExporterOtlpHeaders),
        }),
        scheduledDelayMillis: 1000,
        maxQueueSize: 8192,
      }),
    ],
  });
  const tracer = provider.getTracer('octroi');
  const kinds = {
    server: SpanKind.SERVER,
    client: SpanKind.CLIENT,
    producer: SpanKind.PRODUCER,
    consumer: SpanKind.CONSUMER,
    internal: SpanKind.INTERNAL,
  };
  const spans = new WeakMap<Span, ApiSpan>();

  const contextOf = (parent: SpanOptions['parent']): Context => {
    if (parent === undefined) return ROOT_CONTEXT;
    if (typeof parent !== 'string') {
      const known = spans.get(parent);
      return known === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, known);
    }
    const remote = core.parseTraceParent(parent);
    return remote === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
  };

  return {
    start: (name, { kind = 'internal', parent, attributes = {}, startedAtMs }) => {
      // Whatever an unrecorded span causes is unrecorded too, and needs no span of its own.
      if (typeof parent === 'object' && !parent.isRecorded) return parent;
      const startTime = startedAtMs === undefined ? {} : { startTime: startedAtMs };
      const started = tracer.startSpan(name, { kind: kinds[kind], ...startTime }, contextOf(parent));
      const { traceId, spanId, traceFlags } = started.spanContext();
      const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
      if (!started.isRecording()) return { traceId, traceparent, isRecorded: false, set: nothing, end: nothing };
      started.setAttributes(withoutSecrets(attributes));
      const span: Span = {
        traceId,
        traceparent,
        isRecorded: true,
        set: (more) => void started.setAttributes(withoutSecrets(more)),
        end: (failure) => {
          if (failure !== undefined) {
            const message = hideSecrets(failure instanceof Error ? failure.message : failure);
            started.setStatus({ code: SpanStatusCode.ERROR, message });
          }
          started.end();
        },
      };
      spans.set(span, started);
      return span;
    },
    close: () => provider.shutdown(),
  };
}

const nothing = () => {};

function withoutSecrets(attributes: SpanAttributes): Record<string, string | number | boolean> {
  const shown: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) shown[name] = typeof value === 'string' ? hideSecrets(value) : value;
  }
  return shown;
}
