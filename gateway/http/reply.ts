import { type Refusal, sendRefusal } from './refusals.ts';
import type { WholeResponse } from './whole-response.ts';

/** The gateway's own word on one call. */
export class Reply {
  readonly res: WholeResponse;
  readonly requestId: string;
  /** The gateway's fields on every answer, as lines. */
  readonly own: string;

  constructor(res: WholeResponse, requestId: string, own: string) {
    this.res = res;
    this.requestId = requestId;
    this.own = own;
  }

  /** Refuses the call, unless its answer has begun or nobody is there. `lines`: more fields. */
  refuse(refusal: Refusal, lines = ''): void {
    const { res, requestId, own } = this;
    if (!res.headersSent && !res.destroyed) sendRefusal(res, refusal, requestId, own + lines);
  }
}
