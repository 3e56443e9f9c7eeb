import type { ColumnsRead, Fixed } from './fixed-column.ts';

type LoggedBatch = ColumnsRead<{
  id: string;
  activation_id: string;
  key_id: string;
  day: string;
  test: boolean;
  from_at: Date;
  to_at: Date;
  calls: number;
  counted: number;
  statuses: number[];
  dictionary: string;
  records: Buffer;
  problems: unknown;
}>;

/** Tables of the gateways: quotas and their leases, calls counted and logged. */
export interface GatewayTables {
  /** Written only by take_test_call. */
  test_calls: ColumnsRead<{ customer_id: string; service_id: string; day: string; calls: number }>;
  /** Written only by count_repeatable. */
  counted_responses: ColumnsRead<{
    activation_id: string;
    response_id: string;
    key_hash: Buffer;
    counted_by: string;
    counted_at: Date;
    awaits_first: boolean;
    given_again: boolean;
  }>;
  quota_days: { activation_id: Fixed<string>; day: Fixed<string>; taken: number };
  quota_cycles: { cycle_id: Fixed<string>; taken: number };
  free_quota_days: {
    customer_id: Fixed<string>;
    service_id: Fixed<string>;
    day: Fixed<string>;
    quota: number;
    taken: number;
  };
  free_quota_windows: {
    customer_id: Fixed<string>;
    service_id: Fixed<string>;
    from_date: Fixed<string>;
    to_date: Fixed<string>;
    quota: number;
    taken: number;
  };
  gateways: {
    journal_id: Fixed<string>;
    started_at: Date;
    lease_until: Date;
    seen_version: number;
    unconfirmed_changes: number;
    catalog_version: number | null;
    prepared_version: number | null;
    catalog_fault: string | null;
  };
  access_changes: { version: Fixed<number>; changed_at: Fixed<Date> };
  leases: {
    journal_id: Fixed<string>;
    activation_id: Fixed<string>;
    cycle_id: Fixed<string>;
    day: Fixed<string>;
    key_id: Fixed<string>;
    held: number;
  };
  journals: { id: Fixed<string>; position: number };
  usage_counts: {
    activation_id: Fixed<string>;
    cycle_id: Fixed<string>;
    key_id: Fixed<string>;
    day: Fixed<string>;
    status_class: Fixed<number>;
    counted: Fixed<boolean>;
    calls: number;
    /** Units of quota that its counted calls used. */
    units: number;
    last_at: Date;
  };
  /** Partitioned by day. */
  request_log: LoggedBatch;
  key_clients: {
    key_id: Fixed<string>;
    network: Fixed<string>;
    address: string;
    client: string;
    first_at: Fixed<Date>;
    last_at: Date;
    announced: boolean;
  };
}
