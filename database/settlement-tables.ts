import type { ColumnType, Generated } from 'kysely';
import type { DisputeStatus } from '#domain/dispute.ts';
import type { SettlementStatus } from '#domain/settlement.ts';
import type { Fixed } from './fixed-column.ts';

/** The payment provider's settlements, how far they were read, and disputes. */
export interface SettlementTables {
  disputes: {
    provider_dispute_id: Fixed<string>;
    payment_id: Fixed<string>;
    cycle_id: Fixed<string>;
    customer_id: Fixed<string>;
    amount_paise: number;
    phase: string;
    reason: string;
    status: DisputeStatus;
    respond_by: Date | null;
    created_at: Fixed<Date>;
    ended_at: Date | null;
    next_check_at: Date | null;
    held_paise: Generated<number>;
    deducted_paise: Generated<number>;
    loss_paise: Generated<number>;
    submitted_at: Generated<Date | null>;
  };
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
