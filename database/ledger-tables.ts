import type { ColumnType, JSONColumnType } from 'kysely';
import type { Account, EntryKind } from '#domain/ledger.ts';
import type { ColumnsRead, Fixed } from './fixed-column.ts';

/** The ledger and the seals, each a chain of hashes, and what their checks found. */
export interface LedgerTables {
  ledger_entries: {
    id: Fixed<string>;
    kind: Fixed<EntryKind>;
    payment_id: Fixed<string | null>;
    refund_id: Fixed<string | null>;
    cycle_id: Fixed<string | null>;
    customer_id: Fixed<string | null>;
    currency: Fixed<string>;
    posted_at: Fixed<Date>;
    /** Set by the database at the commit. */
    position: ColumnType<number | null, never, never>;
    hash: ColumnType<Buffer | null, never, never>;
  };
  ledger_lines: { entry_id: Fixed<string>; account: Fixed<Account>; amount_paise: Fixed<number> };
  ledger_head: ColumnsRead<{ only_row: boolean; position: number; hash: Buffer; posted_at: Date }>;
  /** Written by triggers: a hash of each state of a record, in a chain. */
  record_seals: ColumnsRead<{
    id: number;
    /** The table of the record. */
    kind: string;
    record_id: string;
    customer_id: string | null;
    content: Buffer | null;
    /** Hashes of what of the record can't change any more, one for each step that it has taken. */
    fixed: Buffer | null;
    sealed_at: Date;
    position: number | null;
    hash: Buffer | null;
  }>;
  seal_head: ColumnsRead<{ only_row: boolean; position: number; hash: Buffer }>;
  ledger_checks: {
    only_row: Fixed<boolean>;
    checked_at: Date;
    position: number;
    hash: Buffer;
    faults: JSONColumnType<string[]>;
    failure: string | null;
    whole_checked_at: Date | null;
    whole_faults: ColumnType<string[], string | undefined, string>;
    whole_failure: string | null;
  };
}
