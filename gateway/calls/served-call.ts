import type { IncomingMessage } from 'node:http';
import { writeProblem } from '#shared/domain/call-problem.ts';
import type { KeyAccess } from '#gateway/access/access-cache.ts';
import type { Admission } from '#gateway/access/admit.ts';
import { hasBody, heldBodyBytes, holdBody } from '#gateway/http/request-body.ts';
import { apiNotSetUp, overloaded, requestTooSlow, type Refusal } from '#gateway/http/refusals.ts';
import type { Reply } from '#gateway/http/reply.ts';
import type { WholeResponse } from '#gateway/http/whole-response.ts';
import type { QuotaBook } from '#gateway/quota/book.ts';
import type { CallRecorder } from '#gateway/request-log/call-recorder.ts';
import type { Backlog, KeptCall } from '#gateway/upstream/backlog.ts';
import type { CallerWait, CallerWaits, HeldUpCall, WaitsFor } from '#gateway/upstream/caller-wait.ts';
import { sendContinue } from '#gateway/upstream/forward.ts';
import type { ActiveCall, CallMeter, Forwarding } from '#gateway/upstream/forwarding.ts';
import type { RewriteHead } from '#gateway/upstream/rewrite-locations.ts';
import type { QueuedCall, QueueTicket, UpstreamQueue } from '#gateway/upstream/upstream-queue.ts';
import type { Upstream } from '#gateway/upstream/upstream.ts';
import type { AbandonedCalls } from './abandoned-calls.ts';
import type { CallTrace } from './call-trace.ts';
import { CountedCall, type Metering, TestCall, testCallHeaders } from './meter.ts';

export interface ServingDeps {
  metering: Metering;
  abandonedCalls: AbandonedCalls;
  callerWaits: CallerWaits;
  backlog: Backlog;
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

type Accepted = Extract<Admission, { access: KeyAccess }>;
type Recorder = Pick<CallRecorder, 'record' | 'refused'>;

/** Forwards an admitted call to its product. Its unit of quota is always used or given back. */
export function serveAdmitted(deps: ServingDeps, about: CallTarget, recorder: CallRecorder, accepted: Accepted): void {
  const { call, access } = accepted;
  const { reply } = about;
  const meter = call === 'test' ? new TestCall(recorder) : new CountedCall(deps.metering, call, recorder);
  if (reply.res.destroyed) {
    meter.failed(true);
    return;
  }
  const productHeaders = [
    'X-Request-Id',
    reply.requestId,
    'X-Octroi-Activation',
    access.activationId,
    'X-Octroi-Customer',
    access.customerId,
  ];
  if (call === 'test') productHeaders.push(...testCallHeaders);
  else productHeaders.push('X-Octroi-Plan', call.cycle.planId);
  // Test keys have no quota and therefore no book.
  const book = call === 'test' ? undefined : call.book;
  const served = new ServedCall(deps, about, recorder, meter, productHeaders, access.customerId, book);
  served.begin();
  // `once` would cost more; the event comes once.
  reply.res.on('close', () => served.closed());
}

/** The doctor's calls are in no log. */
const unrecorded: Recorder = { record: () => {}, refused: () => {} };
const doctor = 'octroi-doctor';

/** Forwards a call of the doctor, which takes nothing from a plan. */
export function serveProbe(deps: ServingDeps, about: CallTarget, isTest: boolean): void {
  const { res, requestId } = about.reply;
  const caller = ['X-Request-Id', requestId, 'X-Octroi-Activation', doctor, 'X-Octroi-Customer', doctor];
  const headers = isTest ? [...caller, ...testCallHeaders] : caller;
  const served = new ServedCall(deps, about, unrecorded, new TestCall(unrecorded), headers, doctor, undefined);
  served.begin();
  res.on('close', () => served.closed());
}

/** An admitted call, from the arrival of its body and the upstream's queue to the end of its response. */
class ServedCall implements Forwarding, QueuedCall, HeldUpCall, KeptCall {
  readonly req: IncomingMessage;
  readonly res: WholeResponse;
  readonly path: string;
  readonly productHeaders: readonly string[];
  readonly meter: CallMeter;
  readonly maxBodyBytes: number;
  readonly rewriteHead: RewriteHead;
  readonly abandonedTimeoutMs: number;
  readonly customerId: string;
  traceparent: string | undefined;
  readonly #trace: CallTrace | undefined;
  readonly #deps: ServingDeps;
  readonly #upstream: Upstream;
  readonly #reply: Reply;
  readonly #recorder: Pick<Recorder, 'refused'>;
  readonly #book: QuotaBook | undefined;
  #ticket: QueueTicket | undefined;
  #active: ActiveCall | undefined;
  #sending: CallerWait | undefined;
  #taking: CallerWait | undefined;
  /** In the backlog. */
  #isKept = false;
  #isHandedOver = false;
  /** `arriving`: the body is still to come. `abandoned`: the caller has disconnected, but the product is still working. */
  #state: 'arriving' | 'queued' | 'active' | 'abandoned' | 'done' = 'arriving';

