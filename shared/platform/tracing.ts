import type { Span, SpanOptions, Tracer } from './spans.ts';
import type { TracingSettings } from './tracing-settings.ts';
import { currentWork, workIn } from './work-context.ts';

let tracer: Tracer | undefined;

/** Begins to trace this process if a collector is set; only then the libraries are loaded. Returns how to stop. */
export async function startTracing(service: string, settings: TracingSettings): Promise<() => Promise<void>> {
  if (settings.otelExporterOtlpEndpoint === undefined) return async () => {};
  const { openTracer } = await import('./opentelemetry.ts');
  const opened = await openTracer(service, settings);
  tracer = opened;
  return async () => {
    tracer = undefined;
    await opened.close();
  };
}

export const isTracing = (): boolean => tracer !== undefined;

/** Undefined while traces are off. The caller ends it. */
export function startSpan(name: string, options: SpanOptions = {}): Span | undefined {
  return tracer?.start(name, { ...options, parent: options.parent ?? currentWork()?.span });
}

/** Does work as a span of its own. */
export async function traced<Result>(name: string, options: SpanOptions, work: () => Promise<Result>): Promise<Result> {
  const span = startSpan(name, options);
  if (span === undefined) return work();
  try {
    const result = await workIn({ ...currentWork(), span }, work);
    span.end();
    return result;
  } catch (error) {
    span.end(error instanceof Error ? error : 'it failed');
    throw error;
  }
}
