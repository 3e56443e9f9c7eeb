import type { CallCost } from '#shared/domain/operation.ts';
import type { BookLease, QuotaBook } from '#gateway/quota/book.ts';
import type { HeldUnits } from '#gateway/quota/held-units.ts';
import type { AccessCycle, KeyAccess } from './access-cache.ts';

/** An admitted call holds units of its lease, which must be used or given back. */
export interface AdmittedCall {
  access: KeyAccess;
  cycle: AccessCycle;
  book: QuotaBook;
  lease: BookLease;
  cost: CallCost;
  held: HeldUnits;
  dayEndsAt: number;
}
