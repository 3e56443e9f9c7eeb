import type { IncomingMessage } from 'node:http';
import type { Outcome } from '#gateway/request-log/call-info.ts';
import { maskPath } from '#gateway/request-log/mask-path.ts';
import type { Span } from '#shared/platform/spans.ts';
import { startSpan } from '#shared/platform/tracing.ts';

/** The spans of one call: from its arrival to the end of its response, and of it the part at the product. */
export class CallTrace {
  readonly #span: Span;
  #upstream: Span | undefined;
  #status: number | undefined;

  private constructor(span: Span) {
    this.#span = span;
  }

  /** Continues the trace of the caller, if it sends one. Undefined while traces are off. */
  static begin(req: IncomingMessage, requestId: string): CallTrace | undefined {
    const { traceparent } = req.headers;
    const method = req.method ?? '';
    const span = startSpan(`${method} gateway`, {
      kind: 'server',
      parent: typeof traceparent === 'string' ? traceparent : undefined,
    });
    if (span?.isRecorded) {
      span.set({
        'http.request.method': method,
        'url.path': maskPath(req.url ?? '/'),
        'octroi.request_id': requestId,
      });
    }
    return span && new CallTrace(span);
  }

  get traceId(): string {
    return this.#span.traceId;
  }

  /** The key is known. */
  known({
    customerId,
    activationId,
    serviceId,
  }: {
    customerId: string;
    activationId: string;
    serviceId: string;
  }): void {
    this.#span.set({
      'octroi.customer': customerId,
      'octroi.activation': activationId,
      'octroi.product': serviceId,
    });
  }

  /** The key or its quota is asked of the database. */
  beginLookup(): Span | undefined {
    return startSpan('read key and quota', {
      kind: 'client',
      parent: this.#span,
      attributes: { 'db.system.name': 'postgresql' },
    });
  }

  /** Returns the traceparent header for the product. */
  beginUpstream(product: string, method: string): string {
    this.#upstream = startSpan(`${method} ${product}`, {
      kind: 'client',
      parent: this.#span,
      attributes: { 'http.request.method': method, 'octroi.product': product },
    });
    return (this.#upstream ?? this.#span).traceparent;
  }

  endUpstream(failure?: Error): void {
    this.#upstream?.end(failure);
    this.#upstream = undefined;
  }

  /** The call is counted, or refused. */
  decided({ status, units, reason, problem }: Outcome): void {
    this.#status = status;
    this.#span.set({ 'octroi.units': units, 'octroi.outcome': reason, 'octroi.problem': problem });
  }

  refused(status: number, code: string): void {
    this.#status = status;
    this.#span.set({ 'octroi.problem': code });
  }

  /** The response is over. */
  ended(status: number): void {
    this.endUpstream();
    const sent = this.#status ?? status;
    this.#span.set({ 'http.response.status_code': sent });
    this.#span.end(sent >= 500 ? `status ${sent}` : undefined);
  }
}
