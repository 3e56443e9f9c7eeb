import type { IncomingMessage } from 'node:http';
import type { Admission } from '#gateway/access/admit.ts';
import { overloaded, type Refusal } from '#gateway/http/refusals.ts';
import type { Reply } from '#gateway/http/reply.ts';
import type { WholeResponse } from '#gateway/http/whole-response.ts';
import type { QuotaBook } from '#gateway/quota/book.ts';
import type { CallRecorder } from '#gateway/request-log/call-recorder.ts';
import type { CallMeter, Forwarding, Serving } from '#gateway/upstream/forward.ts';
import type { Relocate } from '#gateway/upstream/relocate.ts';
import type { Upstream } from '#gateway/upstream/upstream.ts';
import type { Entrant, Place } from '#gateway/upstream/waiting-line.ts';
import type { LeftCalls } from './left-calls.ts';
import { CountedCall, type Metering, TestCall, testFields } from './meter.ts';

export interface ServingDeps {
  metering: Metering;
  maxBodyBytes: number;
  /** How long a response is read on when its caller has left, in milliseconds. */
  leftTimeoutMs: number;
  leftCalls: LeftCalls;
  /** Told why a product failed. */
  onFailure: (product: string, requestId: string, error: Error) => void;
}

/** A call, where it goes, and who answers the caller. */
export interface Addressed {
  req: IncomingMessage;
  /** At the product. */
  path: string;
  upstream: Upstream;
  reply: Reply;
}

type Accepted = Exclude<Admission, { refusal: Refusal }>;

/** Takes an admitted call to its product; what was handed out for it is used or given back, whatever becomes of it. */
export function serveAdmitted(deps: ServingDeps, about: Addressed, noted: CallRecorder, accepted: Accepted): void {
  const { call, access } = accepted;
  const { reply } = about;
  const meter = call === 'test' ? new TestCall(noted) : new CountedCall(deps.metering, call, noted);
  if (reply.res.destroyed) {
    meter.failed(true);
    return;
  }
  const ofPlan = call === 'test' ? testFields : ['X-Octroi-Plan', call.cycle.planId];
  const toProduct = [
    'X-Request-Id',
    reply.requestId,
    'X-Octroi-Activation',
    access.activationId,
    'X-Octroi-Customer',
    access.customerId,
    ...ofPlan,
  ];
  // No book is kept of the calls of test keys.
  const book = call === 'test' ? undefined : call.book;
  const served = new ServedCall(deps, about, noted, meter, toProduct, book);
  served.enter(book ?? access);
  reply.res.once('close', () => served.closed());
}

/** One call on its way to a product and back. */
class ServedCall implements Forwarding, Entrant {
  readonly req: IncomingMessage;
  readonly res: WholeResponse;
  readonly path: string;
  readonly toProduct: readonly string[];
  readonly meter: CallMeter;
  readonly maxBodyBytes: number;
  readonly relocate: Relocate;
  readonly leftTimeoutMs: number;
  readonly #deps: ServingDeps;
  readonly #upstream: Upstream;
  readonly #reply: Reply;
  readonly #noted: CallRecorder;
  readonly #book: QuotaBook | undefined;
  #place: Place | undefined;
  #serving: Serving | undefined;
  /** `left`: the caller has gone, and the product is still answering. */
  #state: 'waiting' | 'serving' | 'left' | 'over' = 'waiting';

  constructor(
    deps: ServingDeps,
    { req, path, upstream, reply }: Addressed,
    noted: CallRecorder,
    meter: CallMeter,
    toProduct: readonly string[],
    book: QuotaBook | undefined,
  ) {
    this.req = req;
    this.res = reply.res;
    this.path = path;
    this.toProduct = toProduct;
    this.meter = meter;
    this.maxBodyBytes = deps.maxBodyBytes;
    this.relocate = upstream.relocate;
    this.leftTimeoutMs = deps.leftTimeoutMs;
    this.#deps = deps;
    this.#upstream = upstream;
    this.#reply = reply;
    this.#noted = noted;
    this.#book = book;
    if (book !== undefined) book.underWay += 1;
  }

  enter(customer: object): void {
    this.#place = this.#upstream.line.enter(customer, this);
  }

  start(): void {
    this.#state = 'serving';
    this.#serving = this.#upstream.serve(this);
  }

  giveUp(): void {
    this.#state = 'serving';
    this.meter.turnedAway();
    this.#noted.refused(overloaded.status);
    this.#reply.refuse(overloaded);
  }

  /** The caller's answer is over, or nobody waits for it any more. What a product has begun is followed to its end, which decides the count. */
  closed(): void {
    if (this.#state === 'over' || this.#state === 'left') return;
    if (this.#state === 'waiting') this.meter.failed(true);
    else if (this.#serving?.closed() === false) {
      this.#state = 'left';
      this.#deps.leftCalls.begin();
      return;
    }
    this.#leave();
  }

  ended(): void {
    if (this.#state !== 'left') return;
    this.#deps.leftCalls.end();
    this.#leave();
  }

  #leave(): void {
    this.#state = 'over';
    if (this.#book !== undefined) this.#book.underWay -= 1;
    this.#place?.leave();
  }

  ownLines(): string {
    return this.#reply.headerLines + this.meter.lines();
  }

  refuse(refusal: Refusal): void {
    this.#noted.refused(refusal.status);
    this.#reply.refuse(refusal, this.meter.lines());
  }

  onFailure(error: Error): void {
    this.#deps.onFailure(this.#upstream.productId, this.#reply.requestId, error);
  }
}
