import type { IncomingMessage } from 'node:http';
import type { Admission } from './admit.ts';
import type { NotedCall } from './call-note.ts';
import type { CallMeter, Forwarding, Serving } from './forward.ts';
import { CountedCall, type Metering, TestCall, testFields } from './meter.ts';
import { overloaded, type Refusal } from './refusals.ts';
import type { Relocate } from './relocate.ts';
import type { Reply } from './reply.ts';
import type { Upstream } from './upstream.ts';
import type { Entrant } from './waiting-line.ts';
import type { WholeResponse } from './whole-response.ts';

export interface ServingDeps {
  metering: Metering;
  maxBodyBytes: number;
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
export function serveAdmitted(deps: ServingDeps, about: Addressed, noted: NotedCall, accepted: Accepted): void {
  const { call, access } = accepted;
  const { reply, upstream } = about;
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
  const served = new ServedCall(deps, about, noted, meter, toProduct);
  // No book is kept of the calls of test keys.
  const book = call === 'test' ? undefined : call.book;
  if (book !== undefined) book.underWay += 1;
  const place = upstream.line.enter(book ?? access, served);
  reply.res.on('close', () => {
    if (book !== undefined) book.underWay -= 1;
    place.leave();
    served.closed();
  });
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
  readonly #deps: ServingDeps;
  readonly #upstream: Upstream;
  readonly #reply: Reply;
  readonly #noted: NotedCall;
  #serving: Serving | undefined;
  #waits = true;

  constructor(
    deps: ServingDeps,
    { req, path, upstream, reply }: Addressed,
    noted: NotedCall,
    meter: CallMeter,
    toProduct: readonly string[],
  ) {
    this.req = req;
    this.res = reply.res;
    this.path = path;
    this.toProduct = toProduct;
    this.meter = meter;
    this.maxBodyBytes = deps.maxBodyBytes;
    this.relocate = upstream.relocate;
    this.#deps = deps;
    this.#upstream = upstream;
    this.#reply = reply;
    this.#noted = noted;
  }

  start(): void {
    this.#waits = false;
    this.#serving = this.#upstream.serve(this);
  }

  giveUp(): void {
    this.#waits = false;
    this.meter.turnedAway();
    this.#noted.refused(overloaded.status);
    this.#reply.refuse(overloaded);
  }

  /** The caller's answer is over, or nobody waits for it any more. */
  closed(): void {
    if (this.#waits) this.meter.failed(true);
    else this.#serving?.closed();
  }

  ownLines(): string {
    return this.#reply.own + this.meter.lines();
  }

  refuse(refusal: Refusal): void {
    this.#noted.refused(refusal.status);
    this.#reply.refuse(refusal, this.meter.lines());
  }

  onFailure(error: Error): void {
    this.#deps.onFailure(this.#upstream.productId, this.#reply.requestId, error);
  }
}
