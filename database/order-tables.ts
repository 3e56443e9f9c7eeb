import type { ColumnsRead, Fixed } from './fixed-column.ts';

/** The cycles that orders cover and payments paid for, and payments that are not settled. */
export interface OrderTables {
  order_cycles: {
    order_id: Fixed<string>;
    cycle_id: Fixed<string>;
    activation_id: Fixed<string>;
    customer_id: Fixed<string>;
    place: Fixed<number>;
    amount_paise: Fixed<number>;
    live: boolean;
  };
  cycle_payments: ColumnsRead<{
    provider_payment_id: string;
    order_id: string;
    cycle_id: string;
    customer_id: string;
    place: number;
    amount_paise: number;
    currency: string;
    captured_at: Date;
  }>;
  unsettled_payments: {
    payment_id: Fixed<string>;
    order_id: Fixed<string>;
    amount_paise: Fixed<number>;
    since: Fixed<Date>;
    tries: number;
    fault: string;
  };
}
