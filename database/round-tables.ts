import type { ColumnType } from 'kysely';
import type { ColumnsRead, Fixed } from './fixed-column.ts';

/** Written by triggers for rounds, so that a round reads only what is due. */
export interface RoundTables {
  customer_changes: { reader: Fixed<string>; customer_id: Fixed<string>; tx: ColumnType<string, never, never> };
  daily_rounds: { name: Fixed<string>; day: string };
  /** Written by `runStep`; an empty item is the step as a whole. */
  failed_work: {
    step: Fixed<string>;
    item: Fixed<string>;
    failures: number;
    since: Fixed<Date>;
    failed_at: Date;
    retry_at: Date;
    error: string;
  };
  open_vouchers: ColumnsRead<{ document_id: string; cycle_id: string; from_date: string }>;
  quota_crossings: { cycle_id: Fixed<string>; day: Fixed<string | null>; percent: Fixed<number> };
}