  constructor(
    deps: ServingDeps,
    { req, path, upstream, reply, trace }: CallTarget,
    recorder: Pick<Recorder, 'refused'>,
    meter: CallMeter,
    productHeaders: readonly string[],
    customerId: string,
    book: QuotaBook | undefined,
  ) {
    this.req = req;
    this.res = reply.res;
    this.path = path;
    this.productHeaders = productHeaders;
    this.meter = meter;
    this.maxBodyBytes = upstream.maxBodyBytes;
    this.rewriteHead = upstream.rewriteHead;
    this.customerId = customerId;
    this.abandonedTimeoutMs = upstream.abandonedTimeoutMs;
    this.#trace = trace;
    this.#deps = deps;
    this.#upstream = upstream;
    this.#reply = reply;
    this.#recorder = recorder;
    this.#book = book;
    if (book !== undefined) book.underWay += 1;
  }

  /** Queues the call once its body has arrived, as far as that is held back: a caller that sends nothing takes no slot. */
  begin(): void {
    if (!this.#upstream.isSetUp) {
      this.#rejectWith(apiNotSetUp);
      return;
    }
    sendContinue(this.req, this.res);
    if (!hasBody(this.req)) {
      this.#enqueue();
      return;
    }
    this.#keep(Math.min(Number(this.req.headers['content-length'] ?? Infinity), heldBodyBytes));
    const sending = this.sending(() => 'caller');
    sending.begin(0);
    const ready = (): void => {
      this.#sending?.end();
      if (this.#state !== 'arriving') return;
      this.#drop();
      this.#enqueue();
      if (this.#isQueued()) this.#keep(this.req.readableLength);
    };
    holdBody(this.req, Math.min(heldBodyBytes, this.maxBodyBytes), ready, (bytes) => {
      if (this.#state !== 'arriving') return;
      sending.moved(bytes);
      sending.begin(0);
    });
  }

  #enqueue(): void {
    this.#state = 'queued';
    this.#ticket = this.#upstream.queue.enqueue(this.customerId, this);
  }

  #isQueued(): boolean {
    return this.#state === 'queued';
  }

  #keep(bytes: number): void {
    this.#isKept = true;
    this.#deps.backlog.keep(this, bytes);
  }

  #drop(): void {
    if (!this.#isKept) return;
    this.#isKept = false;
    this.#deps.backlog.drop(this);
  }

  start(ticket: QueueTicket): void {
    this.#drop();
    this.#ticket = ticket;
    this.#state = 'active';
    this.traceparent = this.#trace?.beginUpstream(this.#upstream.productId, this.req.method ?? '');
    this.#active = this.#upstream.forward(this);
  }

  reject(): void {
    this.#rejectWith(overloaded);
  }

  #rejectWith(refusal: Refusal): void {
    this.#drop();
    this.#state = 'active';
    this.meter.rejected();
    this.#recorder.refused(refusal.status, refusal.code);
    this.#reply.refuse(refusal);
  }

  slotOf(): UpstreamQueue | undefined {
    return this.#ticket?.holdsSlot() === true ? this.#upstream.queue : undefined;
  }

  sending(waitsFor: () => WaitsFor): CallerWait {
    this.#sending?.end();
    return (this.#sending = this.#deps.callerWaits.open(this, waitsFor));
  }

  taking(): CallerWait {
    return (this.#taking ??= this.#deps.callerWaits.open(this, () =>
      this.res.socket === null ? 'earlier-response' : 'caller',
    ));
  }

  giveUp(): void {
    this.#sending?.end();
    this.#taking?.end();
    if (this.#state === 'arriving') this.#rejectWith(requestTooSlow);
    else if (this.#state === 'queued') {
      this.#ticket?.release();
      this.#rejectWith(overloaded);
    } else if (this.#isHandedOver) this.req.socket.destroy();
    else this.#active?.giveUp();
  }

  /** Handles the end of the caller's response. An abandoned call continues until the product has finished, because its outcome is counted. */
  closed(): void {
    if (this.#state === 'done' || this.#state === 'abandoned') return;
    this.#sending?.end();
    this.#taking?.end();
    this.#drop();
    if (this.#state === 'queued' || this.#state === 'arriving') this.meter.failed(true);
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

  /** The product is done with the call, so others get its slot. The caller may still have to take what was written. */
  handedOver(): void {
    if (this.#state !== 'active') return;
    this.#isHandedOver = true;
    this.#ticket?.release();
    const bytes = this.res.writableLength;
    if (bytes === 0) return;
    this.taking().begin(bytes);
    this.#keep(bytes);
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
