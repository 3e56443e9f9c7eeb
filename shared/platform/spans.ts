/** Part of a trace, while traces are on. */
export interface Span {
  traceId: string;
  /** False for one that the sampler left out: whatever is set on it is lost. */
  isRecorded: boolean;
  /** W3C Trace Context for whatever it causes. */
  traceparent: string;
  set: (attributes: SpanAttributes) => void;
  /** `failure`: why it did not work. */
  end: (failure?: Error | string) => void;
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanOptions {
  kind?: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** The span that causes it, or the traceparent header of another process; by default the current span. */
  parent?: Span | string | undefined;
  attributes?: SpanAttributes;
  /** Epoch milliseconds; now by default. */
  startedAtMs?: number;
}

export interface Tracer {
  start: (name: string, options: SpanOptions) => Span;
  /** Sends what is left. */
  close: () => Promise<void>;
}
