import type { ColumnType, Generated } from 'kysely';
import type { Fixed } from './fixed-column.ts';

/** Tables of webhooks and their deliveries. */
export interface WebhookTables {
  webhooks: {
    id: Fixed<string>;
    customer_id: Fixed<string>;
    url: string;
    events: string[];
    secret: Buffer;
    old_secret: Buffer | null;
    old_secret_until: Date | null;
    /** Those before the old one, while their own overlaps last. */
    older_secrets: ColumnType<{ hex: string; until: string }[], undefined, string>;
    created_at: Fixed<Date>;
    disabled_at: Date | null;
    disabled_reason: 'OWNER' | 'FAILING' | 'GONE' | null;
    failing_since: Date | null;
  };
  webhook_events: {
    id: Fixed<string>;
    customer_id: Fixed<string>;
    type: Fixed<string>;
    body: Fixed<string>;
    created_at: Fixed<Date>;
  };
  webhook_deliveries: {
    id: Fixed<string>;
    webhook_id: Fixed<string>;
    event_id: Fixed<string>;
    customer_id: Fixed<string>;
    status: 'PENDING' | 'DELIVERED' | 'FAILED';
    created_at: Fixed<Date>;
    tries: Generated<number>;
    next_try_at: Date | null;
    tried_at: Date | null;
    duration_ms: number | null;
    response_status: number | null;
    response_start: string | null;
    fault: string | null;
  };
  webhook_attempts: {
    delivery_id: Fixed<string>;
    attempt: Fixed<number>;
    at: Fixed<Date>;
    duration_ms: Fixed<number>;
    response_status: Fixed<number | null>;
    response_start: Fixed<string | null>;
    fault: Fixed<string | null>;
  };
}
