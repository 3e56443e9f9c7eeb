import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { StoredStatus } from '#domain/cycle.ts';
import type { Month } from '#domain/month.ts';
import type { RemittanceKind } from '#domain/remittance.ts';
import type { RefundPayout } from '#domain/refund-payout.ts';
import type { PlanTerms } from '#domain/plan.ts';
import type { LetterType } from '#domain/tax-claim.ts';
import type { SupportAuthor, SupportChannel, SupportStatus } from '#domain/support-thread.ts';
import type { TdsSection, TdsStatus } from '#domain/tds.ts';
import type { CatalogTables } from './catalog-tables.ts';
import type { DocumentTables } from './document-tables.ts';
import type { Fixed } from './fixed-column.ts';
import type { GatewayTables } from './gateway-tables.ts';
import type { LedgerTables } from './ledger-tables.ts';
import type { OperatorTables } from './operator-tables.ts';
import type { PeriodLockTables } from './period-lock-tables.ts';
import type { OrderTables } from './order-tables.ts';
import type { RoundTables } from './round-tables.ts';
import type { SettlementTables } from './settlement-tables.ts';
import type { TaxClaimTables } from './tax-claim-tables.ts';
import type { WebhookTables } from './webhook-tables.ts';

export interface Tables
  extends
    CatalogTables,
    DocumentTables,
    GatewayTables,
    LedgerTables,
    OperatorTables,
    OrderTables,
    PeriodLockTables,
    RoundTables,
    SettlementTables,
    TaxClaimTables,
    WebhookTables {
  customers: {
    id: Fixed<string>;
    google_sub: Fixed<string>;
    email: string;
    name: string;
    given_name: string;
    family_name: string;
    picture: string;
    created_at: Fixed<Date>;
    mails_off: Generated<string[]>;
    blocked_at: Generated<Date | null>;
    blocked_reason: Generated<string | null>;
    erased_at: Generated<Date | null>;
    sez_searched_on: Generated<string | null>;
    sez_searches: Generated<number>;
  };
  profiles: {
    customer_id: Fixed<string>;
    legal_name: string;
    phone: string;
    gstin: string | null;
    address: string;
    city: string;
    pin: string;
    state_code: string;
    sez: boolean;
    country: string;
    purchase_order: string | null;
    purchase_order_date: string | null;
    updated_at: Date;
  };
  sessions: {
    token_hash: Fixed<Buffer>;
    customer_id: Fixed<string>;
    created_at: Fixed<Date>;
    last_used_at: Date;
    expires_at: Fixed<Date>;
  };
  sign_in_nonces: { nonce_hash: Fixed<Buffer>; expires_at: Fixed<Date> };
  activations: {
    id: Fixed<string>;
    customer_id: Fixed<string>;
    service_id: Fixed<string>;
    created_at: Fixed<Date>;
    deleted_at: Date | null;
  };
  cycles: {
    id: Fixed<string>;
    activation_id: Fixed<string>;
    customer_id: Fixed<string>;
    service_id: Fixed<string>;
    status: StoredStatus;
    from_date: string;
    to_date: string;
    plan: JSONColumnType<PlanTerms, string, never>;
    tenure: Fixed<string>;
    price_paise: number;
    daily_quota: Fixed<number>;
    monthly_quota: Fixed<number>;
    rps: Fixed<number>;
    /** The cycle whose quota it adds to: it is a pack. */
    adds_to: Fixed<string | null>;
    granted_reason: Generated<string | null>;
    created_at: Fixed<Date>;
    paid_at: Date | null;
    ended_at: Date | null;
    replaces: Fixed<string | null>;
  };
  payment_orders: {
    id: Fixed<string>;
    cycle_id: Fixed<string>;
    activation_id: Fixed<string>;
    customer_id: Fixed<string>;
    provider_order_id: string | null;
    amount_paise: Fixed<number>;
    currency: Fixed<string>;
    status: 'CREATING' | 'OPEN' | 'PAID' | 'CLOSED';
    claimed_until: Date | null;
    checks: Generated<number>;
    next_check_at: Date | null;
    created_at: Fixed<Date>;
    purchase_order: string | null;
    purchase_order_date: string | null;
  };
  payments: {
    provider_payment_id: Fixed<string>;
    order_id: Fixed<string>;
    cycle_id: Fixed<string>;
    customer_id: Fixed<string>;
    amount_paise: Fixed<number>;
    currency: Fixed<string>;
    status: 'created' | 'authorized' | 'captured' | 'failed';
    method: string;
    error_description: string | null;
    created_at: Fixed<Date>;
    captured_at: Date | null;
    use: 'CYCLE' | 'REFUND' | null;
    fee_paise: Generated<number | null>;
    fee_tax_paise: Generated<number | null>;
  };
  refunds: {
    id: Fixed<string>;
    payment_id: Fixed<string>;
    cycle_id: Fixed<string>;
    customer_id: Fixed<string>;
    amount_paise: Fixed<number>;
    reason: Fixed<string>;
    status: 'STARTED' | 'PENDING' | 'PROCESSED' | 'FAILED';
    provider_refund_id: string | null;
    attempt: Generated<number>;
    tries: Generated<number>;
    next_try_at: Generated<Date | null>;
    created_at: Fixed<Date>;
    settled_at: Date | null;
    origin: Fixed<'PORTAL' | 'OPERATOR' | 'EXCESS_TAX' | 'CORRECTION' | 'TDS' | 'PROVIDER' | 'DISPUTE'>;
    of_replaced: Generated<boolean>;
    foreign_id: Fixed<string | null>;
    covers_paise: Fixed<number>;
    covered_paise: Generated<number>;
    payout: Generated<RefundPayout>;
    utr: Generated<string | null>;
    transferred_on: Generated<string | null>;
    refused_at: Generated<Date | null>;
    refusal: Generated<string | null>;
    loss_paise: Generated<number>;
  };
  accountants: {
    id: Fixed<string>;
    customer_id: Fixed<string>;
    email: Fixed<string>;
    asked_at: Fixed<Date>;
    confirmed_at: Date | null;
    next_month: Month | null;
    ended_at: Date | null;
    ended_by: 'CUSTOMER' | 'ACCOUNTANT' | null;
  };
  tds_claims: {
    id: Fixed<string>;
    customer_id: Fixed<string>;
    cycle_id: Fixed<string>;
    invoice_id: Fixed<string>;
    tan: Fixed<string>;
    section: Fixed<TdsSection>;
    quarter: Fixed<string>;
    amount_paise: Fixed<number>;
    certificate_name: Fixed<string>;
    certificate_type: Fixed<LetterType>;
    certificate_bytes: Fixed<number>;
    certificate: Fixed<Buffer>;
    certificate_sha256: Fixed<Buffer>;
    declared_on: Fixed<string>;
    declared_at: Fixed<Date>;
    status: Generated<TdsStatus>;
    decided_at: Date | null;
    reason: string | null;
    refund_id: string | null;
  };
  remittance_proofs: {
    payment_id: Fixed<string>;
    kind: RemittanceKind;
    reference: string;
    received_on: string;
    currency: string;
    amount: string;
    recorded_at: Date;
  };
  letters_of_undertaking: { arn: Fixed<string>; from_date: string; last_date: string };
  provider_looks: {
    list: Fixed<'refunds' | 'disputes'>;
    looked_until: Date | null;
    next_look_at: Generated<Date>;
  };
  webhook_inbox: {
    meaning: Fixed<Buffer>;
    event: Fixed<string>;
    body: JSONColumnType<object, string, never>;
    received_at: Fixed<Date>;
    next_try_at: Date | null;
    tries: Generated<number>;
    processed_at: Date | null;
    fault: string | null;
  };
  /** Further documents that a mail attaches, from the second on. */
  mail_documents: { mail_id: Fixed<string>; place: Fixed<number>; document_id: Fixed<string> };
  mails: {
    id: Fixed<string>;
    dedupe_key: Fixed<string>;
    /** Null: to the provider's own accountant. */
    customer_id: Fixed<string | null>;
    recipient: Fixed<string>;
    subject: Fixed<string>;
    body_text: string;
    body_html: string;
    document_id: Fixed<string | null>;
    accountant_id: Fixed<string | null>;
    pack_month: Fixed<Month | null>;
    stop_path: Fixed<string | null>;
    thread_id: Fixed<string | null>;
    reply_to: Fixed<string | null>;
    created_at: Fixed<Date>;
    sent_at: Date | null;
  };
  api_keys: {
    id: Fixed<string>;
    activation_id: Fixed<string>;
    customer_id: Fixed<string>;
    name: Fixed<string>;
    key_hash: Fixed<Buffer>;
    hint: Fixed<string>;
    prefix: Fixed<string | null>;
    created_at: Fixed<Date>;
    revoked_at: Date | null;
    test: ColumnType<boolean, boolean | undefined, never>;
    expires_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
    allowed_ips: ColumnType<string[], string[] | undefined, string[]>;
    daily_cap: ColumnType<number | null, number | null | undefined, number | null>;
    replaced_by: ColumnType<string | null, undefined, string>;
  };
  support_threads: {
    id: Fixed<string>;
    customer_id: Fixed<string>;
    activation_id: Fixed<string | null>;
    subject: Fixed<string>;
    status: Generated<SupportStatus>;
    created_at: Fixed<Date>;
    changed_at: Date;
    read_at: Date | null;
    customer_token: Generated<string>;
    provider_token: Generated<string>;
  };
  support_messages: {
    id: Fixed<string>;
    thread_id: Fixed<string>;
    customer_id: Fixed<string>;
    author: Fixed<SupportAuthor>;
    channel: Fixed<SupportChannel>;
    written_by: Fixed<string | null>;
    mail_hash: Fixed<Buffer | null>;
    left_out: Fixed<number>;
    message: Fixed<string>;
    created_at: Fixed<Date>;
  };
  portal_settings: { only_row: Generated<boolean>; given: Record<string, string | true>; recorded_at: Date };
  installation_secrets: { name: Fixed<string>; secret: Fixed<Buffer> };
  installation: { only_row: Fixed<boolean>; is_rehearsal: Fixed<boolean> };
  clock: { only_row: Fixed<boolean>; offset_ms: number; reached_day: string | null };
}
