import type { IncomingMessage } from 'node:http';
import { writeProblem } from '#domain/call-problem.ts';
import type { Admission } from '#gateway/access/admit.ts';
import { overloaded, type Refusal } from '#gateway/http/refusals.ts';
import type { Reply } from '#gateway/http/reply.ts';
import type { WholeResponse } from '#gateway/http/whole-response.ts';
import type { QuotaBook } from '#gateway/quota/book.ts';
import type { CallRecorder } from '#gateway/request-log/call-recorder.ts';
import type { CallMeter, Forwarding, ActiveCall } from '#gateway/upstream/forward.ts';
import type { RewriteHead } from '#gateway/upstream/rewrite-locations.ts';
import type { QueuedCall, QueueTicket } from '#gateway/upstream/upstream-queue.ts';
import type { Upstream } from '#gateway/upstream/upstream.ts';
import type { AbandonedCalls } from './abandoned-calls.ts';
import type { CallTrace } from './call-trace.ts';
import { CountedCall, type Metering, TestCall, testCallHeaders } from './meter.ts';

export interface ServingDeps {
  metering: Metering;
  abandonedCalls: AbandonedCalls;
  /** Called with the reason when a product fails. */
  onFailure: (product: string, requestId: string, error: Error) => void;
}

/** A request, the upstream that it goes to, and the reply to its caller. */
export interface CallTarget {
  req: IncomingMessage;
  /** The path at the product. */
  path: string;
  upstream: Upstream;
  reply: Reply;
  trace: CallTrace | undefined;
}

type Accepted = Exclude<Admission, { refusal: Refusal }>;

/** Forwards an admitted call to its product. Its unit of quota is always used or given back. */
export function serveAdmitted(deps: ServingDeps, about: CallTarget, recorder: CallRecorder, accepted: Accepted): void {
  const { call, access } = accepted;
  const { reply } = about;
  const meter = call === 'test' ? new TestCall(recorder) : new CountedCall(deps.metering, call, recorder);
  if (reply.res.destroyed) {
    meter.failed(true);
    return;
  }
  const planHeaders = call === 'test' ? testCallHeaders : ['X-Octroi-Plan', call.cycle.planId];
  const productHeaders = [
    'X-Request-Id',
    reply.requestId,
    'X-Octroi-Activation',
    access.activationId,
    'X-Octroi-Customer',
    access.customerId,
    ...planHeaders,
  ];
  // Test keys have no quota and therefore no book.
  const book = call === 'test' ? undefined : call.book;
  const served = new ServedCall(deps, about, recorder, meter, productHeaders, book);
  served.enqueue(book ?? access);
  reply.res.once('close', () => served.closed());
}

/** An admitted call, from the upstream's queue to the end of its response. */
class ServedCall implements Forwarding, QueuedCall {
  readonly req: IncomingMessage;
  readonly res: WholeResponse;
  readonly path: string;
  readonly productHeaders: readonly string[];
  readonly meter: CallMeter;
  readonly maxBodyBytes: number;
  readonly rewriteHead: RewriteHead;
  readonly abandonedTimeoutMs: number;
  traceparent: string | undefined;
  readonly #trace: CallTrace | undefined;
  readonly #deps: ServingDeps;
  readonly #upstream: Upstream;
  readonly #reply: Reply;
  readonly #recorder: CallRecorder;
  readonly #book: QuotaBook | undefined;
  #ticket: QueueTicket | undefined;
  #active: ActiveCall | undefined;
  /** `abandoned`: the caller has disconnected, but the product is still working. */
  #state: 'queued' | 'active' | 'abandoned' | 'done' = 'queued';

  constructor(
    deps: ServingDeps,
    { req, path, upstream, reply, trace }: CallTarget,
    recorder: CallRecorder,
    meter: CallMeter,
    productHeaders: readonly string[],
    book: QuotaBook | undefined,
  ) {
    this.req = req;
    this.res = reply.res;
    this.path = path;
    this.productHeaders = productHeaders;
    this.meter = meter;
    this.maxBodyBytes = upstream.maxBodyBytes;
    this.rewriteHead = upstream.rewriteHead;
    this.abandonedTimeoutMs = upstream.abandonedTimeoutMs;
    this.#trace = trace;
    this.#deps = deps;
    this.#upstream = upstream;
    this.#reply = reply;
    this.#recorder = recorder;
    this.#book = book;
    if (book !== undefined) book.underWay += 1;
  }

  enqueue(customer: object): void {
    this.#ticket = this.#upstream.queue.enqueue(customer, this);
  }

  start(): void {
    this.#state = 'active';
    this.traceparent = this.#trace?.beginUpstream(this.#upstream.productId, this.req.method ?? '');
    this.#active = this.#upstream.forward(this);
  }

  reject(): void {
    this.#state = 'active';
    this.meter.rejected();
    this.#recorder.refused(overloaded.status, overloaded.code);
    this.#reply.refuse(overloaded);
  }

  /** Handles the end of the caller's response. An abandoned call continues until the product has finished, because its outcome is counted. */
  closed(): void {
    if (this.#state === 'done' || this.#state === 'abandoned') return;
    if (this.#state === 'queued') this.meter.failed(true);
    else if (this.#active?.closed() === false) {
      this.#state = 'abandoned';
      this.#deps.abandonedCalls.begin();
      return;
    }
    this.#finish();
  }

  ended(): void {
    this.#trace?.endUpstream();
    if (this.#state !== 'abandoned') return;
    this.#deps.abandonedCalls.end();
    this.#finish();
  }

  #finish(): void {
    this.#state = 'done';
    if (this.#book !== undefined) this.#book.underWay -= 1;
    this.#ticket?.release();
  }

  headerLines(): string {
    return this.#reply.headerLines + this.meter.headerLines();
  }

  refuse(refusal: Refusal): void {
    this.#recorder.refused(refusal.status, writeProblem(refusal.code, refusal.facts));
    this.#reply.refuse(refusal, this.meter.headerLines());
  }

  onFailure(error: Error): void {
    this.#trace?.endUpstream(error);
    this.#deps.onFailure(this.#upstream.productId, this.#reply.requestId, error);
  }
}
