import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { TrialBalance } from '#domain/trial-balance.ts';
import type { Fixed } from './fixed-column.ts';

/** Months of the books that were locked and unlocked. */
export interface PeriodLockTables {
  period_locks: {
    id: Generated<number>;
    month: Fixed<string>;
    action: Fixed<'LOCK' | 'UNLOCK'>;
    reason: Fixed<string>;
    operator: Fixed<string>;
    recorded_at: ColumnType<Date, never, never>;
    trial_balance: JSONColumnType<TrialBalance, never> | null;
  };
}
