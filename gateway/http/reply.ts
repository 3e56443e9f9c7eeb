import type { Refusal } from './refusals.ts';
import { sendRefusal } from './send-refusal.ts';
import type { WholeResponse } from './whole-response.ts';

/** Called with each refusal that is sent. */
export type OnRefusal = (refusal: Refusal, reply: Reply) => void;

/** Sends the gateway's own responses to one call. */
export class Reply {
  readonly res: WholeResponse;
  readonly requestId: string;
  /** Headers that the gateway adds to every response, formatted. */
  headerLines: string;
  /** Whether the request log gets the call: it has a known key. */
  recorded = false;
  readonly #onRefusal: OnRefusal;

  constructor(res: WholeResponse, requestId: string, headerLines: string, onRefusal: OnRefusal = () => {}) {
    this.res = res;
    this.requestId = requestId;
    this.headerLines = headerLines;
    this.#onRefusal = onRefusal;
  }

  /** Refuses the call, unless its response has begun or the caller has disconnected. `extraLines`: more formatted headers. */
  refuse(refusal: Refusal, extraLines = ''): void {
    const { res, requestId, headerLines } = this;
    if (res.headersSent || res.destroyed) return;
    this.#onRefusal(refusal, this);
    sendRefusal(res, refusal, requestId, headerLines + extraLines);
  }
}
