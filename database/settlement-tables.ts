import type { ColumnType, Generated } from 'kysely';
import type { SettlementStatus } from '#domain/settlement.ts';
import type { Fixed } from './fixed-column.ts';

/** The payment provider's settlements, and how far they were read. */
export interface SettlementTables {
  settlements: {
    settlement_id: Fixed<string>;
    amount_paise: Fixed<number>;
    status: SettlementStatus;
    utr: string | null;
    created_at: Fixed<Date>;
    read_at: Date;
  };
  settlement_items: {
    id: ColumnType<number, never, never>;
    entity_id: Fixed<string>;
    settlement_id: string | null;
    type: Fixed<string>;
    debit_paise: number;
    credit_paise: number;
    amount_paise: number;
    fee_paise: number;
    tax_paise: number;
    currency: Fixed<string>;
    on_hold: boolean;
    settled_at: Date | null;
    payment_id: string | null;
    order_id: string | null;
    dispute_id: string | null;
    description: string | null;
    created_at: Fixed<Date>;
    booked_at: Date | null;
    returned_at: Generated<Date | null>;
  };
  settlement_reading: {
    only_row: Generated<boolean>;
    read_until: string | null;
    compared_at: Date | null;
    differences: number;
  };
}
