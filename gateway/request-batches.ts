import { randomUUID } from 'node:crypto';
import { addDays, type Day, dayOf, startOfDay } from '#domain/day.ts';
import { type LoggedCall, writeCallLine } from '#domain/logged-call.ts';
import { maskPath } from './mask-path.ts';

/** What became of one call, for the customer whose key made it. It decides nothing: quotas and usage are counted by the journal. */
export interface Entry extends Pick<LoggedCall, 'requestId' | 'at' | 'method' | 'status' | 'counted' | 'reason'> {
  activationId: string;
  keyId: string;
  /** As it was called; the query is cut off and numbers are masked before it is written. */
  target: string;
  latencyMs: number;
}

/** Calls of one key on one IST day that lie in one row. */
export interface Batch {
  id: string;
  activationId: string;
  keyId: string;
  day: Day;
  test: boolean;
  fromMs: number;
  toMs: number;
  calls: number;
  counted: number;
  statuses: Set<number>;
  lines: Lines;
  /** Is it on its way to the database, so that nothing in it can be changed here any more? */
  sealed: boolean;
}

/** Lines of a batch, in ASCII. Bytes, because texts that wait for the database would be copied by every collection of garbage until then. */
class Lines {
  #bytes = Buffer.allocUnsafe(512);
  #length = 0;

  add(line: string): void {
    if (this.#length + line.length > this.#bytes.length) {
      const more = Buffer.allocUnsafe((this.#length + line.length) * 2);
      this.#bytes.copy(more, 0, 0, this.#length);
      this.#bytes = more;
    }
    this.#length += this.#bytes.write(line, this.#length, 'latin1');
  }

  /** Puts a line in another's place. */
  replace(line: string, by: string): void {
    this.#bytes = Buffer.from(
      this.bytes()
        .toString('latin1')
        .replace(line, () => by),
      'latin1',
    );
    this.#length = this.#bytes.length;
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}

const mostCalls = 500;
/** Half of what the database allows: a page of the log looks for its calls in batches around its time. */
const longestMs = 5 * 60_000;

/** Batches that are being filled. */
export interface OpenBatches {
  /** Puts a call into exactly one batch, and says into which. */
  add: (entry: Entry) => Batch;
  /** Hands over what is filled and begins anew. */
  take: () => Batch[];
}

export function openBatches(): OpenBatches {
  let batches: Batch[] = [];
  let open = new Map<string, Batch>();
  let day: Day = '';
  let dayStartsAt = 0;
  let dayEndsAt = 0;
  return {
    add: (entry) => {
      const { activationId, keyId, at } = entry;
      if (at < dayStartsAt || at >= dayEndsAt) {
        day = dayOf(at);
        dayStartsAt = startOfDay(day);
        dayEndsAt = startOfDay(addDays(day, 1));
      }
      const test = entry.reason === 'test';
      const kind = test ? `${keyId} test` : keyId;
      let batch = open.get(kind);
      if (batch === undefined || batch.day !== day || batch.calls >= mostCalls || !isNear(batch, at)) {
        const none = { calls: 0, counted: 0, statuses: new Set<number>(), lines: new Lines(), sealed: false };
        batch = { id: randomUUID(), activationId, keyId, day, test, fromMs: at, toMs: at, ...none };
        open.set(kind, batch);
        batches.push(batch);
      }
      batch.calls += 1;
      if (entry.counted) batch.counted += 1;
      if (at < batch.fromMs) batch.fromMs = at;
      if (at > batch.toMs) batch.toMs = at;
      batch.statuses.add(entry.status);
      batch.lines.add(lineOf(entry));
      return batch;
    },
    take: () => {
      const taken = batches;
      for (const batch of taken) batch.sealed = true;
      batches = [];
      open = new Map();
      return taken;
    },
  };
}

function isNear({ fromMs, toMs }: Batch, at: number): boolean {
  return Math.max(toMs, at) - Math.min(fromMs, at) <= longestMs;
}

/** A call's line of its batch. */
export function lineOf(entry: Entry): string {
  return writeCallLine({
    requestId: entry.requestId,
    at: entry.at,
    method: entry.method,
    path: maskPath(entry.target),
    status: entry.status,
    latencyMs: Math.max(0, Math.round(entry.latencyMs)),
    counted: entry.counted,
    reason: entry.reason,
  });
}
