/** A call that the gateway keeps in memory without a slot: its body has not started, or its response is not taken. */
export interface KeptCall {
  customerId: string;
  /** Ends the call to make room. */
  giveUp: () => void;
}

/** Limits what the gateway keeps in memory for its callers beyond the calls at the APIs. */
export interface Backlog {
  /** Keeps up to `bytes` for a call. Gives up the calls that were kept longest when it is too much. */
  keep: (call: KeptCall, bytes: number) => void;
  drop: (call: KeptCall) => void;
}

interface BacklogLimits {
  bytesPerCustomer: number;
  bytes: number;
}

const mega = 1024 * 1024;
const backlogLimits: BacklogLimits = { bytesPerCustomer: 16 * mega, bytes: 128 * mega };
/** What a call takes besides its body. */
const callBytes = 4096;
/** A response of a remote API is paused before it takes more. An in-process API decides itself how much of its memory one takes. */
const maxCallBytes = 128 * 1024;

/** In the order in which they were kept, with their bytes. */
class Kept {
  readonly calls = new Map<KeptCall, number>();
  bytes = 0;

  add(call: KeptCall, bytes: number): void {
    this.calls.set(call, bytes);
    this.bytes += bytes;
  }

  remove(call: KeptCall): void {
    this.bytes -= this.calls.get(call) ?? 0;
    this.calls.delete(call);
  }

  /** The one that was kept longest. */
  first(): KeptCall | undefined {
    const { value } = this.calls.keys().next();
    return value;
  }
}

export function createBacklog({ bytesPerCustomer, bytes: bytesInAll }: BacklogLimits = backlogLimits): Backlog {
  const all = new Kept();
  const byCustomer = new Map<string, Kept>();

  const drop = (call: KeptCall): void => {
    if (!all.calls.has(call)) return;
    all.remove(call);
    const ofCustomer = byCustomer.get(call.customerId);
    ofCustomer?.remove(call);
    if (ofCustomer?.calls.size === 0) byCustomer.delete(call.customerId);
  };

  const giveUpFirst = (kept: Kept): void => {
    const first = kept.first();
    if (first === undefined) return;
    drop(first);
    first.giveUp();
  };

  return {
    keep: (call, bytes) => {
      drop(call);
      let ofCustomer = byCustomer.get(call.customerId);
      if (ofCustomer === undefined) byCustomer.set(call.customerId, (ofCustomer = new Kept()));
      const weight = Math.min(Math.max(bytes, callBytes), maxCallBytes);
      all.add(call, weight);
      ofCustomer.add(call, weight);
      while (ofCustomer.bytes > bytesPerCustomer) giveUpFirst(ofCustomer);
      while (all.bytes > bytesInAll) giveUpFirst(all);
    },
    drop,
  };
}
