import type { ColumnType } from 'kysely';
import type { ColumnsRead, Fixed } from './fixed-column.ts';

/** A column that the database sets itself. */
type SetByDatabase<Value> = ColumnType<Value, never, never>;
type Written<Value> = ColumnType<Value, Value, never>;

/** What operators did. */
export interface OperatorTables {
  operator_actions: {
    position: SetByDatabase<number>;
    acted_at: SetByDatabase<Date>;
    actor: Written<string>;
    action: Written<string>;
    target: Written<string>;
    customer_id: Written<string | null>;
    reason: Written<string>;
    effect: ColumnType<object, string, never>;
    hash: SetByDatabase<Buffer>;
  };
  /** Units added to the quota of a cycle. */
  quota_raises: {
    id: SetByDatabase<number>;
    cycle_id: Written<string>;
    customer_id: Written<string>;
    units: Written<number>;
    reason: Written<string>;
    made_at: Written<Date>;
  };
  /** Customers who ask to be erased. */
  erasure_requests: {
    id: Written<string>;
    customer_id: Written<string>;
    asked_at: Written<Date>;
    ended_at: ColumnType<Date | null, never, Date>;
    outcome: ColumnType<'WITHDRAWN' | 'ERASED' | null, never, 'WITHDRAWN' | 'ERASED'>;
  };
  /** What a doctor that a timer starts has found. */
  doctor_runs: {
    place: Fixed<string>;
    examined_at: Date;
    complaints: ColumnType<Record<string, 'warning' | 'fault'>, string, string>;
  };
  /** Written only by its trigger. */
  operator_head: ColumnsRead<{ only_row: boolean; position: number; hash: Buffer }>;
}
