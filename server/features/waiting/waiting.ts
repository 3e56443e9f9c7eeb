import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { type WaitingKind, waitingKinds } from '#shared/contract/operator/waiting.ts';
import type { Db } from '#shared/database/connect.ts';
import { customerReads } from './customers.ts';
import type { Reads } from './found.ts';
import { installationReads } from './installation.ts';
import { moneyReads } from './money.ts';

const reads: Reads<WaitingKind> = { ...moneyReads, ...customerReads, ...installationReads };

/** Counting all of a long kind would read all of it, at each look. */
const mostCounted = 100;

/** Everything that waits for an operator: the most urgent of each kind, and how many there are. */
export async function listWaiting(
  db: Db,
  nowMs: number,
  { kind: wanted, limit }: { kind?: WaitingKind | undefined; limit: number },
): Promise<OperatorReply<'listWaiting'>['kinds']> {
  const kinds = wanted === undefined ? waitingKinds : [wanted];
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const most = Math.max(limit, mostCounted);
      const items = await reads[kind](db, nowMs, most + 1);
      return {
        kind,
        count: Math.min(items.length, most),
        hasMore: items.length > most,
        waiting: items.slice(0, limit),
      };
    }),
  );
  return found.filter(({ count }) => count > 0);
}
