import type { Db, Tx } from '#shared/database/connect.ts';
import { keptOf } from '#shared/domain/cycle-end.ts';
import type { Day } from '#shared/domain/day.ts';
import { leftOf } from '#shared/domain/refund-payout.ts';
import type { Owner } from '#server/portal.ts';
import { endingOf, readEnd } from './end-cycle.ts';
import type { CycleRecord, CycleRow } from './store.ts';

/** A pack of a plan that the customer paid for and did not get back: the plan doesn't end by the operator while it has one. */
export const findPaidPack = ({ packs }: CycleRecord): string | undefined =>
  packs.find(({ row }) => row.status === 'PAID' && leftOf(endingOf(row)) > 0)?.row.id;

/** A paid pack that ends with its plan: what is given back, of its own payment, and what of its price is lost. */
export interface PackEnd {
  cycleId: string;
  name: string;
  amountPaise: number;
  lostPaise: number;
  isTransfer: boolean;
}

export const givenBackOf = (packs: readonly PackEnd[]): number =>
  packs.reduce((sum, { amountPaise }) => sum + amountPaise, 0);

/** The paid packs that end with a plan of which all is refunded. */
export async function packsEnding(owner: Owner, db: Db | Tx, cycle: CycleRow, today: Day): Promise<PackEnd[]> {
  const end = await readEnd(owner, db, cycle, 'refunded', today);
  const paid = end?.packs.filter(({ status }) => status !== 'REMOVED') ?? [];
  return paid.map((pack) => ({
    cycleId: pack.id,
    name: pack.planName,
    amountPaise: pack.refundPaise - pack.withheldPaise,
    lostPaise: keptOf(pack),
    isTransfer: pack.transferPaise > 0,
  }));
}
