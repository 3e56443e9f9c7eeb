-- The result of all migrations. Generated from PostgreSQL’s catalogues by: npm run schema

-- extensions

create extension btree_gist;

-- types

create type cycle_status as enum ('PAYMENT_PENDING', 'PAID', 'NO_PAYMENT_REQUIRED', 'DEACTIVATED', 'REMOVED', 'REFUNDED');

create type document_kind as enum ('INVOICE', 'RECEIPT_VOUCHER', 'REFUND_VOUCHER', 'CREDIT_NOTE');

-- tables

create table access_changes (
  version bigint not null,
  changed_at timestamp with time zone not null,
  constraint access_changes_pkey PRIMARY KEY (version)
);

create table accountants (
  id text not null,
  customer_id text not null,
  email text not null,
  asked_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  next_month text,
  ended_at timestamp with time zone,
  ended_by text,
  constraint accountants_pkey PRIMARY KEY (id),
  constraint accountants_check CHECK (((confirmed_at IS NULL) = (next_month IS NULL))),
  constraint accountants_check1 CHECK (((ended_at IS NULL) = (ended_by IS NULL))),
  constraint accountants_check2 CHECK (((confirmed_at >= asked_at) AND (ended_at >= asked_at))),
  constraint accountants_email_check CHECK (((email = lower(email)) AND (email ~ '^[^[:space:]@<>,;"]+@[^[:space:]@<>,;"]+$'::text) AND (length(email) <= 254))),
  constraint accountants_ended_by_check CHECK ((ended_by = ANY (ARRAY['CUSTOMER'::text, 'ACCOUNTANT'::text]))),
  constraint accountants_id_check CHECK ((id ~~ 'ACN-%'::text)),
  constraint accountants_next_month_check CHECK ((next_month ~ '^\d{4}-(0[1-9]|1[0-2])$'::text)),
  constraint accountants_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

create table activations (
  id text not null,
  customer_id text not null,
  service_id text not null,
  created_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint activations_pkey PRIMARY KEY (id),
  constraint activations_id_customer_id_key UNIQUE (id, customer_id),
  constraint activations_id_check CHECK ((id ~~ 'ACT-%'::text)),
  constraint activations_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

create table amendment_files (
  document_id text not null,
  pdf bytea,
  pdf_sha256 bytea not null,
  made_at timestamp with time zone not null,
  place text,
  bytes integer,
  constraint amendment_files_pkey PRIMARY KEY (document_id),
  constraint amendment_files_bytes_check CHECK ((bytes > 0)),
  constraint amendment_files_check CHECK ((pdf_sha256 = sha256(pdf))),
  constraint amendment_files_hash_check CHECK ((length(pdf_sha256) = 32)),
  constraint amendment_files_one_place CHECK ((((pdf IS NULL) = (place IS NOT NULL)) AND ((pdf IS NULL) = (bytes IS NOT NULL)))),
  constraint amendment_files_place_check CHECK ((place <> ''::text)),
  constraint amendment_files_document_id_fkey FOREIGN KEY (document_id) REFERENCES amendments(document_id)
);

create table amendments (
  document_id text not null,
  customer_id text not null,
  amended_at timestamp with time zone not null,
  amended_on date not null,
  content jsonb not null,
  constraint amendments_pkey PRIMARY KEY (document_id),
  constraint amendments_check CHECK ((amended_on = ((amended_at AT TIME ZONE 'Asia/Kolkata'::text))::date)),
  constraint amendments_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint amendments_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents(id)
);

create table api_keys (
  id text not null,
  activation_id text not null,
  customer_id text not null,
  name text not null,
  key_hash bytea not null,
  hint text not null,
  created_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  test boolean not null default false,
  expires_at timestamp with time zone,
  allowed_ips inet[] not null default '{}'::inet[],
  daily_cap integer,
  replaced_by text,
  prefix text,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_id_activation_id_key UNIQUE (id, activation_id),
  constraint api_keys_key_hash_key UNIQUE (key_hash),
  constraint api_keys_allowed_ips_check CHECK ((cardinality(allowed_ips) <= 50)),
  constraint api_keys_check CHECK ((expires_at > created_at)),
  constraint api_keys_check1 CHECK (((NOT test) OR (daily_cap IS NULL))),
  constraint api_keys_check2 CHECK (((replaced_by IS NULL) OR (expires_at IS NOT NULL) OR (revoked_at IS NOT NULL))),
  constraint api_keys_daily_cap_check CHECK ((daily_cap > 0)),
  constraint api_keys_hint_check CHECK ((length(hint) = 4)),
  constraint api_keys_id_check CHECK ((id ~~ 'KEY-%'::text)),
  constraint api_keys_key_hash_check CHECK ((length(key_hash) = 32)),
  constraint api_keys_name_check CHECK ((name ~ '^[a-z0-9]{1,5}$'::text)),
  constraint api_keys_prefix_check CHECK ((prefix ~ '^gstk_(live|test)_[0-9A-Za-z]{6}$'::text)),
  constraint api_keys_activation_id_customer_id_fkey FOREIGN KEY (activation_id, customer_id) REFERENCES activations(id, customer_id),
  constraint api_keys_replaced_by_activation_id_fkey FOREIGN KEY (replaced_by, activation_id) REFERENCES api_keys(id, activation_id) DEFERRABLE INITIALLY DEFERRED
);

create table catalog_files (
  sha256 bytea not null,
  content bytea not null,
  constraint catalog_files_pkey PRIMARY KEY (sha256),
  constraint catalog_files_check CHECK ((sha256 = sha256(content)))
);

create table catalog_version_files (
  version integer not null,
  path text not null,
  sha256 bytea not null,
  constraint catalog_version_files_pkey PRIMARY KEY (version, path),
  constraint catalog_version_files_path_check CHECK (((path ~ '^[A-Za-z0-9_][A-Za-z0-9_ .-]*(/[A-Za-z0-9_][A-Za-z0-9_ .-]*)*$'::text) AND (length(path) <= 200))),
  constraint catalog_version_files_sha256_fkey FOREIGN KEY (sha256) REFERENCES catalog_files(sha256),
  constraint catalog_version_files_version_fkey FOREIGN KEY (version) REFERENCES catalog_versions(version)
);

create table catalog_versions (
  version integer not null,
  sha256 bytea not null,
  created_at timestamp with time zone not null,
  author text not null,
  reason text not null,
  active_from timestamp with time zone,
  constraint catalog_versions_pkey PRIMARY KEY (version),
  constraint catalog_versions_author_check CHECK (((length(author) >= 1) AND (length(author) <= 200))),
  constraint catalog_versions_check CHECK ((active_from >= created_at)),
  constraint catalog_versions_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 1000))),
  constraint catalog_versions_sha256_check CHECK ((octet_length(sha256) = 32))
);

create table clock (
  only_row boolean not null default true,
  offset_ms bigint not null,
  reached_day date,
  constraint clock_pkey PRIMARY KEY (only_row),
  constraint clock_only_row_check CHECK (only_row)
);

create table closed_series (
  series text not null,
  financial_year text not null,
  closed_at timestamp with time zone not null,
  reason text not null,
  constraint closed_series_pkey PRIMARY KEY (series, financial_year),
  constraint closed_series_financial_year_check CHECK ((financial_year ~ '^\d{4}-\d{2}$'::text)),
  constraint closed_series_reason_check CHECK ((reason <> ''::text)),
  constraint closed_series_series_fkey FOREIGN KEY (series) REFERENCES document_series_forms(name)
);

create table counted_responses (
  activation_id text not null,
  response_id text not null,
  key_hash bytea not null,
  counted_by text not null,
  counted_at timestamp with time zone not null default clock_timestamp(),
  awaits_first boolean not null,
  given_again boolean not null default false,
  constraint counted_responses_pkey PRIMARY KEY (activation_id, response_id),
  constraint counted_responses_key_hash_check CHECK ((octet_length(key_hash) = 32)),
  constraint counted_responses_response_id_check CHECK (is_request_id(response_id)),
  constraint counted_responses_activation_id_fkey FOREIGN KEY (activation_id) REFERENCES activations(id)
);

create table customer_changes (
  reader text not null,
  customer_id text not null,
  tx xid8 not null default pg_current_xact_id(),
  constraint customer_changes_pkey PRIMARY KEY (reader, customer_id, tx)
);

create table customers (
  id text not null,
  google_sub text not null,
  email text not null,
  name text not null,
  given_name text not null,
  family_name text not null,
  picture text not null,
  created_at timestamp with time zone not null,
  mails_off text[] not null default '{}'::text[],
  blocked_at timestamp with time zone,
  blocked_reason text,
  erased_at timestamp with time zone,
  sez_searched_on date,
  sez_searches integer not null default 0,
  constraint blocks_are_recorded TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint erasures_are_recorded TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint customers_pkey PRIMARY KEY (id),
  constraint customers_google_sub_key UNIQUE (google_sub),
  constraint customers_blocked_reason_check CHECK (((length(btrim(blocked_reason)) >= 1) AND (length(btrim(blocked_reason)) <= 1000))),
  constraint customers_check CHECK (((blocked_at IS NULL) = (blocked_reason IS NULL))),
  constraint customers_id_check CHECK ((id ~~ 'CUS-%'::text)),
  constraint customers_mails_off_check CHECK ((mails_off <@ ARRAY['cycle.ending'::text, 'quota.reached'::text, 'payment.failed'::text, 'refund.completed'::text, 'webhook.disabled'::text, 'support.answered'::text])),
  constraint customers_sez_searches_check CHECK (((sez_searches >= 0) AND (sez_searches <= 10)))
);

create table cycles (
  id text not null,
  activation_id text not null,
  customer_id text not null,
  service_id text not null,
  status cycle_status not null,
  from_date date not null,
  to_date date not null,
  plan jsonb not null,
  tenure text not null,
  price_paise bigint not null,
  daily_quota integer not null,
  monthly_quota integer not null,
  rps integer not null,
  created_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  ended_at timestamp with time zone,
  replaces text,
  adds_to text,
  granted_reason text,
  constraint cycles_are_paid TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint grants_are_recorded TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint packs_end_with_cycle TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint cycles_pkey PRIMARY KEY (id),
  constraint cycles_id_activation_id_customer_id_key UNIQUE (id, activation_id, customer_id),
  constraint cycles_never_overlap EXCLUDE USING gist (activation_id WITH =, daterange(from_date, to_date) WITH &&) WHERE (((status = ANY (ARRAY['PAID'::cycle_status, 'NO_PAYMENT_REQUIRED'::cycle_status])) AND (adds_to IS NULL))),
  constraint cycles_adds_to_check CHECK (((adds_to IS NULL) OR ((adds_to <> id) AND (replaces IS NULL) AND (status <> 'NO_PAYMENT_REQUIRED'::cycle_status) AND (tenure <> 'TRIAL'::text) AND (daily_quota = monthly_quota) AND (monthly_quota > 0)))),
  constraint cycles_check CHECK ((to_date > from_date)),
  constraint cycles_check1 CHECK (((status <> 'NO_PAYMENT_REQUIRED'::cycle_status) OR (price_paise = 0))),
  constraint cycles_check2 CHECK (((status <> 'PAID'::cycle_status) OR ((price_paise > 0) AND (paid_at IS NOT NULL)))),
  constraint cycles_daily_quota_check CHECK ((daily_quota >= 0)),
  constraint cycles_granted_check CHECK (((granted_reason IS NULL) OR (((length(btrim(granted_reason)) >= 1) AND (length(btrim(granted_reason)) <= 1000)) AND (price_paise = 0) AND (status = ANY (ARRAY['NO_PAYMENT_REQUIRED'::cycle_status, 'DEACTIVATED'::cycle_status])) AND (paid_at IS NULL) AND (adds_to IS NULL) AND (tenure <> 'TRIAL'::text)))),
  constraint cycles_id_check CHECK ((id ~~ 'CYC-%'::text)),
  constraint cycles_monthly_quota_check CHECK ((monthly_quota >= 0)),
  constraint cycles_price_paise_check CHECK ((price_paise >= 0)),
  constraint cycles_replaces_check CHECK ((replaces <> id)),
  constraint cycles_rps_check CHECK ((rps > 0)),
  constraint cycles_activation_id_customer_id_fkey FOREIGN KEY (activation_id, customer_id) REFERENCES activations(id, customer_id),
  constraint cycles_adds_to_fkey FOREIGN KEY (adds_to, activation_id, customer_id) REFERENCES cycles(id, activation_id, customer_id),
  constraint cycles_replaces_fkey FOREIGN KEY (replaces, activation_id, customer_id) REFERENCES cycles(id, activation_id, customer_id)
);

create table daily_rounds (
  name text not null,
  day date not null,
  constraint daily_rounds_pkey PRIMARY KEY (name)
);

create table disputes (
  provider_dispute_id text not null,
  payment_id text not null,
  cycle_id text not null,
  customer_id text not null,
  amount_paise bigint not null,
  phase text not null,
  reason text not null,
  status text not null,
  respond_by timestamp with time zone,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  next_check_at timestamp with time zone,
  held_paise bigint not null default 0,
  deducted_paise bigint not null default 0,
  loss_paise bigint not null default 0,
  submitted_at timestamp with time zone,
  constraint disputes_are_booked TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint disputes_pkey PRIMARY KEY (provider_dispute_id),
  constraint disputes_amount_paise_check CHECK ((amount_paise > 0)),
  constraint disputes_check CHECK (((status = ANY (ARRAY['won'::text, 'lost'::text, 'closed'::text])) = (ended_at IS NOT NULL))),
  constraint disputes_check1 CHECK (((loss_paise >= 0) AND (loss_paise <= deducted_paise))),
  constraint disputes_check2 CHECK (((status = 'lost'::text) OR (deducted_paise = 0))),
  constraint disputes_deducted_paise_check CHECK ((deducted_paise >= 0)),
  constraint disputes_held_paise_check CHECK ((held_paise >= 0)),
  constraint disputes_status_check CHECK ((status = ANY (ARRAY['open'::text, 'under_review'::text, 'won'::text, 'lost'::text, 'closed'::text]))),
  constraint disputes_payment_id_cycle_id_customer_id_fkey FOREIGN KEY (payment_id, cycle_id, customer_id) REFERENCES payments(provider_payment_id, cycle_id, customer_id)
);

create table doctor_runs (
  place text not null,
  examined_at timestamp with time zone not null,
  complaints jsonb not null,
  constraint doctor_runs_pkey PRIMARY KEY (place)
);

create table document_files (
  document_id text not null,
  pdf bytea,
  pdf_sha256 bytea not null,
  made_at timestamp with time zone not null,
  place text,
  bytes integer,
  constraint document_files_pkey PRIMARY KEY (document_id),
  constraint document_files_bytes_check CHECK ((bytes > 0)),
  constraint document_files_check CHECK ((pdf_sha256 = sha256(pdf))),
  constraint document_files_hash_check CHECK ((length(pdf_sha256) = 32)),
  constraint document_files_one_place CHECK ((((pdf IS NULL) = (place IS NOT NULL)) AND ((pdf IS NULL) = (bytes IS NOT NULL)))),
  constraint document_files_place_check CHECK ((place <> ''::text)),
  constraint document_files_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents(id)
);

create table document_series (
  series text not null,
  financial_year text not null,
  last_number integer not null,
  last_issued_at timestamp with time zone not null,
  constraint document_series_used TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint document_series_pkey PRIMARY KEY (series, financial_year),
  constraint document_series_financial_year_check CHECK ((financial_year ~ '^\d{4}-\d{2}$'::text)),
  constraint document_series_last_number_check CHECK ((last_number > 0)),
  constraint document_series_series_fkey FOREIGN KEY (series) REFERENCES document_series_forms(name)
);

create table document_series_forms (
  name text not null,
  kind document_kind not null,
  place integer not null,
  letters text not null,
  digits integer not null,
  last integer not null,
  constraint document_series_forms_pkey PRIMARY KEY (name),
  constraint document_series_forms_kind_place_key UNIQUE (kind, place),
  constraint document_series_forms_letters_key UNIQUE (letters),
  constraint document_series_forms_check CHECK (((last)::double precision = (((10)::double precision ^ (digits)::double precision) - (1)::double precision))),
  constraint document_series_forms_check1 CHECK (((length(letters) + digits) <= 6)),
  constraint document_series_forms_digits_check CHECK (((digits >= 4) AND (digits <= 6))),
  constraint document_series_forms_letters_check CHECK ((letters ~ '^[A-Z]{0,2}$'::text)),
  constraint document_series_forms_place_check CHECK ((place >= 0))
);

create table documents (
  id text not null,
  kind document_kind not null,
  number text not null,
  series text not null,
  financial_year text not null,
  sequence integer not null,
  issued_at timestamp with time zone not null,
  issued_on date not null,
  customer_id text not null,
  cycle_id text not null,
  payment_id text not null,
  refers_to text,
  taxable_paise bigint not null,
  cgst_paise bigint not null,
  sgst_paise bigint not null,
  utgst_paise bigint not null,
  igst_paise bigint not null,
  round_off_paise bigint not null,
  total_paise bigint not null,
  content jsonb not null,
  needs_irn boolean not null,
  constraint documents_are_paid TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint replacements_are_over_what_is_kept TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint documents_pkey PRIMARY KEY (id),
  constraint documents_number_key UNIQUE (number),
  constraint documents_series_financial_year_sequence_key UNIQUE (series, financial_year, sequence),
  constraint documents_cgst_paise_check CHECK ((cgst_paise >= 0)),
  constraint documents_check CHECK ((issued_on = ((issued_at AT TIME ZONE 'Asia/Kolkata'::text))::date)),
  constraint documents_check1 CHECK (((((((taxable_paise + cgst_paise) + sgst_paise) + utgst_paise) + igst_paise) + round_off_paise) = total_paise)),
  constraint documents_check2 CHECK (((kind <> ALL (ARRAY['REFUND_VOUCHER'::document_kind, 'CREDIT_NOTE'::document_kind])) OR (refers_to IS NOT NULL))),
  constraint documents_id_check CHECK ((id ~~ 'DOC-%'::text)),
  constraint documents_igst_paise_check CHECK ((igst_paise >= 0)),
  constraint documents_number_check CHECK ((number ~ '^[A-Za-z0-9][A-Za-z0-9/-]{0,15}$'::text)),
  constraint documents_sgst_paise_check CHECK ((sgst_paise >= 0)),
  constraint documents_taxable_paise_check CHECK ((taxable_paise >= 0)),
  constraint documents_total_paise_check CHECK ((total_paise > 0)),
  constraint documents_utgst_paise_check CHECK ((utgst_paise >= 0)),
  constraint documents_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint documents_cycle_id_fkey FOREIGN KEY (cycle_id) REFERENCES cycles(id),
  constraint documents_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(provider_payment_id),
  constraint documents_refers_to_fkey FOREIGN KEY (refers_to) REFERENCES documents(id),
  constraint documents_series_financial_year_fkey FOREIGN KEY (series, financial_year) REFERENCES document_series(series, financial_year)
);

create table e_invoice_waits (
  document_id text not null,
  since timestamp with time zone not null,
  refused_at timestamp with time zone,
  refused_code text,
  refused_reason text,
  alarmed_at timestamp with time zone,
  closed_at timestamp with time zone,
  constraint e_invoice_waits_pkey PRIMARY KEY (document_id),
  constraint e_invoice_waits_check CHECK ((((refused_at IS NULL) = (refused_code IS NULL)) AND ((refused_at IS NULL) = (refused_reason IS NULL)))),
  constraint e_invoice_waits_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents(id)
);

create table e_invoices (
  document_id text not null,
  irn text not null,
  ack_number text not null,
  ack_at timestamp with time zone not null,
  signed_qr text not null,
  signed_invoice text not null,
  cancelled_at timestamp with time zone,
  cancel_reason text,
  constraint e_invoices_pkey PRIMARY KEY (document_id),
  constraint e_invoices_irn_key UNIQUE (irn),
  constraint e_invoices_check CHECK (((cancelled_at IS NULL) = (cancel_reason IS NULL))),
  constraint e_invoices_irn_check CHECK ((irn ~ '^[0-9a-f]{64}$'::text)),
  constraint e_invoices_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents(id)
);

create table erasure_requests (
  id text not null,
  customer_id text not null,
  asked_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  outcome text,
  constraint erasure_requests_pkey PRIMARY KEY (id),
  constraint erasure_requests_customer_id_excl EXCLUDE USING btree (customer_id WITH =) WHERE ((ended_at IS NULL)),
  constraint erasure_requests_check CHECK (((ended_at IS NULL) = (outcome IS NULL))),
  constraint erasure_requests_check1 CHECK ((ended_at >= asked_at)),
  constraint erasure_requests_id_check CHECK ((id ~~ 'ERQ-%'::text)),
  constraint erasure_requests_outcome_check CHECK ((outcome = ANY (ARRAY['WITHDRAWN'::text, 'ERASED'::text]))),
  constraint erasure_requests_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

create table event_keys (
  dedupe_key text not null,
  customer_id text,
  happened_at timestamp with time zone not null,
  constraint event_keys_pkey PRIMARY KEY (dedupe_key),
  constraint event_keys_check CHECK (((customer_id IS NOT NULL) OR (dedupe_key ~~ 'provider-pack:%'::text))),
  constraint event_keys_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

create table failed_work (
  step text not null,
  item text not null,
  failures integer not null,
  since timestamp with time zone not null,
  failed_at timestamp with time zone not null,
  retry_at timestamp with time zone not null,
  error text not null,
  constraint failed_work_pkey PRIMARY KEY (step, item),
  constraint failed_work_failures_check CHECK ((failures > 0))
);

create table free_quota_days (
  customer_id text not null,
  service_id text not null,
  day date not null,
  quota integer not null,
  taken integer not null default 0,
  constraint free_quota_days_pkey PRIMARY KEY (customer_id, service_id, day),
  constraint free_quota_days_taken_check CHECK ((taken >= 0)),
  constraint free_quota_days_within_quota CHECK ((taken <= quota)),
  constraint free_quota_days_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

create table free_quota_windows (
  customer_id text not null,
  service_id text not null,
  from_date date not null,
  to_date date not null,
  quota integer not null,
  taken integer not null default 0,
  constraint free_quota_windows_pkey PRIMARY KEY (customer_id, service_id, from_date),
  constraint free_quota_windows_never_overlap EXCLUDE USING gist (customer_id WITH =, service_id WITH =, daterange(from_date, to_date) WITH &&),
  constraint free_quota_windows_check CHECK ((to_date > from_date)),
  constraint free_quota_windows_taken_check CHECK ((taken >= 0)),
  constraint free_quota_windows_within_quota CHECK ((taken <= quota)),
  constraint free_quota_windows_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

create table gateways (
  journal_id text not null,
  started_at timestamp with time zone not null,
  lease_until timestamp with time zone not null,
  seen_version bigint not null default 0,
  unconfirmed_changes bigint not null default 0,
  catalog_version integer,
  prepared_version integer,
  catalog_fault text,
  constraint gateways_pkey PRIMARY KEY (journal_id)
);

create table installation_secrets (
  name text not null,
  secret bytea not null,
  constraint installation_secrets_pkey PRIMARY KEY (name)
);

create table journals (
  id text not null,
  "position" bigint not null,
  constraint journals_pkey PRIMARY KEY (id)
);

create table key_clients (
  key_id text not null,
  network inet not null,
  address inet not null,
  client text not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  announced boolean not null default false,
  constraint key_clients_pkey PRIMARY KEY (key_id, network),
  constraint key_clients_check CHECK ((first_at <= last_at)),
  constraint key_clients_check1 CHECK ((network = network_of(address))),
  constraint key_clients_client_check CHECK ((length(client) <= 80))
);

create table leases (
  journal_id text not null,
  activation_id text not null,
  cycle_id text not null,
  day date not null,
  held integer not null,
  key_id text not null default ''::text,
  constraint leases_pkey PRIMARY KEY (journal_id, activation_id, cycle_id, day, key_id),
  constraint leases_activation_id_fkey FOREIGN KEY (activation_id) REFERENCES activations(id),
  constraint leases_cycle_id_fkey FOREIGN KEY (cycle_id) REFERENCES cycles(id),
  constraint leases_journal_id_fkey FOREIGN KEY (journal_id) REFERENCES journals(id)
);

create table ledger_checks (
  only_row boolean not null default true,
  checked_at timestamp with time zone not null,
  "position" bigint not null,
  hash bytea not null,
  faults jsonb not null,
  failure text,
  whole_checked_at timestamp with time zone,
  whole_faults jsonb not null default '[]'::jsonb,
  whole_failure text,
  constraint ledger_checks_pkey PRIMARY KEY (only_row),
  constraint ledger_checks_only_row_check CHECK (only_row)
);

create table ledger_entries (
  id text not null,
  kind text not null,
  payment_id text,
  refund_id text,
  cycle_id text,
  customer_id text,
  currency text not null,
  posted_at timestamp(3) with time zone not null,
  "position" bigint,
  hash bytea,
  constraint ledger_chain TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint ledger_entries_pkey PRIMARY KEY (id),
  constraint ledger_entries_position_key UNIQUE ("position"),
  constraint ledger_entries_check CHECK (((kind ~~ 'REFUND_%'::text) = (refund_id IS NOT NULL))),
  constraint ledger_entries_check1 CHECK ((((payment_id IS NULL) = (cycle_id IS NULL)) AND ((payment_id IS NULL) = (customer_id IS NULL)))),
  constraint ledger_entries_check2 CHECK (((payment_id IS NOT NULL) OR (kind = ANY (ARRAY['SETTLED'::text, 'SETTLEMENT_FAILED'::text])))),
  constraint ledger_entries_hash_check CHECK ((length(hash) = 32)),
  constraint ledger_entries_kind_check CHECK ((kind = ANY (ARRAY['CAPTURED_FOR_CYCLE'::text, 'CAPTURED_FOR_REFUND'::text, 'REFUND_DUE'::text, 'REFUND_PAID'::text, 'SETTLED'::text, 'SETTLEMENT_FAILED'::text, 'DISPUTE_HELD'::text, 'DISPUTE_RELEASED'::text, 'DISPUTE_LOSS'::text]))),
  constraint ledger_entries_position_check CHECK (("position" > 0)),
  constraint ledger_entries_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint ledger_entries_cycle_id_fkey FOREIGN KEY (cycle_id) REFERENCES cycles(id),
  constraint ledger_entries_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(provider_payment_id),
  constraint ledger_entries_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refunds(id)
);

create table ledger_head (
  only_row boolean not null default true,
  "position" bigint not null,
  hash bytea not null,
  posted_at timestamp(3) with time zone not null,
  constraint ledger_head_pkey PRIMARY KEY (only_row),
  constraint ledger_head_hash_check CHECK ((length(hash) = 32)),
  constraint ledger_head_only_row_check CHECK (only_row)
);

create table ledger_lines (
  entry_id text not null,
  account text not null,
  amount_paise bigint not null,
  constraint ledger_lines_pkey PRIMARY KEY (entry_id, account),
  constraint ledger_lines_account_check CHECK ((account = ANY (ARRAY['provider'::text, 'cycles'::text, 'refunds'::text, 'tds'::text, 'bank'::text, 'fees'::text, 'input_tax'::text, 'disputed'::text, 'losses'::text, 'unmatched'::text]))),
  constraint ledger_lines_amount_paise_check CHECK ((amount_paise <> 0)),
  constraint ledger_lines_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES ledger_entries(id)
);

create table letters_of_undertaking (
  arn text not null,
  from_date date not null,
  last_date date not null,
  constraint letters_of_undertaking_pkey PRIMARY KEY (arn),
  constraint letters_of_undertaking_check CHECK ((from_date <= last_date)),
  constraint letters_of_undertaking_check1 CHECK ((EXTRACT(year FROM (from_date - '3 mons'::interval)) = EXTRACT(year FROM (last_date - '3 mons'::interval))))
);

create table mail_documents (
  mail_id text not null,
  place integer not null,
  document_id text not null,
  constraint mail_documents_pkey PRIMARY KEY (mail_id, place),
  constraint mail_documents_mail_id_document_id_key UNIQUE (mail_id, document_id),
  constraint mail_documents_place_check CHECK ((place > 1)),
  constraint mail_documents_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents(id),
  constraint mail_documents_mail_id_fkey FOREIGN KEY (mail_id) REFERENCES mails(id) ON DELETE CASCADE
);

create table mails (
  id text not null,
  dedupe_key text not null,
  customer_id text,
  recipient text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  document_id text,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  accountant_id text,
  pack_month text,
  stop_path text,
  thread_id text,
  reply_to text,
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_dedupe_key_key UNIQUE (dedupe_key),
  constraint mails_check CHECK (((customer_id IS NOT NULL) OR (dedupe_key ~~ 'provider-pack:%'::text))),
  constraint mails_check1 CHECK (((pack_month IS NULL) OR (document_id IS NULL))),
  constraint mails_check2 CHECK (((reply_to IS NULL) OR (thread_id IS NOT NULL))),
  constraint mails_id_check CHECK ((id ~~ 'MSG-%'::text)),
  constraint mails_pack_month_check CHECK ((pack_month ~ '^\d{4}-(0[1-9]|1[0-2])$'::text)),
  constraint mails_reply_to_check CHECK ((reply_to !~ '[\r\n]'::text)),
  constraint mails_subject_check CHECK ((subject !~ '[\r\n]'::text)),
  constraint mails_accountant_id_fkey FOREIGN KEY (accountant_id) REFERENCES accountants(id),
  constraint mails_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint mails_dedupe_key_fkey FOREIGN KEY (dedupe_key) REFERENCES event_keys(dedupe_key) ON DELETE CASCADE,
  constraint mails_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents(id),
  constraint mails_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES support_threads(id)
);

create table open_vouchers (
  document_id text not null,
  cycle_id text not null,
  from_date date not null,
  constraint open_vouchers_pkey PRIMARY KEY (document_id),
  constraint open_vouchers_cycle_id_fkey FOREIGN KEY (cycle_id) REFERENCES cycles(id),
  constraint open_vouchers_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents(id)
);

create table operator_actions (
  "position" bigint not null,
  acted_at timestamp with time zone not null,
  actor text not null,
  action text not null,
  target text not null,
  customer_id text,
  reason text not null,
  effect jsonb not null,
  hash bytea not null,
  constraint operator_actions_pkey PRIMARY KEY ("position"),
  constraint operator_actions_action_check CHECK (((action ~ '^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$'::text) AND (length(action) <= 60))),
  constraint operator_actions_actor_check CHECK (((length(actor) >= 1) AND (length(actor) <= 200))),
  constraint operator_actions_effect_check CHECK ((jsonb_typeof(effect) = 'object'::text)),
  constraint operator_actions_hash_check CHECK ((length(hash) = 32)),
  constraint operator_actions_position_check CHECK (("position" > 0)),
  constraint operator_actions_reason_check CHECK (((length(btrim(reason)) >= 1) AND (length(btrim(reason)) <= 1000))),
  constraint operator_actions_target_check CHECK (((length(target) >= 1) AND (length(target) <= 200))),
  constraint operator_actions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

create table operator_head (
  only_row boolean not null default true,
  "position" bigint not null,
  hash bytea not null,
  constraint operator_head_pkey PRIMARY KEY (only_row),
  constraint operator_head_hash_check CHECK ((length(hash) = 32)),
  constraint operator_head_only_row_check CHECK (only_row)
);

create table order_cycles (
  order_id text not null,
  cycle_id text not null,
  activation_id text not null,
  customer_id text not null,
  place integer not null,
  amount_paise bigint not null,
  live boolean not null,
  constraint orders_add_up TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint order_cycles_pkey PRIMARY KEY (order_id, cycle_id),
  constraint order_cycles_order_id_place_key UNIQUE (order_id, place),
  constraint order_cycles_amount_paise_check CHECK ((amount_paise > 0)),
  constraint order_cycles_place_check CHECK (((place >= 1) AND (place <= 12))),
  constraint order_cycles_cycle_id_activation_id_customer_id_fkey FOREIGN KEY (cycle_id, activation_id, customer_id) REFERENCES cycles(id, activation_id, customer_id),
  constraint order_cycles_order_id_activation_id_customer_id_fkey FOREIGN KEY (order_id, activation_id, customer_id) REFERENCES payment_orders(id, activation_id, customer_id)
);

create table payment_orders (
  id text not null,
  cycle_id text not null,
  activation_id text not null,
  customer_id text not null,
  provider_order_id text,
  amount_paise bigint not null,
  currency text not null,
  status text not null,
  claimed_until timestamp with time zone,
  checks integer not null default 0,
  next_check_at timestamp with time zone,
  created_at timestamp with time zone not null,
  purchase_order text,
  purchase_order_date date,
  constraint orders_add_up TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint payment_orders_pkey PRIMARY KEY (id),
  constraint payment_orders_id_activation_id_customer_id_key UNIQUE (id, activation_id, customer_id),
  constraint payment_orders_id_cycle_id_customer_id_key UNIQUE (id, cycle_id, customer_id),
  constraint payment_orders_provider_order_id_key UNIQUE (provider_order_id),
  constraint payment_orders_amount_paise_check CHECK ((amount_paise >= 100)),
  constraint payment_orders_check CHECK (((status <> 'OPEN'::text) OR (provider_order_id IS NOT NULL))),
  constraint payment_orders_check1 CHECK (((purchase_order_date IS NULL) OR (purchase_order <> ''::text))),
  constraint payment_orders_checks_check CHECK ((checks >= 0)),
  constraint payment_orders_currency_check CHECK ((currency = 'INR'::text)),
  constraint payment_orders_id_check CHECK (((id ~~ 'ORD-%'::text) AND (length(id) <= 40))),
  constraint payment_orders_purchase_order_check CHECK ((purchase_order ~ '^[0-9A-Za-z/-]{0,16}$'::text)),
  constraint payment_orders_status_check CHECK ((status = ANY (ARRAY['CREATING'::text, 'OPEN'::text, 'PAID'::text, 'CLOSED'::text]))),
  constraint payment_orders_cycle_id_activation_id_customer_id_fkey FOREIGN KEY (cycle_id, activation_id, customer_id) REFERENCES cycles(id, activation_id, customer_id)
);

create table payments (
  provider_payment_id text not null,
  order_id text not null,
  cycle_id text not null,
  customer_id text not null,
  amount_paise bigint not null,
  currency text not null,
  status text not null,
  method text not null,
  error_description text,
  created_at timestamp with time zone not null,
  captured_at timestamp with time zone,
  use text,
  fee_paise bigint,
  fee_tax_paise bigint,
  constraint payments_are_used TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint payments_pkey PRIMARY KEY (provider_payment_id),
  constraint payments_provider_payment_id_customer_id_key UNIQUE (provider_payment_id, customer_id),
  constraint payments_provider_payment_id_cycle_id_customer_id_key UNIQUE (provider_payment_id, cycle_id, customer_id),
  constraint payments_amount_paise_check CHECK ((amount_paise > 0)),
  constraint payments_check CHECK (((status = 'captured'::text) = (use IS NOT NULL))),
  constraint payments_check1 CHECK (((status = 'captured'::text) = (captured_at IS NOT NULL))),
  constraint payments_check2 CHECK (((fee_tax_paise >= 0) AND (fee_tax_paise <= fee_paise))),
  constraint payments_fee_paise_check CHECK ((fee_paise >= 0)),
  constraint payments_status_check CHECK ((status = ANY (ARRAY['created'::text, 'authorized'::text, 'captured'::text, 'failed'::text]))),
  constraint payments_use_check CHECK ((use = ANY (ARRAY['CYCLE'::text, 'REFUND'::text]))),
  constraint payments_order_id_cycle_id_customer_id_fkey FOREIGN KEY (order_id, cycle_id, customer_id) REFERENCES payment_orders(id, cycle_id, customer_id)
);

create table period_locks (
  id bigint not null generated always as identity,
  month text not null,
  action text not null,
  reason text not null,
  operator text not null,
  recorded_at timestamp with time zone not null default clock_timestamp(),
  trial_balance jsonb,
  constraint period_locks_pkey PRIMARY KEY (id),
  constraint period_locks_action_check CHECK ((action = ANY (ARRAY['LOCK'::text, 'UNLOCK'::text]))),
  constraint period_locks_check CHECK (((action = 'LOCK'::text) OR (trial_balance IS NULL))),
  constraint period_locks_month_check CHECK ((month ~ '^\d{4}-(0[1-9]|1[0-2])$'::text)),
  constraint period_locks_operator_check CHECK ((operator <> ''::text)),
  constraint period_locks_reason_check CHECK (((length(btrim(reason)) >= 3) AND (length(btrim(reason)) <= 500)))
);

create table profiles (
  customer_id text not null,
  legal_name text not null,
  phone text not null,
  gstin text,
  address text not null,
  city text not null,
  pin text not null,
  state_code text not null,
  updated_at timestamp with time zone not null,
  sez boolean not null default false,
  country text not null default 'IN'::text,
  purchase_order text,
  purchase_order_date date,
  constraint profiles_pkey PRIMARY KEY (customer_id),
  constraint profiles_check CHECK (((NOT sez) OR (gstin IS NOT NULL))),
  constraint profiles_check1 CHECK (((country <> 'IN'::text) = (state_code = '96'::text))),
  constraint profiles_check2 CHECK (((country = 'IN'::text) OR (gstin IS NULL))),
  constraint profiles_check3 CHECK (((purchase_order_date IS NULL) OR (purchase_order IS NOT NULL))),
  constraint profiles_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  constraint profiles_gstin_check CHECK ((length(gstin) = 15)),
  constraint profiles_legal_name_check CHECK (((length(legal_name) >= 1) AND (length(legal_name) <= 100))),
  constraint profiles_purchase_order_check CHECK ((purchase_order ~ '^[0-9A-Za-z/-]{1,16}$'::text)),
  constraint profiles_state_code_check CHECK ((state_code ~ '^[0-9]{2}$'::text)),
  constraint profiles_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

create table provider_looks (
  list text not null,
  looked_until timestamp with time zone,
  next_look_at timestamp with time zone not null default clock_timestamp(),
  constraint provider_looks_pkey PRIMARY KEY (list),
  constraint provider_looks_list_check CHECK ((list = ANY (ARRAY['refunds'::text, 'disputes'::text])))
);

create table quota_crossings (
  cycle_id text not null,
  day date,
  percent integer not null,
  constraint quota_crossings_once UNIQUE NULLS NOT DISTINCT (cycle_id, day, percent),
  constraint quota_crossings_cycle_id_fkey FOREIGN KEY (cycle_id) REFERENCES cycles(id)
);

create table quota_cycles (
  cycle_id text not null,
  taken integer not null default 0,
  constraint quota_cycles_pkey PRIMARY KEY (cycle_id),
  constraint quota_cycles_taken_check CHECK ((taken >= 0)),
  constraint quota_cycles_cycle_id_fkey FOREIGN KEY (cycle_id) REFERENCES cycles(id)
);

create table quota_days (
  activation_id text not null,
  day date not null,
  taken integer not null default 0,
  constraint quota_days_pkey PRIMARY KEY (activation_id, day),
  constraint quota_days_taken_check CHECK ((taken >= 0)),
  constraint quota_days_activation_id_fkey FOREIGN KEY (activation_id) REFERENCES activations(id)
);

create table quota_raises (
  id bigint not null generated always as identity,
  cycle_id text not null,
  customer_id text not null,
  units integer not null,
  reason text not null,
  made_at timestamp with time zone not null,
  constraint quota_raises_are_recorded TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint quota_raises_pkey PRIMARY KEY (id),
  constraint quota_raises_reason_check CHECK (((length(btrim(reason)) >= 1) AND (length(btrim(reason)) <= 1000))),
  constraint quota_raises_units_check CHECK ((units <> 0)),
  constraint quota_raises_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint quota_raises_cycle_id_fkey FOREIGN KEY (cycle_id) REFERENCES cycles(id)
);

create table record_seals (
  id bigint not null generated always as identity,
  kind text not null,
  record_id text not null,
  customer_id text,
  content bytea,
  sealed_at timestamp with time zone not null default clock_timestamp(),
  "position" bigint,
  hash bytea,
  fixed bytea,
  constraint record_seals_pkey PRIMARY KEY (id),
  constraint record_seals_position_key UNIQUE ("position"),
  constraint record_seals_check CHECK ((("position" IS NULL) = (hash IS NULL))),
  constraint record_seals_content_check CHECK ((length(content) = 32)),
  constraint record_seals_hash_check CHECK ((length(hash) = 32)),
  constraint record_seals_position_check CHECK (("position" > 0)),
  constraint record_seals_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

create table refunds (
  id text not null,
  payment_id text not null,
  cycle_id text not null,
  customer_id text not null,
  amount_paise bigint not null,
  reason text not null,
  status text not null,
  provider_refund_id text,
  attempt integer not null default 1,
  tries integer not null default 0,
  next_try_at timestamp with time zone default clock_timestamp(),
  created_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  origin text not null default 'PORTAL'::text,
  foreign_id text,
  covers_paise bigint not null default 0,
  covered_paise bigint not null default 0,
  payout text not null default 'PROVIDER'::text,
  utr text,
  transferred_on date,
  refused_at timestamp with time zone,
  refusal text,
  loss_paise bigint not null default 0,
  constraint corrections_lower_the_invoice TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint excess_tax_has_a_voucher TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint operator_refunds_are_recorded TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint refund_transfers_are_recorded TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint refunds_are_due TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint replaced_cycles_give_back TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint refunds_pkey PRIMARY KEY (id),
  constraint refunds_amount_paise_check CHECK (((amount_paise > 0) OR ((amount_paise = 0) AND (origin = 'PROVIDER'::text)))),
  constraint refunds_attempt_check CHECK ((attempt > 0)),
  constraint refunds_check CHECK (((status = 'PROCESSED'::text) = (settled_at IS NOT NULL))),
  constraint refunds_check1 CHECK (((origin = ANY (ARRAY['PORTAL'::text, 'OPERATOR'::text, 'EXCESS_TAX'::text, 'CORRECTION'::text, 'TDS'::text])) = (foreign_id IS NULL))),
  constraint refunds_check2 CHECK ((((covers_paise >= 0) AND (covers_paise <= amount_paise)) AND ((foreign_id IS NOT NULL) OR (covers_paise = 0)))),
  constraint refunds_check3 CHECK (((covered_paise >= 0) AND (covered_paise <= amount_paise))),
  constraint refunds_id_check CHECK ((id ~~ 'RFD-%'::text)),
  constraint refunds_least_check CHECK (((payout = 'TRANSFER'::text) OR (foreign_id IS NOT NULL) OR (provider_refund_id IS NULL) OR ((amount_paise - covered_paise) >= 100))) NOT VALID,
  constraint refunds_loss_check CHECK (((loss_paise >= 0) AND ((loss_paise = 0) OR ((origin = 'PROVIDER'::text) AND (payout = 'PROVIDER'::text))))),
  constraint refunds_origin_check CHECK ((origin = ANY (ARRAY['PORTAL'::text, 'OPERATOR'::text, 'EXCESS_TAX'::text, 'CORRECTION'::text, 'TDS'::text, 'PROVIDER'::text, 'DISPUTE'::text]))),
  constraint refunds_payout_check CHECK ((payout = ANY (ARRAY['PROVIDER'::text, 'TRANSFER'::text]))),
  constraint refunds_refusal_check CHECK (((refused_at IS NULL) = (refusal IS NULL))),
  constraint refunds_status_check CHECK ((status = ANY (ARRAY['STARTED'::text, 'PENDING'::text, 'PROCESSED'::text, 'FAILED'::text]))),
  constraint refunds_transfer_check CHECK ((((utr IS NULL) = (transferred_on IS NULL)) AND ((utr IS NULL) OR (payout = 'TRANSFER'::text)) AND ((payout = 'PROVIDER'::text) OR ((origin <> 'DISPUTE'::text) AND (provider_refund_id IS NULL) AND (next_try_at IS NULL) AND (status = ANY (ARRAY['STARTED'::text, 'PROCESSED'::text])) AND (((status = 'PROCESSED'::text) AND (covered_paise < amount_paise)) = (utr IS NOT NULL)))))),
  constraint refunds_transfer_day_check CHECK (((transferred_on >= ((created_at AT TIME ZONE 'Asia/Kolkata'::text))::date) AND (transferred_on <= ((settled_at AT TIME ZONE 'Asia/Kolkata'::text))::date))),
  constraint refunds_tries_check CHECK ((tries >= 0)),
  constraint refunds_utr_check CHECK ((utr ~ '^[A-Z0-9]{6,30}$'::text)),
  constraint refunds_cycle_id_fkey FOREIGN KEY (cycle_id) REFERENCES cycles(id),
  constraint refunds_payment_id_customer_id_fkey FOREIGN KEY (payment_id, customer_id) REFERENCES payments(provider_payment_id, customer_id)
);

create table remittance_proofs (
  payment_id text not null,
  kind text not null,
  reference text not null,
  received_on date not null,
  currency text not null,
  amount text not null,
  recorded_at timestamp with time zone not null,
  constraint remittance_proofs_pkey PRIMARY KEY (payment_id),
  constraint remittance_proofs_amount_check CHECK (((amount ~ '^\d{1,15}(\.\d{1,3})?$'::text) AND ((amount)::numeric > (0)::numeric))),
  constraint remittance_proofs_check CHECK ((received_on <= ((recorded_at AT TIME ZONE 'Asia/Kolkata'::text))::date)),
  constraint remittance_proofs_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint remittance_proofs_kind_check CHECK ((kind = ANY (ARRAY['FIRC'::text, 'FIRA'::text, 'BRC'::text, 'OTHER'::text]))),
  constraint remittance_proofs_reference_check CHECK ((reference ~ '^\S(.{0,98}\S)?$'::text)),
  constraint remittance_proofs_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(provider_payment_id)
);

create table request_batches (
  id uuid not null,
  activation_id text not null,
  key_id text not null,
  day date not null,
  test boolean not null,
  from_at timestamp with time zone not null,
  to_at timestamp with time zone not null,
  calls integer not null,
  counted integer not null,
  statuses smallint[] not null,
  dictionary text not null,
  records bytea not null,
  problems jsonb not null default '{}'::jsonb,
  constraint request_batches_pkey PRIMARY KEY (id),
  constraint request_batches_calls_check CHECK ((calls > 0)),
  constraint request_batches_check CHECK (((counted >= 0) AND (counted <= calls))),
  constraint request_batches_check1 CHECK (((from_at <= to_at) AND (to_at <= (from_at + '00:10:00'::interval)))),
  constraint request_batches_check2 CHECK (((day = ((from_at AT TIME ZONE 'Asia/Kolkata'::text))::date) AND (day = ((to_at AT TIME ZONE 'Asia/Kolkata'::text))::date))),
  constraint request_batches_dictionary CHECK (((octet_length(dictionary) <= (calls * 1000)) AND (strpos(dictionary, '?'::text) = 0) AND (strpos(dictionary, '#'::text) = 0) AND (dictionary !~* '[0-9]{2}[a-z]{5}[0-9]{4}[a-z][0-9a-z]{3}'::text))),
  constraint request_batches_problems_check CHECK ((jsonb_typeof(problems) = 'object'::text)),
  constraint request_batches_records CHECK ((octet_length(records) = (calls * 24))),
  constraint request_batches_statuses_check CHECK ((cardinality(statuses) > 0))
);

create table request_log (
  id uuid not null,
  activation_id text not null,
  key_id text not null,
  day date not null,
  test boolean not null,
  from_at timestamp with time zone not null,
  to_at timestamp with time zone not null,
  calls integer not null,
  counted integer not null,
  statuses smallint[] not null,
  dictionary text not null,
  records bytea not null,
  problems jsonb not null default '{}'::jsonb,
  constraint request_log_pkey PRIMARY KEY (id, day),
  constraint request_log_calls_check CHECK ((calls > 0)),
  constraint request_log_check CHECK (((counted >= 0) AND (counted <= calls))),
  constraint request_log_check1 CHECK (((from_at <= to_at) AND (to_at <= (from_at + '00:10:00'::interval)))),
  constraint request_log_check2 CHECK (((day = ((from_at AT TIME ZONE 'Asia/Kolkata'::text))::date) AND (day = ((to_at AT TIME ZONE 'Asia/Kolkata'::text))::date))),
  constraint request_log_dictionary CHECK (((octet_length(dictionary) <= (calls * 1000)) AND (strpos(dictionary, '?'::text) = 0) AND (strpos(dictionary, '#'::text) = 0) AND (dictionary !~* '[0-9]{2}[a-z]{5}[0-9]{4}[a-z][0-9a-z]{3}'::text))),
  constraint request_log_problems_check CHECK ((jsonb_typeof(problems) = 'object'::text)),
  constraint request_log_records CHECK ((octet_length(records) = (calls * 24))),
  constraint request_log_statuses_check CHECK ((cardinality(statuses) > 0))
);

create table seal_head (
  only_row boolean not null default true,
  "position" bigint not null,
  hash bytea not null,
  constraint seal_head_pkey PRIMARY KEY (only_row),
  constraint seal_head_hash_check CHECK ((length(hash) = 32)),
  constraint seal_head_only_row_check CHECK (only_row)
);

create table sessions (
  token_hash bytea not null,
  customer_id text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint sessions_pkey PRIMARY KEY (token_hash),
  constraint sessions_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint sessions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

create table settlement_items (
  id bigint not null generated always as identity,
  entity_id text not null,
  settlement_id text,
  type text not null,
  debit_paise bigint not null,
  credit_paise bigint not null,
  amount_paise bigint not null,
  fee_paise bigint not null,
  tax_paise bigint not null,
  currency text not null,
  on_hold boolean not null,
  settled_at timestamp with time zone,
  payment_id text,
  order_id text,
  dispute_id text,
  description text,
  created_at timestamp with time zone not null,
  booked_at timestamp with time zone,
  returned_at timestamp with time zone,
  constraint settlement_items_pkey PRIMARY KEY (id),
  constraint settlement_items_entity_id_settlement_id_key UNIQUE NULLS NOT DISTINCT (entity_id, settlement_id),
  constraint settlement_items_amount_paise_check CHECK ((amount_paise >= 0)),
  constraint settlement_items_check CHECK (((settlement_id IS NULL) = (settled_at IS NULL))),
  constraint settlement_items_check1 CHECK (((booked_at IS NULL) OR (settlement_id IS NOT NULL))),
  constraint settlement_items_check2 CHECK (((returned_at IS NULL) OR (booked_at IS NOT NULL))),
  constraint settlement_items_credit_paise_check CHECK ((credit_paise >= 0)),
  constraint settlement_items_debit_paise_check CHECK ((debit_paise >= 0)),
  constraint settlement_items_settlement_id_fkey FOREIGN KEY (settlement_id) REFERENCES settlements(settlement_id)
);

create table settlement_reading (
  only_row boolean not null default true,
  read_until date,
  compared_at timestamp with time zone,
  differences integer not null default 0,
  constraint settlement_reading_pkey PRIMARY KEY (only_row),
  constraint settlement_reading_only_row_check CHECK (only_row)
);

create table settlements (
  settlement_id text not null,
  amount_paise bigint not null,
  status text not null,
  utr text,
  created_at timestamp with time zone not null,
  read_at timestamp with time zone not null,
  constraint settlements_pkey PRIMARY KEY (settlement_id),
  constraint settlements_status_check CHECK ((status = ANY (ARRAY['created'::text, 'processed'::text, 'failed'::text])))
);

create table sez_checks (
  customer_id text not null,
  gstin text not null,
  checked_at timestamp with time zone not null,
  outcome text not null,
  type_text text not null,
  answer text not null,
  answer_sha256 bytea not null,
  id bigint not null generated always as identity,
  constraint sez_checks_pkey PRIMARY KEY (customer_id, gstin, checked_at),
  constraint sez_checks_answer_check CHECK ((length(answer) <= 100000)),
  constraint sez_checks_check CHECK ((answer_sha256 = sha256(convert_to(answer, 'UTF8'::name)))),
  constraint sez_checks_check1 CHECK (((outcome <> ALL (ARRAY['UNIT'::text, 'DEVELOPER'::text])) OR ((POSITION(('SEZ'::text) IN (upper(answer))) > 0) AND (POSITION((gstin) IN (upper(answer))) > 0)))),
  constraint sez_checks_gstin_check CHECK ((gstin ~ '^[0-9A-Z]{15}$'::text)),
  constraint sez_checks_outcome_check CHECK ((outcome = ANY (ARRAY['UNIT'::text, 'DEVELOPER'::text, 'OTHER'::text, 'INACTIVE'::text, 'UNKNOWN'::text]))),
  constraint sez_checks_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

create table sign_in_nonces (
  nonce_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint sign_in_nonces_pkey PRIMARY KEY (nonce_hash),
  constraint sign_in_nonces_nonce_hash_check CHECK ((length(nonce_hash) = 32))
);

create table support_messages (
  id text not null,
  customer_id text not null,
  message text not null,
  created_at timestamp with time zone not null,
  thread_id text not null,
  author text not null,
  channel text not null,
  written_by text,
  mail_hash bytea,
  left_out integer not null default 0,
  constraint support_messages_pkey PRIMARY KEY (id),
  constraint support_messages_mail_hash_key UNIQUE (mail_hash),
  constraint support_messages_author_check CHECK ((author = ANY (ARRAY['CUSTOMER'::text, 'PROVIDER'::text]))),
  constraint support_messages_channel_check CHECK ((channel = ANY (ARRAY['PORTAL'::text, 'COMMAND'::text, 'MAIL'::text]))),
  constraint support_messages_check CHECK (((author = 'PROVIDER'::text) = (written_by IS NOT NULL))),
  constraint support_messages_check1 CHECK (((NOT ((author = 'CUSTOMER'::text) AND (channel = 'COMMAND'::text))) AND (NOT ((author = 'PROVIDER'::text) AND (channel = 'PORTAL'::text))))),
  constraint support_messages_check2 CHECK (((channel = 'MAIL'::text) = (mail_hash IS NOT NULL))),
  constraint support_messages_check3 CHECK (((left_out = 0) OR (channel = 'MAIL'::text))),
  constraint support_messages_id_check CHECK ((id ~~ 'SPM-%'::text)),
  constraint support_messages_left_out_check CHECK (((left_out >= 0) AND (left_out <= 1000000))),
  constraint support_messages_mail_hash_check CHECK ((length(mail_hash) = 32)),
  constraint support_messages_message_check CHECK (((length(message) >= 1) AND (length(message) <=
CASE channel
    WHEN 'MAIL'::text THEN 20000
    ELSE 5000
END))),
  constraint support_messages_written_by_check CHECK (((length(written_by) >= 1) AND (length(written_by) <= 200))),
  constraint support_messages_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint support_messages_thread_id_customer_id_fkey FOREIGN KEY (thread_id, customer_id) REFERENCES support_threads(id, customer_id)
);

create table support_threads (
  id text not null,
  customer_id text not null,
  activation_id text,
  subject text not null,
  status text not null default 'OPEN'::text,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  read_at timestamp with time zone,
  customer_token text not null default replace((gen_random_uuid())::text, '-'::text, ''::text),
  provider_token text not null default replace((gen_random_uuid())::text, '-'::text, ''::text),
  constraint support_threads_pkey PRIMARY KEY (id),
  constraint support_threads_customer_token UNIQUE (customer_token),
  constraint support_threads_id_customer_id_key UNIQUE (id, customer_id),
  constraint support_threads_provider_token UNIQUE (provider_token),
  constraint support_threads_check CHECK ((changed_at >= created_at)),
  constraint support_threads_check1 CHECK ((customer_token <> provider_token)),
  constraint support_threads_customer_token_check CHECK ((customer_token ~ '^[0-9a-f]{32}$'::text)),
  constraint support_threads_id_check CHECK ((id ~~ 'SUP-%'::text)),
  constraint support_threads_provider_token_check CHECK ((provider_token ~ '^[0-9a-f]{32}$'::text)),
  constraint support_threads_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'ANSWERED'::text, 'CLOSED'::text]))),
  constraint support_threads_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 120))),
  constraint support_threads_activation_id_fkey FOREIGN KEY (activation_id) REFERENCES activations(id),
  constraint support_threads_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

create table tax_claims (
  id text not null,
  customer_id text not null,
  kind text not null,
  about text not null,
  declared_on date not null,
  declared_at timestamp with time zone not null,
  letter_name text not null,
  letter_type text not null,
  letter_bytes integer not null,
  letter bytea not null,
  letter_sha256 bytea not null,
  withdrawn_at timestamp with time zone,
  constraint tax_claims_pkey PRIMARY KEY (id),
  constraint tax_claims_check CHECK (
CASE kind
    WHEN 'SEZ'::text THEN (about ~ '^[0-9A-Z]{15}$'::text)
    ELSE ((about ~ '^[A-Z]{2}$'::text) AND (about <> 'IN'::text))
END),
  constraint tax_claims_check1 CHECK (((letter_bytes = octet_length(letter)) AND ((letter_bytes >= 1) AND (letter_bytes <= 1000000)))),
  constraint tax_claims_check2 CHECK ((letter_sha256 = sha256(letter))),
  constraint tax_claims_check3 CHECK (
CASE letter_type
    WHEN 'application/pdf'::text THEN (SUBSTRING(letter FROM 1 FOR 5) = '\x255044462d'::bytea)
    WHEN 'image/jpeg'::text THEN (SUBSTRING(letter FROM 1 FOR 3) = '\xffd8ff'::bytea)
    WHEN 'image/png'::text THEN (SUBSTRING(letter FROM 1 FOR 8) = '\x89504e470d0a1a0a'::bytea)
    ELSE false
END),
  constraint tax_claims_check4 CHECK (((declared_on = ((declared_at AT TIME ZONE 'Asia/Kolkata'::text))::date) AND (withdrawn_at >= declared_at))),
  constraint tax_claims_id_check CHECK ((id ~~ 'CLM-%'::text)),
  constraint tax_claims_kind_check CHECK ((kind = ANY (ARRAY['SEZ'::text, 'EXPORT'::text]))),
  constraint tax_claims_letter_name_check CHECK ((((length(letter_name) >= 1) AND (length(letter_name) <= 120)) AND (letter_name !~ '[[:cntrl:]/\\]'::text))),
  constraint tax_claims_letter_type_check CHECK ((letter_type = ANY (ARRAY['application/pdf'::text, 'image/jpeg'::text, 'image/png'::text]))),
  constraint tax_claims_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

create table tds_claims (
  id text not null,
  customer_id text not null,
  cycle_id text not null,
  invoice_id text not null,
  tan text not null,
  section text not null,
  quarter text not null,
  amount_paise bigint not null,
  certificate_name text not null,
  certificate_type text not null,
  certificate_bytes integer not null,
  certificate bytea not null,
  certificate_sha256 bytea not null,
  declared_on date not null,
  declared_at timestamp with time zone not null,
  status text not null default 'WAITING'::text,
  decided_at timestamp with time zone,
  reason text,
  refund_id text,
  constraint tds_claims_are_refunded TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint tds_claims_pkey PRIMARY KEY (id),
  constraint tds_claims_refund_id_key UNIQUE (refund_id),
  constraint tds_claims_amount_paise_check CHECK ((amount_paise > 0)),
  constraint tds_claims_certificate_hash CHECK ((certificate_sha256 = sha256(certificate))),
  constraint tds_claims_certificate_name_check CHECK ((((length(certificate_name) >= 1) AND (length(certificate_name) <= 120)) AND (certificate_name !~ '[[:cntrl:]/\\]'::text))),
  constraint tds_claims_certificate_type_check CHECK ((certificate_type = ANY (ARRAY['application/pdf'::text, 'image/jpeg'::text, 'image/png'::text]))),
  constraint tds_claims_check CHECK ((section =
CASE
    WHEN (quarter < '2026-27 Q1'::text) THEN '194J'::text
    ELSE '393(1)'::text
END)),
  constraint tds_claims_check1 CHECK (((certificate_bytes = octet_length(certificate)) AND ((certificate_bytes >= 1) AND (certificate_bytes <= 1000000)))),
  constraint tds_claims_check2 CHECK (
CASE certificate_type
    WHEN 'application/pdf'::text THEN (SUBSTRING(certificate FROM 1 FOR 5) = '\x255044462d'::bytea)
    WHEN 'image/jpeg'::text THEN (SUBSTRING(certificate FROM 1 FOR 3) = '\xffd8ff'::bytea)
    WHEN 'image/png'::text THEN (SUBSTRING(certificate FROM 1 FOR 8) = '\x89504e470d0a1a0a'::bytea)
    ELSE false
END),
  constraint tds_claims_check3 CHECK (((declared_on = ((declared_at AT TIME ZONE 'Asia/Kolkata'::text))::date) AND (decided_at >= declared_at))),
  constraint tds_claims_check4 CHECK (((status = 'WAITING'::text) = (decided_at IS NULL))),
  constraint tds_claims_check5 CHECK (((status = 'REFUSED'::text) = (reason IS NOT NULL))),
  constraint tds_claims_check6 CHECK (((status = 'ACCEPTED'::text) = (refund_id IS NOT NULL))),
  constraint tds_claims_id_check CHECK ((id ~~ 'TDS-%'::text)),
  constraint tds_claims_quarter_check CHECK (((quarter ~ '^\d{4}-\d\d Q[1-4]$'::text) AND (((("left"(quarter, 4))::integer + 1) % 100) = (SUBSTRING(quarter FROM 6 FOR 2))::integer))),
  constraint tds_claims_reason_check CHECK (((reason = btrim(reason)) AND ((length(reason) >= 1) AND (length(reason) <= 500)) AND (reason !~ '[[:cntrl:]]'::text))),
  constraint tds_claims_section_check CHECK ((section = ANY (ARRAY['194J'::text, '393(1)'::text]))),
  constraint tds_claims_status_check CHECK ((status = ANY (ARRAY['WAITING'::text, 'ACCEPTED'::text, 'REFUSED'::text]))),
  constraint tds_claims_tan_check CHECK ((tan ~ '^[A-Z]{4}[0-9]{5}[A-Z]$'::text)),
  constraint tds_claims_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint tds_claims_cycle_id_fkey FOREIGN KEY (cycle_id) REFERENCES cycles(id),
  constraint tds_claims_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES documents(id),
  constraint tds_claims_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refunds(id)
);

create table test_calls (
  customer_id text not null,
  service_id text not null,
  day date not null,
  calls integer not null,
  constraint test_calls_pkey PRIMARY KEY (customer_id, service_id),
  constraint test_calls_calls_check CHECK ((calls > 0)),
  constraint test_calls_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

create table unsettled_payments (
  payment_id text not null,
  order_id text not null,
  amount_paise bigint not null,
  since timestamp with time zone not null,
  tries integer not null,
  fault text not null,
  constraint unsettled_payments_pkey PRIMARY KEY (payment_id),
  constraint unsettled_payments_tries_check CHECK ((tries > 0)),
  constraint unsettled_payments_order_id_fkey FOREIGN KEY (order_id) REFERENCES payment_orders(id)
);

create table usage_counts (
  activation_id text not null,
  cycle_id text not null,
  key_id text not null,
  day date not null,
  status_class smallint not null,
  counted boolean not null,
  calls integer not null,
  last_at timestamp with time zone not null,
  units integer not null default 0,
  constraint usage_counts_pkey PRIMARY KEY (activation_id, day, key_id, cycle_id, status_class, counted),
  constraint usage_counts_check CHECK ((counted OR (units = 0))),
  constraint usage_counts_status_class_check CHECK (((status_class >= 1) AND (status_class <= 5))),
  constraint usage_counts_activation_id_fkey FOREIGN KEY (activation_id) REFERENCES activations(id),
  constraint usage_counts_cycle_id_fkey FOREIGN KEY (cycle_id) REFERENCES cycles(id)
);

create table webhook_attempts (
  delivery_id text not null,
  attempt integer not null,
  at timestamp with time zone not null,
  duration_ms integer not null,
  response_status integer,
  response_start text,
  fault text,
  constraint webhook_attempts_pkey PRIMARY KEY (delivery_id, attempt),
  constraint webhook_attempts_attempt_check CHECK ((attempt > 0)),
  constraint webhook_attempts_check CHECK (((response_status IS NULL) = (fault IS NOT NULL))),
  constraint webhook_attempts_duration_ms_check CHECK ((duration_ms >= 0)),
  constraint webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries(id) ON DELETE CASCADE
);

create table webhook_deliveries (
  id text not null,
  webhook_id text not null,
  event_id text not null,
  customer_id text not null,
  status text not null,
  created_at timestamp with time zone not null,
  tries integer not null default 0,
  next_try_at timestamp with time zone,
  tried_at timestamp with time zone,
  duration_ms integer,
  response_status integer,
  response_start text,
  fault text,
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_webhook_id_event_id_key UNIQUE (webhook_id, event_id),
  constraint webhook_deliveries_check CHECK (((status = 'PENDING'::text) = (next_try_at IS NOT NULL))),
  constraint webhook_deliveries_id_check CHECK ((id ~~ 'DLV-%'::text)),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'DELIVERED'::text, 'FAILED'::text]))),
  constraint webhook_deliveries_tries_check CHECK ((tries >= 0)),
  constraint webhook_deliveries_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint webhook_deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES webhook_events(id) ON DELETE CASCADE,
  constraint webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE
);

create table webhook_events (
  id text not null,
  customer_id text not null,
  type text not null,
  body text not null,
  created_at timestamp with time zone not null,
  constraint webhook_events_pkey PRIMARY KEY (id),
  constraint webhook_events_id_check CHECK ((id ~~ 'EVT-%'::text)),
  constraint webhook_events_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

create table webhook_inbox (
  meaning bytea not null,
  event text not null,
  body jsonb not null,
  received_at timestamp with time zone not null,
  next_try_at timestamp with time zone,
  tries integer not null default 0,
  processed_at timestamp with time zone,
  fault text,
  constraint webhook_inbox_pkey PRIMARY KEY (meaning),
  constraint webhook_inbox_meaning_check CHECK ((length(meaning) = 32)),
  constraint webhook_inbox_tries_check CHECK ((tries >= 0))
);

create table webhooks (
  id text not null,
  customer_id text not null,
  url text not null,
  events text[] not null,
  secret bytea not null,
  old_secret bytea,
  old_secret_until timestamp with time zone,
  created_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  disabled_reason text,
  failing_since timestamp with time zone,
  older_secrets jsonb not null default '[]'::jsonb,
  constraint webhooks_pkey PRIMARY KEY (id),
  constraint webhooks_check CHECK (((old_secret IS NULL) = (old_secret_until IS NULL))),
  constraint webhooks_check1 CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL))),
  constraint webhooks_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['OWNER'::text, 'FAILING'::text, 'GONE'::text]))),
  constraint webhooks_events_check CHECK ((cardinality(events) > 0)),
  constraint webhooks_id_check CHECK ((id ~~ 'WHK-%'::text)),
  constraint webhooks_older_secrets_check CHECK (((jsonb_typeof(older_secrets) = 'array'::text) AND (jsonb_array_length(older_secrets) <= 8))),
  constraint webhooks_secret_check CHECK (((octet_length(secret) >= 24) AND (octet_length(secret) <= 64))),
  constraint webhooks_url_check CHECK (((length(url) >= 1) AND (length(url) <= 500))),
  constraint webhooks_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

-- partitioned

-- request_log partition by RANGE (day)

-- indexes

CREATE INDEX accountants_by_customer ON accountants USING btree (customer_id, asked_at);

CREATE INDEX accountants_by_email ON accountants USING btree (email, asked_at);

CREATE UNIQUE INDEX accountants_current ON accountants USING btree (customer_id) WHERE (ended_at IS NULL);

CREATE INDEX accountants_due ON accountants USING btree (next_month) WHERE ((ended_at IS NULL) AND (next_month IS NOT NULL));

CREATE INDEX activations_customer ON activations USING btree (customer_id);

CREATE UNIQUE INDEX activations_one_per_service ON activations USING btree (customer_id, service_id) WHERE (deleted_at IS NULL);

CREATE INDEX amendments_customer ON amendments USING btree (customer_id);

CREATE INDEX amendments_day ON amendments USING btree (amended_on);

CREATE INDEX api_keys_ended ON api_keys USING btree (activation_id, revoked_at);

CREATE INDEX api_keys_made ON api_keys USING btree (customer_id, created_at);

CREATE UNIQUE INDEX api_keys_one_name ON api_keys USING btree (activation_id, name) WHERE ((revoked_at IS NULL) AND (replaced_by IS NULL));

CREATE INDEX api_keys_prefix ON api_keys USING btree (prefix text_pattern_ops) WHERE (prefix IS NOT NULL);

CREATE INDEX counted_responses_counted_at ON counted_responses USING btree (counted_at);

CREATE INDEX counted_responses_key ON counted_responses USING btree (activation_id, key_hash);

CREATE INDEX customers_erased ON customers USING btree (erased_at) WHERE (erased_at IS NOT NULL);

CREATE INDEX cycles_activation ON cycles USING btree (activation_id, from_date);

CREATE INDEX cycles_adds_to ON cycles USING btree (adds_to) WHERE (adds_to IS NOT NULL);

CREATE INDEX cycles_customer ON cycles USING btree (customer_id);

CREATE INDEX cycles_ending ON cycles USING btree (to_date, id) WHERE (status = ANY (ARRAY['PAID'::cycle_status, 'NO_PAYMENT_REQUIRED'::cycle_status]));

CREATE UNIQUE INDEX cycles_one_trial ON cycles USING btree (customer_id, service_id) WHERE ((tenure = 'TRIAL'::text) AND (status <> 'REMOVED'::cycle_status));

CREATE UNIQUE INDEX cycles_one_unpaid_pack ON cycles USING btree (adds_to) WHERE ((adds_to IS NOT NULL) AND (status = 'PAYMENT_PENDING'::cycle_status));

CREATE UNIQUE INDEX cycles_replaced_once ON cycles USING btree (replaces) WHERE ((replaces IS NOT NULL) AND (status <> 'REMOVED'::cycle_status));

CREATE INDEX cycles_starting ON cycles USING btree (from_date, id) WHERE (status = ANY (ARRAY['PAID'::cycle_status, 'NO_PAYMENT_REQUIRED'::cycle_status]));

CREATE INDEX disputes_customer ON disputes USING btree (customer_id);

CREATE INDEX disputes_next_check ON disputes USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);

CREATE INDEX disputes_payment ON disputes USING btree (payment_id);

CREATE INDEX document_files_outside ON document_files USING btree (made_at) WHERE (place IS NOT NULL);

CREATE UNIQUE INDEX documents_begin_once ON documents USING btree (cycle_id) WHERE (refers_to IS NULL);

CREATE INDEX documents_customer ON documents USING btree (customer_id, issued_at);

CREATE INDEX documents_cycle ON documents USING btree (cycle_id);

CREATE INDEX documents_day ON documents USING btree (issued_on);

CREATE UNIQUE INDEX documents_invoiced_once ON documents USING btree (refers_to) WHERE (kind = 'INVOICE'::document_kind);

CREATE INDEX documents_refers_to ON documents USING btree (refers_to);

CREATE INDEX erasure_requests_customer ON erasure_requests USING btree (customer_id);

CREATE INDEX erasure_requests_open ON erasure_requests USING btree (asked_at) WHERE (ended_at IS NULL);

CREATE INDEX event_keys_customer ON event_keys USING btree (customer_id);

CREATE INDEX event_keys_happened ON event_keys USING btree (happened_at);

CREATE INDEX free_quota_days_day ON free_quota_days USING btree (day);

CREATE INDEX free_quota_windows_end ON free_quota_windows USING btree (to_date);

CREATE INDEX key_clients_latest ON key_clients USING btree (key_id, last_at DESC);

CREATE INDEX key_clients_new ON key_clients USING btree (first_at) WHERE (NOT announced);

CREATE INDEX leases_activation ON leases USING btree (activation_id);

CREATE INDEX ledger_entries_customer ON ledger_entries USING btree (customer_id);

CREATE INDEX ledger_entries_loose ON ledger_entries USING btree (id) WHERE ("position" IS NULL);

CREATE INDEX ledger_entries_payment ON ledger_entries USING btree (payment_id);

CREATE INDEX mail_documents_document ON mail_documents USING btree (document_id);

CREATE INDEX mails_created ON mails USING btree (created_at);

CREATE INDEX mails_customer ON mails USING btree (customer_id);

CREATE INDEX mails_document ON mails USING btree (document_id) WHERE (sent_at IS NULL);

CREATE INDEX mails_of_accountants ON mails USING btree (accountant_id) WHERE ((accountant_id IS NOT NULL) AND (sent_at IS NULL));

CREATE INDEX open_vouchers_due ON open_vouchers USING btree (from_date, cycle_id);

CREATE INDEX operator_actions_customer ON operator_actions USING btree (customer_id, "position") WHERE (customer_id IS NOT NULL);

CREATE INDEX order_cycles_customer ON order_cycles USING btree (customer_id);

CREATE INDEX order_cycles_cycle ON order_cycles USING btree (cycle_id);

CREATE UNIQUE INDEX order_cycles_one_live ON order_cycles USING btree (cycle_id) WHERE live;

CREATE INDEX payment_orders_activation ON payment_orders USING btree (activation_id, created_at);

CREATE INDEX payment_orders_customer ON payment_orders USING btree (customer_id);

CREATE INDEX payment_orders_next_check ON payment_orders USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);

CREATE INDEX payments_customer ON payments USING btree (customer_id);

CREATE INDEX payments_cycle ON payments USING btree (cycle_id);

CREATE UNIQUE INDEX payments_one_per_order ON payments USING btree (order_id) WHERE (use = 'CYCLE'::text);

CREATE INDEX payments_order ON payments USING btree (order_id);

CREATE INDEX period_locks_month ON period_locks USING btree (month, id DESC);

CREATE INDEX quota_days_day ON quota_days USING btree (day);

CREATE INDEX quota_raises_cycle ON quota_raises USING btree (cycle_id);

CREATE INDEX record_seals_customer ON record_seals USING btree (customer_id);

CREATE INDEX record_seals_loose ON record_seals USING btree (id) WHERE ("position" IS NULL);

CREATE INDEX record_seals_record ON record_seals USING btree (kind, record_id, id DESC);

CREATE UNIQUE INDEX refunds_at_provider_once ON refunds USING btree (provider_refund_id, cycle_id);

CREATE UNIQUE INDEX refunds_booked_once ON refunds USING btree (foreign_id, cycle_id);

CREATE UNIQUE INDEX refunds_by_operator_once ON refunds USING btree (payment_id, cycle_id, amount_paise, reason) WHERE (origin = 'OPERATOR'::text);

CREATE INDEX refunds_customer ON refunds USING btree (customer_id);

CREATE INDEX refunds_cycle ON refunds USING btree (cycle_id);

CREATE INDEX refunds_foreign ON refunds USING btree (created_at) WHERE (foreign_id IS NOT NULL);

CREATE INDEX refunds_next_try ON refunds USING btree (next_try_at) WHERE (next_try_at IS NOT NULL);

CREATE UNIQUE INDEX refunds_one_of_ours ON refunds USING btree (payment_id, cycle_id, origin) WHERE ((foreign_id IS NULL) AND (origin <> 'OPERATOR'::text));

CREATE UNIQUE INDEX refunds_ours_at_provider ON refunds USING btree (provider_refund_id) WHERE (foreign_id IS NULL);

CREATE INDEX refunds_payment ON refunds USING btree (payment_id);

CREATE INDEX refunds_unpaid ON refunds USING btree (created_at) WHERE (status = ANY (ARRAY['STARTED'::text, 'FAILED'::text]));

CREATE INDEX refunds_utr ON refunds USING btree (utr) WHERE (utr IS NOT NULL);

CREATE INDEX request_batches_activation ON request_batches USING btree (activation_id, to_at DESC, id DESC);

CREATE INDEX request_batches_day ON request_batches USING brin (day);

CREATE INDEX request_batches_tests ON request_batches USING btree (key_id, to_at DESC) WHERE test;

CREATE INDEX request_log_activation ON ONLY request_log USING btree (activation_id, to_at DESC, id DESC);

CREATE INDEX request_log_tests ON ONLY request_log USING btree (key_id, to_at DESC) WHERE test;

CREATE INDEX sessions_customer ON sessions USING btree (customer_id);

CREATE INDEX settlement_items_payment ON settlement_items USING btree (payment_id);

CREATE INDEX settlement_items_settlement ON settlement_items USING btree (settlement_id);

CREATE INDEX settlement_items_unbooked ON settlement_items USING btree (id) WHERE (booked_at IS NULL);

CREATE INDEX settlements_created ON settlements USING btree (created_at);

CREATE INDEX support_messages_customer ON support_messages USING btree (customer_id, author, created_at);

CREATE INDEX support_messages_thread ON support_messages USING btree (thread_id, created_at);

CREATE INDEX support_threads_customer ON support_threads USING btree (customer_id, changed_at);

CREATE INDEX support_threads_open ON support_threads USING btree (changed_at) WHERE (status = 'OPEN'::text);

CREATE UNIQUE INDEX tax_claims_current ON tax_claims USING btree (customer_id, kind, about) WHERE (withdrawn_at IS NULL);

CREATE INDEX tax_claims_of_customer ON tax_claims USING btree (customer_id, declared_at);

CREATE INDEX tds_claims_customer ON tds_claims USING btree (customer_id);

CREATE UNIQUE INDEX tds_claims_one_of_cycle ON tds_claims USING btree (cycle_id) WHERE (status <> 'REFUSED'::text);

CREATE INDEX tds_claims_waiting ON tds_claims USING btree (declared_at) WHERE (status = 'WAITING'::text);

CREATE INDEX usage_counts_cycle ON usage_counts USING btree (cycle_id);

CREATE INDEX webhook_deliveries_event ON webhook_deliveries USING btree (event_id);

CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries USING btree (webhook_id, created_at DESC);

CREATE INDEX webhook_events_created ON webhook_events USING btree (created_at);

CREATE INDEX webhook_events_customer ON webhook_events USING btree (customer_id);

CREATE INDEX webhook_inbox_next_try ON webhook_inbox USING btree (next_try_at) WHERE (next_try_at IS NOT NULL);

CREATE INDEX webhook_inbox_order ON webhook_inbox USING btree (((body #>> '{payload,payment,entity,order_id}'::text[])));

CREATE INDEX webhook_inbox_processed ON webhook_inbox USING btree (processed_at) WHERE (processed_at IS NOT NULL);

CREATE INDEX webhooks_customer ON webhooks USING btree (customer_id);

-- views

create view current_papers as
 SELECT cycle_id,
    customer_id,
    id AS document_id,
    kind,
    number
   FROM documents d
  WHERE ((kind = ANY (ARRAY['INVOICE'::document_kind, 'RECEIPT_VOUCHER'::document_kind])) AND (NOT (EXISTS ( SELECT
           FROM documents f
          WHERE ((f.refers_to = d.id) AND (f.kind = 'INVOICE'::document_kind))))));

-- columns: cycle_id text, customer_id text, document_id text, kind document_kind, number text

create view cycle_payments as
 SELECT p.provider_payment_id,
    p.order_id,
    oc.cycle_id,
    oc.customer_id,
    oc.place,
    oc.amount_paise,
    p.currency,
    p.captured_at
   FROM (payments p
     JOIN order_cycles oc ON ((oc.order_id = p.order_id)))
  WHERE (p.use = 'CYCLE'::text);

-- columns: provider_payment_id text, order_id text, cycle_id text, customer_id text, place integer, amount_paise bigint, currency text, captured_at timestamp with time zone

create view logged_batches as
 SELECT request_log.id,
    request_log.activation_id,
    request_log.key_id,
    request_log.day,
    request_log.test,
    request_log.from_at,
    request_log.to_at,
    request_log.calls,
    request_log.counted,
    request_log.statuses,
    request_log.dictionary,
    request_log.records,
    request_log.problems
   FROM request_log
UNION ALL
 SELECT request_batches.id,
    request_batches.activation_id,
    request_batches.key_id,
    request_batches.day,
    request_batches.test,
    request_batches.from_at,
    request_batches.to_at,
    request_batches.calls,
    request_batches.counted,
    request_batches.statuses,
    request_batches.dictionary,
    request_batches.records,
    request_batches.problems
   FROM request_batches;

-- columns: id uuid, activation_id text, key_id text, day date, test boolean, from_at timestamp with time zone, to_at timestamp with time zone, calls integer, counted integer, statuses smallint[], dictionary text, records bytea, problems jsonb

-- functions

CREATE OR REPLACE FUNCTION accountants_are_asked()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Requests to one address, and those of one customer, wait for each other.
  perform pg_advisory_xact_lock(hashtextextended('accountant ' || each, 0))
    from unnest(array[least(new.email, new.customer_id), greatest(new.email, new.customer_id)]) as each;
  if new.confirmed_at is not null or new.ended_at is not null then
    raise exception 'a request to an accountant is neither confirmed nor ended when it is made';
  end if;
  if exists (select from accountants where customer_id = new.customer_id and email = new.email and ended_by = 'ACCOUNTANT'
    and ended_at > new.asked_at - interval '365 days') then
    raise exception 'the accountant declined' using constraint = 'accountants_declined';
  end if;
  if (select count(*) from accountants where customer_id = new.customer_id and confirmed_at is null
      and asked_at > new.asked_at - interval '30 days') >= 3
    or (select count(*) from accountants where email = new.email and confirmed_at is null
      and asked_at > new.asked_at - interval '30 days') >= 3 then
    raise exception 'accountants were asked too often' using constraint = 'accountants_asked_too_often';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION accountants_stand()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if to_jsonb(new) - array['confirmed_at', 'next_month', 'ended_at', 'ended_by'] is distinct from
      to_jsonb(old) - array['confirmed_at', 'next_month', 'ended_at', 'ended_by']
    or old.ended_at is not null
    or (old.confirmed_at is not null and new.confirmed_at is distinct from old.confirmed_at)
    or new.next_month < old.next_month then
    raise exception 'accountant % can only be confirmed once, sent the next month, and ended', old.id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION activations_stay()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.id, new.customer_id, new.service_id, new.created_at) is distinct from (old.id, old.customer_id, old.service_id, old.created_at)
     or (old.deleted_at is not null and new.deleted_at is distinct from old.deleted_at) then
    raise exception 'activation % stays what it is', old.id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION add_request_log_days(p_from date, p_until date)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '1s'
AS $function$
declare
  v_day date;
  v_name text;
  v_made integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('request_log', 65)) then return 0; end if;
  for v_day in select d::date from generate_series(p_from, p_until, interval '1 day') d loop
    v_name := 'request_log_' || to_char(v_day, 'YYYYMMDD');
    continue when to_regclass('partitions.' || v_name) is not null;
    lock table partitions.request_log_rest in access exclusive mode;
    execute format('create table partitions.%I (like request_log including defaults including constraints including storage)', v_name);
    execute format('insert into partitions.%I select * from partitions.request_log_rest where day = %L', v_name, v_day);
    delete from partitions.request_log_rest where day = v_day;
    execute format('alter table request_log attach partition partitions.%I for values from (%L) to (%L)', v_name, v_day, v_day + 1);
    v_made := v_made + 1;
  end loop;
  return v_made;
exception when lock_not_available then
  return 0;
end $function$;

CREATE OR REPLACE FUNCTION amendments_are_lawful()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  d documents;
  details text[] := '{recipient,placeOfSupply,placeOfSupplyName}';
begin
  select * into d from documents where id = new.document_id;
  if d.kind not in ('INVOICE', 'CREDIT_NOTE') or d.customer_id <> new.customer_id or d.content - details <> new.content - details
     or (d.content ->> 'supplyType' = 'B2C' and d.content -> 'placeOfSupply' <> new.content -> 'placeOfSupply')
     or (d.content #> '{recipient,gstin}' <> new.content #> '{recipient,gstin}' and exists (select from e_invoices where document_id = d.id))
  then
    raise exception 'document % cannot be amended to that', d.number;
  end if;
  if new.amended_on > make_date(extract(year from d.issued_on - interval '3 months')::int + 1, 11, 30) then
    raise exception 'document % is amended after 30 November', d.number;
  end if;
  if month_is_locked(new.amended_on) then
    raise exception 'document % would be amended on %, and that month is locked', d.number, new.amended_on;
  end if;
  if exists (select from documents where refers_to = d.id and kind = 'INVOICE')
     or exists (select from e_invoices where document_id = d.id and cancelled_at is not null) then
    raise exception 'document % was replaced and cannot be amended', d.number;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION announce_access_change(p_activations text[], p_catalog integer DEFAULT NULL::integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_activation text;
  v_version bigint;
begin
  perform pg_advisory_xact_lock(hashtext('access_changes'));
  insert into access_changes (version, changed_at) values (nextval('access_version'), clock_timestamp())
    returning version into v_version;
  -- Gateways look back over seconds; thousands of changes are more than enough.
  delete from access_changes where version <= v_version - 10000;
  foreach v_activation in array p_activations loop
    perform pg_notify('access', 'activation ' || v_activation);
  end loop;
  if p_catalog is not null then
    perform pg_notify('catalog', 'use ' || p_catalog);
  end if;
  perform pg_notify('access', 'barrier ' || v_version);
end $function$;

CREATE OR REPLACE FUNCTION api_keys_stay_revoked()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  erased text[] := '{name,key_hash,hint,prefix,allowed_ips}';
begin
  -- A key of an erased customer loses what could name him; it counts no call any more.
  if old.revoked_at is not null and is_erased(old.customer_id) and to_jsonb(new) - erased = to_jsonb(old) - erased then
    return new;
  end if;
  if old.revoked_at is not null and new is distinct from old then
    raise exception 'key % is revoked for good', old.id;
  end if;
  if (new.id, new.activation_id, new.customer_id, new.name, new.key_hash, new.hint, new.created_at, new.test, new.prefix)
     is distinct from (old.id, old.activation_id, old.customer_id, old.name, old.key_hash, old.hint, old.created_at, old.test, old.prefix) then
    raise exception 'key % stays what it is', old.id;
  end if;
  if old.replaced_by is not null and (new.replaced_by is distinct from old.replaced_by
     or (new.expires_at is null and new.revoked_at is null) or new.expires_at > old.expires_at) then
    raise exception 'key % was replaced and ends as it was said', old.id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION blocks_are_recorded()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.erased_at is null and not exists (select from operator_actions a where a.customer_id = new.id and a.target = new.id
      and a.action = case when new.blocked_at is null then 'customers.unblock' else 'customers.block' end
      and (new.blocked_reason is null or a.reason = new.blocked_reason) and is_recorded_now(a)) then
    raise exception 'the block of customer % is not in the audit log', new.id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION capture_entry(payment_id text, place integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select 'capture:' || payment_id || case place when 1 then '' else ':' || place end
$function$;

CREATE OR REPLACE FUNCTION catalog_version_files_complete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (select active_from from catalog_versions where version = new.version) is not null then
    raise exception 'catalogue version % stays what it is', new.version;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION catalog_versions_follow()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.version <> (select coalesce(max(version), 0) + 1 from catalog_versions) then
    raise exception 'catalogue version % does not follow the last one', new.version;
  end if;
  if new.active_from is not null then
    raise exception 'catalogue version % is put into effect after its files are stored', new.version;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION catalog_versions_stay()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.active_from is not null or to_jsonb(new) - 'active_from' is distinct from to_jsonb(old) - 'active_from' then
    raise exception 'catalogue version % stays what it is', old.version;
  end if;
  if exists (select from catalog_versions where version > new.version and active_from is not null) then
    raise exception 'a later catalogue than version % already applies', new.version;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION chain_operator_action()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  head operator_head;
begin
  select * into head from operator_head for update;
  new.position := head.position + 1;
  new.acted_at := clock_timestamp();
  new.hash := hash_of_operator_action(head.hash, new);
  update operator_head set position = new.position, hash = new.hash;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION chain_seals(most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  head seal_head;
  s record_seals;
  chained integer := 0;
begin
  select * into head from seal_head for update;
  for s in select * from record_seals where position is null order by id limit most loop
    s.position := head.position + 1;
    s.hash := hash_of_seal(head.hash, s);
    update record_seals set position = s.position, hash = s.hash where id = s.id;
    head.position := s.position;
    head.hash := s.hash;
    chained := chained + 1;
  end loop;
  update seal_head set position = head.position, hash = head.hash;
  return chained;
end $function$;

CREATE OR REPLACE FUNCTION claims_are_declared()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  is_sez boolean := new.content ->> 'supplyType' in ('SEZWP', 'SEZWOP');
  portal_says text;
begin
  if is_sez then
    select outcome into portal_says from sez_checks
      where customer_id = new.customer_id and gstin = new.content #>> '{recipient,gstin}' order by checked_at desc limit 1;
    if portal_says in ('UNIT', 'DEVELOPER') then
      return new;
    end if;
    if portal_says is not null then
      raise exception 'document % is %, which the GST portal contradicts', new.number, new.content ->> 'supplyType';
    end if;
  end if;
  if not exists (select from tax_claims where customer_id = new.customer_id and withdrawn_at is null
    and kind = case when is_sez then 'SEZ' else 'EXPORT' end
    and about = case when is_sez then new.content #>> '{recipient,gstin}' else new.content #>> '{recipient,country}' end) then
    raise exception 'document % is %, which its buyer has not declared', new.number, new.content ->> 'supplyType';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION clock_stays_reached()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.offset_ms <> old.offset_ms then
    -- Moved on purpose, which only the stand-ins do: what was reached no longer counts.
    new.reached_day := null;
  elsif new.reached_day < old.reached_day then
    raise exception 'the day % has been reached', old.reached_day;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION corrections_lower_the_invoice()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from documents d join documents b on b.id = d.refers_to
    where d.payment_id = new.payment_id and d.cycle_id = new.cycle_id and d.kind = 'INVOICE' and b.kind = 'INVOICE'
      and d.content ->> 'tax' = 'NONE' and b.content ->> 'tax' <> 'NONE' and b.total_paise - d.total_paise >= new.amount_paise) then
    raise exception 'refund % has no corrected invoice over that much less', new.id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION count_calls(p_journal text, p_from bigint, p_to bigint, p_calls jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from count_journal(p_journal, p_from, p_to, p_calls)) then
    raise exception 'journal % has calls on plans that this database does not have: start a gateway of the present version on it, or run octroi journals settle', p_journal;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION count_journal(p_journal text, p_from bigint, p_to bigint, p_calls jsonb)
 RETURNS TABLE(activation_id text, cycle_id text, calls bigint, units bigint, first_day date, last_day date, fault text)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_position bigint;
  v_call jsonb;
  v_day date;
begin
  select position into v_position from journals where id = p_journal for update;
  if v_position = p_to then return; end if;
  if v_position is distinct from p_from then
    raise exception 'journal % stands at %, not at %', p_journal, v_position, p_from;
  end if;
  update journals set position = p_to where id = p_journal;
  begin
    return query select t.*, null::text from count_tallies(p_journal, p_calls) t;
    return;
  exception when data_exception or integrity_constraint_violation or program_limit_exceeded then
    -- The fault lies with some of these calls, so each is counted by itself.
  end;
  for v_call in
    select c from jsonb_array_elements(p_calls) c
    order by c ->> 'activation', c ->> 'day', c ->> 'key', c ->> 'cycle', c ->> 'class', c ->> 'counted'
  loop
    begin
      return query select t.*, null::text from count_tallies(p_journal, jsonb_build_array(v_call)) t;
    exception when data_exception or integrity_constraint_violation or program_limit_exceeded then
      v_day := case when pg_input_is_valid(v_call ->> 'day', 'date') then (v_call ->> 'day')::date end;
      return query select v_call ->> 'activation', v_call ->> 'cycle', (v_call ->> 'calls')::bigint,
        case when (v_call ->> 'counted')::boolean then (v_call ->> 'calls')::bigint * coalesce((v_call ->> 'units')::bigint, 1) else 0 end,
        v_day, v_day, sqlerrm;
    end;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION count_repeatable(p_journal text, p_calls jsonb)
 RETURNS TABLE(id text)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
declare
  r record;
  v_by text;
  v_new text[] := '{}';
  v_broken text[] := '{}';
begin
  -- One gateway at a time decides about an Idempotency-Key.
  perform pg_advisory_xact_lock(l.lock) from (
    select distinct hashtextextended(c.activation || ' ' || c."keyHash", 21) as lock
    from jsonb_to_recordset(p_calls) as c (activation text, "keyHash" text) order by 1
  ) l;
  for r in
    select c.id, case when c.response = c.id or is_request_id(c.response) then c.response end as response, c.activation, c."startedAt",
      coalesce(c.broken, false) as broken, decode(c."keyHash", 'hex') as hash
    from jsonb_to_recordset(p_calls) as c
      (id text, response text, "keyHash" text, "startedAt" timestamptz, activation text, broken boolean)
  loop
    if r.broken then
      delete from counted_responses k
        where k.activation_id = r.activation and k.counted_by = r.id and k.key_hash = r.hash and not k.given_again;
      if found then v_broken := v_broken || r.id; end if;
      continue;
    end if;
    v_by := null;
    select k.counted_by into v_by from counted_responses k
      where k.activation_id = r.activation and k.response_id = coalesce(r.response, r.id);
    if v_by is null and r.response is null then
      -- A replay that doesn't tell what it repeats counts if nothing was counted under its key while products keep responses.
      select k.counted_by into v_by from counted_responses k
        where k.activation_id = r.activation and k.key_hash = r.hash and k.counted_at > clock_timestamp() - interval '1 day' limit 1;
    elsif v_by is null and r.response = r.id then
      -- Such a replay may have overtaken the call that it repeats.
      update counted_responses k set awaits_first = false
        where k.activation_id = r.activation and k.key_hash = r.hash and k.awaits_first and k.counted_at >= r."startedAt"
        returning k.counted_by into v_by;
    end if;
    if v_by is null then v_new := v_new || r.id; end if;
    v_by := coalesce(v_by, r.id);
    if v_by <> r.id then
      update counted_responses k set given_again = true
        where k.activation_id = r.activation and k.counted_by = v_by and k.key_hash = r.hash and not k.given_again;
    end if;
    if r.response is not null or v_by = r.id then
      insert into counted_responses (activation_id, response_id, key_hash, counted_by, awaits_first)
        values (r.activation, coalesce(r.response, r.id), r.hash, v_by, r.response is null)
        on conflict do nothing;
    end if;
    if v_by = r.id then
      id := r.id;
      return next;
    end if;
  end loop;

  insert into usage_counts as u (activation_id, day, key_id, cycle_id, status_class, counted, calls, units, last_at)
    select c.activation, c.day, c.key, c.cycle, c.class, true, sum(case when c.broken then -1 else 1 end),
      sum(case when c.broken then -1 else 1 end * coalesce(c.units, 1)), clock_timestamp()
    from jsonb_to_recordset(p_calls) as c
      (id text, activation text, day date, key text, cycle text, class smallint, units integer, broken boolean)
    where c.id = any (case when c.broken then v_broken else v_new end)
    group by 1, 2, 3, 4, 5
    order by 1, 2, 3, 4, 5
    on conflict (activation_id, day, key_id, cycle_id, status_class, counted)
      do update set calls = u.calls + excluded.calls, units = u.units + excluded.units, last_at = greatest(u.last_at, excluded.last_at);
  if v_broken <> '{}' then
    -- The gateway holds no unit for these any more: they go back to the quotas. With the days locked, nobody else changes these leases.
    perform 1 from quota_days q where (q.activation_id, q.day) in
      (select c.activation, c.day from jsonb_to_recordset(p_calls) as c (id text, activation text, day date, broken boolean)
        where c.broken and c.id = any (v_broken))
      order by q.activation_id, q.day for update;
    perform release_quota(p_journal, (
      select jsonb_agg(jsonb_build_object('activation', b.activation, 'cycle', b.cycle, 'day', b.day, 'key', b.lease,
        'keep', coalesce(l.held, 0) - b.units))
      from (
        select c.activation, c.cycle, c.day, coalesce(c.lease, '') as lease, sum(coalesce(c.units, 1)) as units
        from jsonb_to_recordset(p_calls) as c (id text, activation text, cycle text, day date, lease text, units integer, broken boolean)
        where c.broken and c.id = any (v_broken) group by 1, 2, 3, 4
      ) b
      left join leases l on l.journal_id = p_journal and l.activation_id = b.activation and l.cycle_id = b.cycle and l.day = b.day
        and l.key_id = b.lease
    ), '{}');
  end if;
  -- What was given back just now was not held: with it the leases stand where they stood.
  insert into leases as l (journal_id, activation_id, cycle_id, day, key_id, held)
    select p_journal, c.activation, c.cycle, c.day, coalesce(c.lease, ''), sum(case when c.broken then 1 else -1 end * coalesce(c.units, 1))
    from jsonb_to_recordset(p_calls) as c (id text, activation text, day date, cycle text, lease text, units integer, broken boolean)
    where c.id = any (case when c.broken then v_broken else v_new end) group by 2, 3, 4, 5
    on conflict (journal_id, activation_id, cycle_id, day, key_id) do update set held = l.held + excluded.held;
end $function$;

CREATE OR REPLACE FUNCTION count_tallies(p_journal text, p_calls jsonb)
 RETURNS TABLE(activation_id text, cycle_id text, calls bigint, units bigint, first_day date, last_day date)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
begin
  insert into usage_counts as u (activation_id, day, key_id, cycle_id, status_class, counted, calls, units, last_at)
    select x.activation, x.day, x.key, x.cycle, x.class, x.counted, sum(x.calls),
      case when x.counted then sum(x.calls * coalesce(x.units, 1)) else 0 end, max(x.last)
    from jsonb_to_recordset(p_calls) as x
      (activation text, day date, key text, cycle text, class smallint, counted boolean, calls integer, units integer, last timestamptz)
      join cycles c on c.id = x.cycle and c.activation_id = x.activation
    group by 1, 2, 3, 4, 5, 6
    order by 1, 2, 3, 4, 5, 6
    on conflict (activation_id, day, key_id, cycle_id, status_class, counted)
      do update set calls = u.calls + excluded.calls, units = u.units + excluded.units, last_at = greatest(u.last_at, excluded.last_at);
  insert into leases as l (journal_id, activation_id, cycle_id, day, key_id, held)
    select p_journal, x.activation, x.cycle, x.day, coalesce(x.lease, ''), -sum(x.calls * coalesce(x.units, 1))
    from jsonb_to_recordset(p_calls) as x
      (activation text, cycle text, day date, lease text, counted boolean, calls integer, units integer)
      join cycles c on c.id = x.cycle and c.activation_id = x.activation
    where x.counted group by 2, 3, 4, 5
    on conflict (journal_id, activation_id, cycle_id, day, key_id) do update set held = l.held + excluded.held;
  return query
    select x.activation, x.cycle, sum(x.calls), sum(case when x.counted then x.calls * coalesce(x.units, 1) else 0 end), min(x.day), max(x.day)
    from jsonb_to_recordset(p_calls) as x (activation text, cycle text, day date, counted boolean, calls integer, units integer)
    where not exists (select from cycles c where c.id = x.cycle and c.activation_id = x.activation)
    group by 1, 2
    order by 1, 2;
end $function$;

CREATE OR REPLACE FUNCTION customers_stay_erased()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.erased_at is not null and new is distinct from old then
    raise exception 'customer % is erased for good', old.id;
  end if;
  if new.google_sub <> old.google_sub and new.erased_at is null then
    raise exception 'the identity of customer % never changes', old.id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION cycles_are_paid()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  c cycles;
  given_back bigint;
begin
  select * into c from cycles where id = new.id;
  if c.paid_at is null then
    if c.status = 'REFUNDED' then raise exception 'cycle % was never paid', c.id; end if;
    return null;
  end if;
  if not exists (select from cycle_payments where cycle_id = c.id) then
    raise exception 'cycle % is paid by no payment', c.id;
  end if;
  select coalesce(sum(r.amount_paise - r.covers_paise), 0) into given_back
    from refunds r join cycle_payments p on p.provider_payment_id = r.payment_id and p.cycle_id = r.cycle_id where p.cycle_id = c.id;
  if c.status = 'PAID' and given_back >= c.price_paise or c.status = 'REFUNDED' and given_back < c.price_paise then
    raise exception 'cycle % is % while % paise of it are given back', c.id, c.status, given_back;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION cycles_begin_in_time()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  reached date;
begin
  select reached_day into reached from clock;
  if new.from_date < reached then
    raise exception 'cycle % would begin on %, and % has been reached', new.id, new.from_date, reached
      using errcode = 'serialization_failure';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION cycles_move_forward()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.id <> old.id or new.activation_id <> old.activation_id or new.customer_id <> old.customer_id
     or new.plan <> old.plan or new.daily_quota <> old.daily_quota
     or new.monthly_quota <> old.monthly_quota or new.rps <> old.rps or new.created_at <> old.created_at
     or (new.price_paise <> old.price_paise and not (
          old.status = 'PAYMENT_PENDING' and new.status = 'PAYMENT_PENDING' and new.price_paise >= (new.plan ->> 'pricePaise')::bigint
          and not exists (select from order_cycles where cycle_id = new.id and live))) then
    raise exception 'what was sold in cycle % never changes', old.id;
  end if;
  if new.status <> old.status and not (
       (old.status = 'PAYMENT_PENDING' and new.status in ('PAID', 'REMOVED', 'REFUNDED'))
    or (old.status = 'PAID' and new.status in ('DEACTIVATED', 'REFUNDED'))
    or (old.status = 'NO_PAYMENT_REQUIRED' and new.status = 'DEACTIVATED')
  ) then
    raise exception 'cycle % cannot go from % to %', old.id, old.status, new.status;
  end if;
  -- A cycle paid late starts on the first free day (product §4.14), a pack on the day of its payment; otherwise their days stand.
  if (new.from_date, new.to_date) <> (old.from_date, old.to_date)
     and not (old.status = 'PAYMENT_PENDING' and new.status = 'PAID' and (case when new.adds_to is null
       then new.to_date - new.from_date = old.to_date - old.from_date else new.to_date = old.to_date and new.from_date >= old.from_date end)) then
    raise exception 'the days of cycle % stand', old.id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION cycles_need_activation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.status in ('PAID', 'NO_PAYMENT_REQUIRED') and (tg_op = 'INSERT' or old.status <> new.status)
     and (select deleted_at from activations where id = new.activation_id for share) is not null then
    raise exception 'activation % is deleted', new.activation_id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION cycles_replace_running()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from cycles r where r.id = new.replaces and r.status in ('PAID', 'NO_PAYMENT_REQUIRED')
      and r.from_date <= new.from_date and new.from_date < r.to_date)
     and not (new.status = 'NO_PAYMENT_REQUIRED' and exists (select from cycles r
      where r.id = new.replaces and r.status = 'DEACTIVATED' and r.ended_at = new.created_at)) then
    raise exception 'cycle % replaces %, which does not run on %', new.id, new.replaces, new.from_date;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION disputes_are_booked()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  d disputes;
begin
  select * into d from disputes where provider_dispute_id = new.provider_dispute_id;
  if (d.held_paise > 0) <> exists (select from ledger_entries where id = 'held:' || d.provider_dispute_id)
     or (d.held_paise > 0 and d.ended_at is not null) <> exists (select from ledger_entries where id = 'released:' || d.provider_dispute_id)
     or (d.loss_paise > 0) <> exists (select from ledger_entries where id = 'loss:' || d.provider_dispute_id) then
    raise exception 'dispute % is not in the ledger', d.provider_dispute_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION disputes_move_forward()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.provider_dispute_id, new.payment_id, new.cycle_id, new.customer_id, new.created_at)
     is distinct from (old.provider_dispute_id, old.payment_id, old.cycle_id, old.customer_id, old.created_at)
     or old.held_paise <> 0 and new.held_paise <> old.held_paise
     or old.ended_at is not null and (new.status, new.ended_at, new.deducted_paise, new.loss_paise, new.held_paise)
       is distinct from (old.status, old.ended_at, old.deducted_paise, old.loss_paise, old.held_paise) then
    raise exception 'dispute % cannot go from % to %', old.provider_dispute_id, old.status, new.status;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION document_series_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  form document_series_forms;
  before document_series;
begin
  if tg_op = 'DELETE' or (tg_op = 'INSERT' and new.last_number <> 1) or (tg_op = 'UPDATE' and (
       (new.series, new.financial_year, new.last_number) <> (old.series, old.financial_year, old.last_number + 1)
       or new.last_issued_at < old.last_issued_at)) then
    raise exception 'a series counts up by one';
  end if;
  if exists (select from closed_series where series = new.series and financial_year = new.financial_year) then
    raise exception 'series % of % is closed', new.series, new.financial_year;
  end if;
  select * into form from document_series_forms where name = new.series;
  if new.last_number > form.last then
    raise exception 'series % of % is full', new.series, new.financial_year;
  end if;
  if tg_op = 'INSERT' and form.place > 0 then
    select s.* into before from document_series s join document_series_forms f on f.name = s.series
      where f.kind = form.kind and f.place < form.place and s.financial_year = new.financial_year
      order by f.place desc limit 1;
    if not exists (select from document_series_forms f
        left join document_series s on s.series = f.name and s.financial_year = new.financial_year
        left join closed_series c on c.series = f.name and c.financial_year = new.financial_year
        where f.kind = form.kind and f.place = form.place - 1 and (s.last_number >= f.last or c.series is not null)) then
      raise exception 'series % of % begins before the one in front of it is full', new.series, new.financial_year;
    end if;
    -- Numbers increase with time across series too, also when a clock goes back.
    new.last_issued_at := greatest(new.last_issued_at, before.last_issued_at);
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION document_series_used()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from documents
                 where series = new.series and financial_year = new.financial_year and sequence = new.last_number) then
    raise exception 'number % of series % was taken and not used', new.last_number, new.series;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION documents_are_paid()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (
    select from cycle_payments p where p.provider_payment_id = new.payment_id and p.cycle_id = new.cycle_id and p.customer_id = new.customer_id
  ) then
    raise exception 'document % is over money that did not pay for cycle %', new.number, new.cycle_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION documents_dated_in_open_month()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if month_is_locked(new.issued_on) then
    raise exception 'document % would be dated %, and that month is locked', new.number, new.issued_on;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION documents_follow()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  before documents;
  form document_series_forms;
  returned bigint;
  loses_tax boolean;
begin
  if (select (last_number, last_issued_at) from document_series where series = new.series and financial_year = new.financial_year)
     is distinct from (new.sequence, new.issued_at) then
    raise exception 'document % does not have the next number of its series', new.number;
  end if;
  select * into form from document_series_forms where name = new.series;
  if form.kind is distinct from new.kind or new.number !~ ('^[A-Za-z0-9]{1,3}/' || right(new.financial_year, 5) || '/' || form.letters
       || lpad(new.sequence::text, form.digits, '0') || '$') then
    raise exception 'document % does not have the number of its place in series %', new.number, new.series;
  end if;
  if new.refers_to is null then return new; end if;
  -- Locked, so that no two follow it without seeing each other.
  select * into before from documents where id = new.refers_to for update;
  select coalesce(sum(total_paise), 0) into returned from documents where refers_to = before.id and kind in ('CREDIT_NOTE', 'REFUND_VOUCHER');
  loses_tax := before.kind = 'INVOICE' and before.content ->> 'tax' <> 'NONE' and new.content ->> 'tax' = 'NONE';
  if (before.cycle_id, before.customer_id, before.payment_id) is distinct from (new.cycle_id, new.customer_id, new.payment_id)
     or (new.kind = 'INVOICE' and new.total_paise <> before.total_paise - returned
       and not (loses_tax and new.total_paise < before.total_paise - returned))
     or (new.kind <> 'INVOICE' and new.total_paise > before.total_paise - returned)
     or (new.kind = 'REFUND_VOUCHER' and exists (select from documents where refers_to = before.id and kind = 'INVOICE'))
     or (before.kind, new.kind) not in (
       ('RECEIPT_VOUCHER', 'INVOICE'), ('RECEIPT_VOUCHER', 'REFUND_VOUCHER'), ('INVOICE', 'INVOICE'), ('INVOICE', 'CREDIT_NOTE'))
  then
    raise exception 'document % cannot follow %', new.number, before.number;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION documents_issued_in_time()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  reached date;
begin
  select reached_day into reached from clock;
  if new.issued_on < reached then
    raise exception 'document % would be dated %, and % has been reached', new.number, new.issued_on, reached
      using errcode = 'serialization_failure';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION documents_of_one_registration()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before text;
begin
  select content -> 'supplier' ->> 'gstin' into before from documents where id = new.refers_to;
  if new.content -> 'supplier' ->> 'gstin' is distinct from before then
    raise exception 'document % is not of the registration % of the document that it follows', new.number, before;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION documents_wait()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into e_invoice_waits (document_id, since) values (new.id, new.issued_at);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION drop_request_log_days(p_before date)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '1s'
AS $function$
declare
  v_name text;
  v_dropped integer := 0;
begin
  delete from partitions.request_log_rest where day < p_before;
  for v_name in
    select relname from pg_class where relnamespace = 'partitions'::regnamespace and relkind = 'r'
      and relname ~ '^request_log_\d{8}$' and to_date(right(relname, 8), 'YYYYMMDD') < p_before order by relname
  loop
    begin
      execute format('drop table partitions.%I', v_name);
      v_dropped := v_dropped + 1;
    exception when lock_not_available then
      return v_dropped;
    end;
  end loop;
  return v_dropped;
end $function$;

CREATE OR REPLACE FUNCTION e_invoices_cancelled_in_open_month()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  d documents;
begin
  select * into d from documents where id = new.document_id;
  if month_is_locked(d.issued_on) then
    raise exception 'invoice % of % cannot be cancelled: that month is locked', d.number, d.issued_on;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION e_invoices_stay()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' or old.cancelled_at is not null
     or (to_jsonb(new) - '{cancelled_at,cancel_reason}'::text[]) <> (to_jsonb(old) - '{cancelled_at,cancel_reason}'::text[]) then
    raise exception 'a registration only changes by being cancelled';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION e_invoices_waited()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from e_invoice_waits where document_id = new.document_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION earlier_of_day(c cycles, p_day date)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
  select case when c.price_paise = 0 then 0 else coalesce((select sum(units_of(e, p_day, p_day + 1)) from cycles e
    where e.customer_id = c.customer_id and e.service_id = c.service_id and e.activation_id <> c.activation_id and e.price_paise > 0
      and e.adds_to is null and e.from_date <= p_day and p_day < e.to_date), 0) end
$function$;

CREATE OR REPLACE FUNCTION erased_get_nothing()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from customers where id = new.customer_id and erased_at is null for key share;
  if not found and is_erased(new.customer_id) then
    raise exception 'customer % is erased', new.customer_id using constraint = 'customers_erased';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION erasure_requests_end()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.id, new.customer_id, new.asked_at) is distinct from (old.id, old.customer_id, old.asked_at) or old.ended_at is not null
    or (new.outcome = 'ERASED') is distinct from is_erased(new.customer_id) then
    raise exception 'request % ends once, as it was said', old.id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION erasures_are_recorded()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from operator_actions a where a.customer_id = new.id and a.target = new.id and a.action = 'customers.erase'
      and is_recorded_now(a)) then
    raise exception 'the erasure of customer % is not in the audit log', new.id;
  end if;
  if (new.google_sub, new.email, new.name, new.given_name, new.family_name, new.picture, new.mails_off)
      is distinct from ('erased:' || new.id, new.id || '@erased.invalid', 'Erased customer', '', '', '', '{}'::text[])
    or new.blocked_at is not null or new.blocked_reason is not null then
    raise exception 'the account of customer % is not erased', new.id;
  end if;
  if exists (select from sessions where customer_id = new.id) or exists (select from profiles where customer_id = new.id)
    or exists (select from webhooks where customer_id = new.id) or exists (select from accountants where customer_id = new.id)
    or exists (select from support_threads where customer_id = new.id)
    or exists (select from api_keys where customer_id = new.id and (revoked_at is null or prefix is not null))
    or exists (select from activations where customer_id = new.id and deleted_at is null)
    or exists (select from erasure_requests where customer_id = new.id and ended_at is null) then
    raise exception 'something of customer % is left', new.id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION excess_tax_has_a_voucher()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from documents d join documents b on b.id = d.refers_to
    where d.payment_id = new.payment_id and d.cycle_id = new.cycle_id and d.kind = 'REFUND_VOUCHER' and d.total_paise = new.amount_paise
      and b.kind = 'RECEIPT_VOUCHER' and (b.content -> 'item' ->> 'fromDate')::date <= d.issued_on) then
    raise exception 'refund % of excess tax has no refund voucher', new.id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION fixed_of_accountants(r accountants)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.email, seal_text(r.asked_at)))
    || case when r.confirmed_at is not null then seal_hash(jsonb_build_array(seal_text(r.confirmed_at))) else ''::bytea end
    || case when r.ended_at is not null then seal_hash(jsonb_build_array(seal_text(r.ended_at), r.ended_by)) else ''::bytea end
$function$;

CREATE OR REPLACE FUNCTION fixed_of_activations(r activations)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.service_id, seal_text(r.created_at)))
    || case when r.deleted_at is not null then seal_hash(jsonb_build_array(seal_text(r.deleted_at))) else ''::bytea end
$function$;

CREATE OR REPLACE FUNCTION fixed_of_api_keys(r api_keys)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.id, r.activation_id, r.customer_id, r.name, encode(r.key_hash, 'hex'), r.hint, seal_text(r.created_at), r.test,
      r.prefix))
    || case when r.revoked_at is not null then seal_hash(jsonb_build_array(seal_text(r.revoked_at), seal_text(r.expires_at), to_jsonb(r.allowed_ips),
      r.daily_cap, r.replaced_by)) else ''::bytea end
$function$;

CREATE OR REPLACE FUNCTION fixed_of_catalog_versions(r catalog_versions)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.version, encode(r.sha256, 'hex'), seal_text(r.created_at), r.author, r.reason))
    || case when r.active_from is not null then seal_hash(jsonb_build_array(seal_text(r.active_from))) else ''::bytea end
$function$;

CREATE OR REPLACE FUNCTION fixed_of_cycles(r cycles)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.id, r.activation_id, r.customer_id, r.service_id, r.plan, r.tenure, r.daily_quota, r.monthly_quota, r.rps,
      seal_text(r.created_at), r.replaces, r.adds_to, r.granted_reason))
    || case when r.status = 'PAYMENT_PENDING' then ''::bytea
      else seal_hash(jsonb_build_array(r.price_paise, seal_text(r.from_date), seal_text(r.to_date), seal_text(r.paid_at))) end
    || case when r.status in ('DEACTIVATED', 'REMOVED', 'REFUNDED') then seal_hash(jsonb_build_array(r.status::text, seal_text(r.ended_at))) else ''::bytea end
$function$;

CREATE OR REPLACE FUNCTION fixed_of_disputes(r disputes)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.provider_dispute_id, r.payment_id, r.cycle_id, r.customer_id, seal_text(r.created_at)))
    || case when r.ended_at is not null then seal_hash(jsonb_build_array(r.amount_paise, r.phase, r.reason, r.status, seal_text(r.respond_by),
      seal_text(r.ended_at), r.held_paise, r.deducted_paise, r.loss_paise, seal_text(r.submitted_at))) else ''::bytea end
$function$;

CREATE OR REPLACE FUNCTION fixed_of_e_invoice_waits(r e_invoice_waits)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.document_id, seal_text(r.since)))
    || case when r.closed_at is not null then seal_hash(jsonb_build_array(seal_text(r.refused_at), r.refused_code, r.refused_reason, seal_text(r.closed_at)))
      else ''::bytea end
$function$;

CREATE OR REPLACE FUNCTION fixed_of_e_invoices(r e_invoices)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.document_id, r.irn, r.ack_number, seal_text(r.ack_at), r.signed_qr, r.signed_invoice))
    || case when r.cancelled_at is not null then seal_hash(jsonb_build_array(seal_text(r.cancelled_at), r.cancel_reason)) else ''::bytea end
$function$;

CREATE OR REPLACE FUNCTION fixed_of_letters_of_undertaking(r letters_of_undertaking)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.arn))
$function$;

CREATE OR REPLACE FUNCTION fixed_of_order_cycles(r order_cycles)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.order_id, r.cycle_id, r.activation_id, r.customer_id, r.place, r.amount_paise))
$function$;

CREATE OR REPLACE FUNCTION fixed_of_payment_orders(r payment_orders)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.id, r.cycle_id, r.activation_id, r.customer_id, r.amount_paise, r.currency, seal_text(r.created_at)))
    || case when r.provider_order_id is not null then seal_hash(jsonb_build_array(r.provider_order_id)) else ''::bytea end
    || case when r.status = 'PAID' then seal_hash(jsonb_build_array(r.status, r.purchase_order, seal_text(r.purchase_order_date))) else ''::bytea end
$function$;

CREATE OR REPLACE FUNCTION fixed_of_payments(r payments)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.provider_payment_id, r.order_id, r.cycle_id, r.customer_id, seal_text(r.created_at)))
    || case when r.status = 'captured' then seal_hash(jsonb_build_array(r.status, r.use, seal_text(r.captured_at), r.amount_paise, r.currency, r.method,
      r.error_description, r.fee_paise, r.fee_tax_paise)) else ''::bytea end
$function$;

CREATE OR REPLACE FUNCTION fixed_of_period_locks(r period_locks)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.id, r.month, r.action, r.reason, r.operator, seal_text(r.recorded_at)))
    || case when r.trial_balance is not null then seal_hash(r.trial_balance) else ''::bytea end
$function$;

CREATE OR REPLACE FUNCTION fixed_of_profiles(r profiles)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.customer_id))
$function$;

CREATE OR REPLACE FUNCTION fixed_of_refunds(r refunds)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.id, r.payment_id, r.cycle_id, r.customer_id, r.amount_paise, r.reason, seal_text(r.created_at), r.origin,
      r.foreign_id, r.covers_paise))
    || case when r.status = 'PROCESSED' then seal_hash(jsonb_build_array(r.status, seal_text(r.settled_at), r.covered_paise, r.loss_paise, r.attempt,
      r.payout, r.utr, seal_text(r.transferred_on))) else ''::bytea end
    || case when r.status = 'PROCESSED' and r.provider_refund_id is not null then seal_hash(jsonb_build_array(r.provider_refund_id)) else ''::bytea end
$function$;

CREATE OR REPLACE FUNCTION fixed_of_remittance_proofs(r remittance_proofs)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.payment_id))
$function$;

CREATE OR REPLACE FUNCTION fixed_of_settlement_items(r settlement_items)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.id, r.entity_id, r.type, r.currency, seal_text(r.created_at)))
    || case when r.settlement_id is not null then seal_hash(jsonb_build_array(r.settlement_id, r.debit_paise, r.credit_paise, r.amount_paise, r.fee_paise,
      r.tax_paise, r.on_hold, seal_text(r.settled_at), r.payment_id, r.order_id, r.dispute_id, r.description)) else ''::bytea end
    || case when r.booked_at is not null then seal_hash(jsonb_build_array(seal_text(r.booked_at))) else ''::bytea end
    || case when r.returned_at is not null then seal_hash(jsonb_build_array(seal_text(r.returned_at))) else ''::bytea end
$function$;

CREATE OR REPLACE FUNCTION fixed_of_settlements(r settlements)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.settlement_id, r.amount_paise, seal_text(r.created_at)))
$function$;

CREATE OR REPLACE FUNCTION fixed_of_tax_claims(r tax_claims)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.kind, r.about, seal_text(r.declared_on), seal_text(r.declared_at), r.letter_name,
      r.letter_type, encode(r.letter_sha256, 'hex')))
    || case when r.withdrawn_at is not null then seal_hash(jsonb_build_array(seal_text(r.withdrawn_at))) else ''::bytea end
$function$;

CREATE OR REPLACE FUNCTION fixed_of_tds_claims(r tds_claims)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.cycle_id, r.invoice_id, r.tan, r.section, r.quarter, r.amount_paise, r.certificate_name,
      r.certificate_type, encode(r.certificate_sha256, 'hex'), seal_text(r.declared_on), seal_text(r.declared_at)))
    || case when r.status <> 'WAITING' then seal_hash(jsonb_build_array(r.status, seal_text(r.decided_at), r.reason, r.refund_id)) else ''::bytea end
$function$;

CREATE OR REPLACE FUNCTION free_window_end(c cycles)
 RETURNS date
 LANGUAGE sql
 STABLE
AS $function$
  select w.to_date from free_quota_windows w
  where is_free_cycle(c) and w.customer_id = c.customer_id and w.service_id = c.service_id
    and w.from_date < c.from_date and c.from_date < w.to_date
$function$;

CREATE OR REPLACE FUNCTION goes_with_customer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not is_erased(old.customer_id) then
    raise exception 'a row of % is deleted only with its customer', tg_table_name;
  end if;
  return old;
end $function$;

CREATE OR REPLACE FUNCTION grants_are_recorded()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from operator_actions a where a.action = 'plans.grant' and a.target = new.id and a.customer_id = new.customer_id
      and a.reason = new.granted_reason) then
    raise exception 'the granted plan % is not in the audit log', new.id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION has_too_many_letters(p_customer text, p_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select count(*) filter (where declared_at > p_at - interval '30 days') >= 5 or count(*) >= 10
  from tax_claims where customer_id = p_customer and declared_at > p_at - interval '365 days'
$function$;

CREATE OR REPLACE FUNCTION hash_of_operator_action(before bytea, r operator_actions)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select sha256(before || convert_to(jsonb_build_array(r.position, seal_text(r.acted_at), r.actor, r.action, r.target, r.customer_id, r.reason,
    r.effect)::text, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION hash_of_seal(before bytea, r record_seals)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select sha256(before || convert_to(concat_ws('|', r.position, r.kind, r.record_id, r.customer_id, coalesce(encode(r.content, 'hex'), '-'),
    encode(r.fixed, 'hex')), 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION invoices_are_corrected()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (select kind from documents where id = new.refers_to) = 'INVOICE' and (
    select count(*) from documents d join documents b on b.id = d.refers_to left join e_invoices e on e.document_id = b.id
    where d.cycle_id = new.cycle_id and d.kind = 'INVOICE' and b.kind = 'INVOICE' and e.cancelled_at is null) >= 3
    and not exists (select from e_invoices where document_id = new.refers_to and cancelled_at is not null)
  then
    raise exception 'the invoice of cycle % has been corrected three times', new.cycle_id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION is_erased(p_customer text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from customers where id = p_customer and erased_at is not null)
$function$;

CREATE OR REPLACE FUNCTION is_free_cycle(c cycles)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select c.price_paise = 0 and c.tenure <> 'TRIAL' and c.granted_reason is null
$function$;

CREATE OR REPLACE FUNCTION is_recorded_now(a operator_actions)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from operator_actions o where o.position = a.position and o.xmin = pg_current_xact_id()::xid)
$function$;

CREATE OR REPLACE FUNCTION is_request_id(p_text text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select p_text ~ '^req_[A-Za-z0-9_-]{10}-[A-Za-z0-9_-]{10}$'
$function$;

CREATE OR REPLACE FUNCTION late_notes_bear_no_tax()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  supplied date := (new.content -> 'item' ->> 'fromDate')::date;
begin
  if new.issued_on > make_date(extract(year from supplied - interval '3 months')::int + 1, 11, 30)
     and new.cgst_paise + new.sgst_paise + new.utgst_paise + new.igst_paise <> 0 then
    raise exception 'credit note % takes back tax after 30 November', new.number;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION ledger_chain()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  head ledger_head;
  entry ledger_entries;
  lines text;
  total numeric;
  parts integer;
begin
  select string_agg(account || '=' || amount_paise, '|' order by account), sum(amount_paise), count(*)
    into lines, total, parts from ledger_lines where entry_id = new.id;
  if parts < 2 or total <> 0 then
    raise exception 'ledger entry % has % lines that sum to %', new.id, parts, total;
  end if;
  select * into head from ledger_head for update;
  select * into entry from ledger_entries where id = new.id;
  entry.position := head.position + 1;
  entry.posted_at := greatest(entry.posted_at, head.posted_at);
  entry.hash := sha256(head.hash || convert_to(concat_ws('|', entry.position, entry.id, entry.kind, coalesce(entry.payment_id, '-'),
    coalesce(entry.refund_id, '-'), coalesce(entry.cycle_id, '-'), coalesce(entry.customer_id, '-'), entry.currency,
    round(extract(epoch from entry.posted_at) * 1000)::bigint, lines), 'UTF8'));
  update ledger_entries set position = entry.position, hash = entry.hash, posted_at = entry.posted_at where id = entry.id;
  update ledger_head set position = entry.position, hash = entry.hash, posted_at = entry.posted_at;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION ledger_entries_stand()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    if new.position is not null or new.hash is not null then raise exception 'the chain gives an entry its place'; end if;
    return new;
  end if;
  if tg_op <> 'UPDATE' or old.position is not null or new.position is null or new.hash is null
     or (to_jsonb(new) - '{position,hash,posted_at}'::text[]) <> (to_jsonb(old) - '{position,hash,posted_at}'::text[]) then
    raise exception 'the ledger is only added to';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION ledger_head_moves()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and new.position = old.position + 1 and new.hash <> old.hash and new.posted_at >= old.posted_at
     and exists (select from ledger_entries where position = new.position and hash = new.hash) then
    return new;
  end if;
  raise exception 'the head of the ledger follows its entries';
end $function$;

CREATE OR REPLACE FUNCTION ledger_lines_stand()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' or exists (select from ledger_entries where id = new.entry_id and position is not null) then
    raise exception 'the ledger is only added to';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION letters_are_few()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Declarations of one customer wait for each other.
  perform from customers where id = new.customer_id for no key update;
  if has_too_many_letters(new.customer_id, new.declared_at) then
    raise exception 'too many letters were stored';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION month_is_locked(p_day date)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock_shared(hashtext('period_locks'));
  return coalesce((select action from period_locks where month = to_char(p_day, 'YYYY-MM') order by id desc limit 1) = 'LOCK', false);
end $function$;

CREATE OR REPLACE FUNCTION most_given_back(c cycles)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  ended date := (c.ended_at at time zone 'Asia/Kolkata')::date;
  price numeric;
  days integer;
  units bigint;
begin
  if c.adds_to is null and ended < c.from_date then return c.price_paise; end if;
  if c.plan ->> 'onDeactivate' is distinct from 'refund-unused' then return 0; end if;
  if c.adds_to is not null then
    return case when pack_units_taken(c.adds_to) <= (select coalesce(sum(b.monthly_quota), 0) from cycles b
      where b.adds_to = c.adds_to and (b.paid_at, b.id) < (c.paid_at, c.id)) then c.price_paise else 0 end;
  end if;
  price := c.price_paise - (select coalesce(sum(amount_paise), 0) from refunds where cycle_id = c.id and origin in ('EXCESS_TAX', 'CORRECTION'));
  days := greatest(c.to_date - ended - 1, 0);
  units := greatest(c.monthly_quota - coalesce((select taken from quota_cycles where cycle_id = c.id), 0), 0);
  return ceil(least(price * days / (c.to_date - c.from_date), case when c.monthly_quota > 0 then price * units / c.monthly_quota end));
end $function$;

CREATE OR REPLACE FUNCTION network_of(address inet)
 RETURNS inet
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select network(set_masklen(address, case family(address) when 4 then 24 else 48 end))::inet
$function$;

CREATE OR REPLACE FUNCTION never_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a row of % is never changed or deleted', tg_table_name;
end $function$;

CREATE OR REPLACE FUNCTION note_customer_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into customer_changes (reader, customer_id) select reader, new.customer_id from unnest(tg_argv) as reader
    on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_cycle_quota()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
begin
  insert into quota_crossings
    select c.id, null, percent
    from cycles c, quota_steps_crossed(case tg_op when 'UPDATE' then old.taken else 0 end, new.taken, c.monthly_quota + pack_units(c.id)) as percent
    where c.id = new.cycle_id
    on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_day_quota()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
begin
  insert into quota_crossings
    select c.id, new.day, percent
    from cycles c, quota_steps_crossed(case tg_op when 'UPDATE' then old.taken else 0 end, new.taken, c.daily_quota + pack_units(c.id)) as percent
    where c.activation_id = new.activation_id and c.from_date <= new.day and new.day < c.to_date
      and c.status in ('PAID', 'NO_PAYMENT_REQUIRED') and c.adds_to is null
    on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_ledger_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb;
begin
  for changed in select row from unnest(array[to_jsonb(old), to_jsonb(new)]) as row where row is not null loop
    insert into customer_changes (reader, customer_id)
      select 'ledger', c.id from (select case tg_argv[0]
        when 'customer' then changed ->> 'customer_id'
        when 'self' then changed ->> 'id'
        when 'entry' then (select e.customer_id from ledger_entries e where e.id = changed ->> 'entry_id')
        when 'payment' then (select p.customer_id from payments p where p.provider_payment_id = changed ->> 'payment_id')
        when 'mail' then (select m.customer_id from mails m where m.id = changed ->> 'mail_id')
        when 'document' then (select d.customer_id from documents d where d.id = changed ->> 'document_id') end as id) c
      where c.id is not null
      on conflict do nothing;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION only_moves()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.document_id, new.pdf_sha256, new.made_at) is distinct from (old.document_id, old.pdf_sha256, old.made_at) then
    raise exception 'a row of % is never changed: only its PDF may move', tg_table_name;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION open_free_window(c cycles, p_day date)
 RETURNS date
 LANGUAGE plpgsql
AS $function$
declare
  v_from date;
begin
  loop
    select from_date into v_from from free_quota_windows
      where customer_id = c.customer_id and service_id = c.service_id and from_date <= p_day and p_day < to_date;
    if found then return v_from; end if;
    select greatest(c.from_date, max(to_date)) into v_from from free_quota_windows
      where customer_id = c.customer_id and service_id = c.service_id and to_date <= p_day;
    -- The days of a plan may have changed since the call was made.
    if p_day < v_from or p_day >= c.to_date then v_from := p_day; end if;
    insert into free_quota_windows (customer_id, service_id, from_date, to_date, quota)
      select c.customer_id, c.service_id, v_from,
        least(v_from + greatest(30, c.to_date - c.from_date), min(w.from_date)), c.monthly_quota
      from free_quota_windows w where w.customer_id = c.customer_id and w.service_id = c.service_id and w.from_date > p_day
      on conflict do nothing;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION open_vouchers_follow()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.kind = 'INVOICE' or new.kind = 'REFUND_VOUCHER' and (
    select sum(d.total_paise) from documents d where d.refers_to = new.refers_to and d.kind = 'REFUND_VOUCHER'
  ) = (select total_paise from documents where id = new.refers_to) then
    delete from open_vouchers where document_id = new.refers_to;
  end if;
  if new.kind = 'RECEIPT_VOUCHER' then
    insert into open_vouchers select new.id, new.cycle_id, c.from_date from cycles c where c.id = new.cycle_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION operator_refunds_are_recorded()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from payments p where p.provider_payment_id = new.payment_id and p.use = 'CYCLE')
     or not exists (select from operator_actions a where a.action = 'payments.refund' and a.customer_id = new.customer_id
       and a.reason = new.reason and a.effect -> 'refunds' ? new.id) then
    raise exception 'refund % is not in the audit log', new.id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION order_cycles_stand()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (to_jsonb(new) - 'live') <> (to_jsonb(old) - 'live') then
    raise exception 'what order % is for never changes', old.order_id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION orders_add_up()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  covered text := to_jsonb(new) ->> tg_argv[0];
begin
  if exists (select from order_cycles oc join cycles c on c.id = oc.cycle_id where oc.order_id = covered and oc.amount_paise <> c.price_paise)
     or (select o.amount_paise from payment_orders o where o.id = covered)
        is distinct from (select sum(oc.amount_paise)::bigint from order_cycles oc where oc.order_id = covered) then
    raise exception 'order % must be over the prices of its cycles', covered;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION orders_cover_cycles()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into order_cycles (order_id, cycle_id, activation_id, customer_id, place, amount_paise, live)
    select new.id, new.cycle_id, new.activation_id, new.customer_id, 1, c.price_paise, new.status in ('CREATING', 'OPEN', 'PAID')
    from cycles c where c.id = new.cycle_id;
  elsif new.status <> old.status then
    update order_cycles set live = new.status in ('CREATING', 'OPEN', 'PAID') where order_id = new.id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION orders_move_forward()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then return new; end if;
  if (new.id, new.cycle_id, new.customer_id, new.amount_paise, new.currency, new.created_at)
     is distinct from (old.id, old.cycle_id, old.customer_id, old.amount_paise, old.currency, old.created_at)
     or (old.provider_order_id is not null and new.provider_order_id is distinct from old.provider_order_id) then
    raise exception 'what order % is for never changes', old.id;
  end if;
  if new.status <> old.status and not (
       (old.status = 'CREATING' and new.status in ('OPEN', 'CLOSED'))
    or (old.status = 'OPEN' and new.status in ('PAID', 'CLOSED'))
    or (old.status = 'CLOSED' and new.status = 'PAID')
  ) then
    raise exception 'order % cannot go from % to %', old.id, old.status, new.status;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION pack_units(p_cycle text)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(sum(monthly_quota), 0)::integer + raised_units(p_cycle) from cycles where adds_to = p_cycle and status = 'PAID'
$function$;

CREATE OR REPLACE FUNCTION pack_units_taken(p_cycle text)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select units_beyond(c, raised_units(c.id)) from cycles c where c.id = p_cycle
$function$;

CREATE OR REPLACE FUNCTION packs_add_to_running()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from cycles c where c.id = new.adds_to and c.adds_to is null and c.status in ('PAID', 'NO_PAYMENT_REQUIRED')
    and c.from_date <= new.from_date and new.from_date < c.to_date and c.to_date = new.to_date for share;
  if not found then
    raise exception 'pack % adds to %, which does not run on %', new.id, new.adds_to, new.from_date;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION packs_end_with_cycle()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
begin
  if exists (select from cycles p join cycles c on c.id = p.adds_to
        where p.id = new.id and p.status in ('PAYMENT_PENDING', 'PAID') and c.status not in ('PAID', 'NO_PAYMENT_REQUIRED'))
     or exists (select from cycles c join cycles p on p.adds_to = c.id
        where c.id = new.id and p.status in ('PAYMENT_PENDING', 'PAID') and c.status not in ('PAID', 'NO_PAYMENT_REQUIRED')) then
    raise exception 'cycle % has ended and its packs have not', coalesce(new.adds_to, new.id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION payments_are_used()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  p payments;
begin
  select * into p from payments where provider_payment_id = new.provider_payment_id;
  if p.use = 'CYCLE' and (not exists (
    select from payment_orders o where o.id = p.order_id and o.status = 'PAID' and o.amount_paise = p.amount_paise and o.currency = p.currency
  ) or exists (
    select from order_cycles oc join cycles c on c.id = oc.cycle_id
    where oc.order_id = p.order_id and (c.price_paise <> oc.amount_paise or c.paid_at is null)
  )) then
    raise exception 'payment % does not pay for cycle %', p.provider_payment_id, p.cycle_id;
  end if;
  if p.use = 'REFUND' and not exists (
    select from refunds where payment_id = p.provider_payment_id and origin = 'PORTAL' and amount_paise = p.amount_paise
  ) then
    raise exception 'payment % has to be refunded and is not', p.provider_payment_id;
  end if;
  if p.status = 'captured' and exists (
    select from order_cycles oc where oc.order_id = p.order_id and (p.use = 'CYCLE' or oc.place = 1)
      and not exists (select from ledger_entries e where e.id = capture_entry(p.provider_payment_id, oc.place) and e.cycle_id = oc.cycle_id)
  ) then
    raise exception 'the capture of payment % is not in the ledger', p.provider_payment_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION payments_move_forward()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  ranks constant text[] := array['created', 'failed', 'authorized', 'captured'];
begin
  if (new.provider_payment_id, new.order_id, new.cycle_id, new.customer_id)
     is distinct from (old.provider_payment_id, old.order_id, old.cycle_id, old.customer_id) then
    raise exception 'what payment % is never changes', old.provider_payment_id;
  end if;
  if array_position(ranks, new.status) < array_position(ranks, old.status)
     or (old.status = 'captured' and (new.use, new.captured_at, new.amount_paise, new.currency)
         is distinct from (old.use, old.captured_at, old.amount_paise, old.currency)) then
    raise exception 'payment % cannot go from % % to % %', old.provider_payment_id, old.status, old.use, new.status, new.use;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION period_locks_alternate()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  reached date;
  standing text;
begin
  perform pg_advisory_xact_lock(hashtext('period_locks'));
  select reached_day into reached from clock;
  select action into standing from period_locks where month = new.month order by id desc limit 1;
  if new.action = coalesce(standing, 'UNLOCK') then
    raise exception 'the month % is % already', new.month, case new.action when 'LOCK' then 'locked' else 'open' end;
  end if;
  if new.action = 'LOCK' and reached < (new.month || '-01')::date + interval '1 month' then
    raise exception 'the month % is not over', new.month;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION period_locks_stand()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and old.action = 'LOCK' and old.trial_balance is null
     and (to_jsonb(new) - 'trial_balance') = (to_jsonb(old) - 'trial_balance') then
    return new;
  end if;
  raise exception 'records of locks are only added to';
end $function$;

CREATE OR REPLACE FUNCTION proofs_are_of_exports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from documents where payment_id = new.payment_id and kind in ('INVOICE', 'RECEIPT_VOUCHER')
    and content ->> 'supplyType' in ('EXPWP', 'EXPWOP')) then
    raise exception 'payment % is not for an export', new.payment_id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION quarter_of(day date)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select to_char(day - interval '3 months', 'YYYY') || '-' || to_char(day + interval '9 months', 'YY') || ' Q' || to_char(day - interval '3 months', 'Q')
$function$;

CREATE OR REPLACE FUNCTION quota_raises_are_due()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  c cycles;
begin
  select * into c from cycles where id = new.cycle_id and customer_id = new.customer_id and adds_to is null
    and status in ('PAID', 'NO_PAYMENT_REQUIRED') for share;
  if not found then
    raise exception 'cycle % has no quota to raise', new.cycle_id;
  end if;
  if c.to_date <= (new.made_at at time zone 'Asia/Kolkata')::date then
    raise exception 'cycle % is over', c.id;
  end if;
  perform 1 from quota_days d where d.activation_id = c.activation_id and d.day >= c.from_date and d.day < c.to_date order by d.day for update;
  insert into quota_cycles (cycle_id) values (c.id) on conflict do nothing;
  perform 1 from quota_cycles where cycle_id = c.id for update;
  if new.units > 0 then
    -- Of domain/raised-quota.ts: sums of quotas stay whole numbers of the database.
    if raised_units(c.id)::bigint + new.units > 1000000000 then
      raise exception 'the quota of cycle % cannot be raised by %', c.id, new.units;
    end if;
    return new;
  end if;
  if raised_units(c.id) + new.units < 0 or units_beyond(c, pack_units(c.id) + new.units) > 0 then
    raise exception 'the quota of cycle % cannot be lowered by %', c.id, -new.units using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION quota_raises_are_recorded()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from operator_actions a where a.action = 'quota.set' and a.target = new.cycle_id and a.customer_id = new.customer_id
      and a.reason = new.reason and a.effect -> 'units' = to_jsonb(new.units)
      and coalesce(a.effect ->> 'raiseId', new.id::text) = new.id::text and is_recorded_now(a)) then
    raise exception 'the raised quota of cycle % is not in the audit log', new.cycle_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION quota_steps_crossed(p_before bigint, p_after bigint, p_limit bigint)
 RETURNS SETOF integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
    select percent from unnest(array[60, 80, 100]) as percent
    where p_limit > 0 and p_before * 100 < p_limit * percent and p_after * 100 >= p_limit * percent
  $function$;

CREATE OR REPLACE FUNCTION quota_used(p_activation text, p_cycle text, p_day date, OUT day_used bigint, OUT cycle_used bigint)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_cycle cycles;
  v_free_day bigint;
  v_free_window bigint;
begin
  select coalesce(sum(units) filter (where day = p_day), 0), coalesce(sum(units) filter (where cycle_id = p_cycle), 0)
    into day_used, cycle_used
    from usage_counts where activation_id = p_activation and counted and (day = p_day or cycle_id = p_cycle);
  select * into v_cycle from cycles where id = p_cycle;
  if not found then return; end if;
  day_used := day_used + earlier_of_day(v_cycle, p_day);
  if not is_free_cycle(v_cycle) then return; end if;
  select coalesce(sum(u.units) filter (where u.day = p_day), 0),
      coalesce(sum(u.units) filter (where w.from_date <= u.day and u.day < w.to_date), 0)
    into v_free_day, v_free_window
    from cycles c
      join usage_counts u on u.cycle_id = c.id and u.counted
      left join free_quota_windows w on w.customer_id = c.customer_id and w.service_id = c.service_id
        and w.from_date <= p_day and p_day < w.to_date
    where c.customer_id = v_cycle.customer_id and c.service_id = v_cycle.service_id and is_free_cycle(c)
      and c.to_date > least(p_day, w.from_date);
  day_used := greatest(day_used, v_free_day);
  cycle_used := greatest(cycle_used, v_free_window);
end $function$;

CREATE OR REPLACE FUNCTION raised_units(p_cycle text)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(sum(units), 0)::integer from quota_raises where cycle_id = p_cycle
$function$;

CREATE OR REPLACE FUNCTION refund_transfers_are_recorded()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from operator_actions a where a.action = 'refunds.transfer' and a.target = new.id and a.customer_id = new.customer_id
      and a.effect ->> 'utr' = new.utr) then
    raise exception 'the transfer of refund % is not in the audit log', new.id;
  end if;
  if exists (select from refunds r where r.utr = new.utr and r.customer_id <> new.customer_id) then
    raise exception 'transfer % pays refunds of two customers', new.utr;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION refunds_are_due()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r refunds;
  p payments;
  c cycles;
  paid bigint;
  given_back bigint;
  deducted bigint;
  covering bigint;
  covered bigint;
begin
  select * into r from refunds where id = new.id;
  select * into p from payments where provider_payment_id = r.payment_id;
  select * into c from cycles where id = r.cycle_id;
  select case p.use when 'CYCLE' then oc.amount_paise else p.amount_paise end into paid
    from order_cycles oc where oc.order_id = p.order_id and oc.cycle_id = r.cycle_id and (p.use = 'CYCLE' or oc.place = 1);
  select sum(amount_paise - covers_paise), coalesce(sum(amount_paise) filter (where origin = 'TDS'), 0), sum(covers_paise), sum(covered_paise)
    into given_back, deducted, covering, covered
    from refunds where payment_id = r.payment_id and cycle_id = r.cycle_id;
  if p.status <> 'captured' or paid is null or given_back - deducted > paid or covering <> covered
     or r.loss_paise > 0 and given_back < paid
     or p.use = 'REFUND' and r.origin = 'PORTAL' and r.amount_paise <> p.amount_paise
     or p.use = 'CYCLE' and c.status not in ('DEACTIVATED', 'REFUNDED') and (r.origin = 'PORTAL' or c.status <> 'PAID')
     or p.use = 'CYCLE' and (c.status = 'PAID' and given_back >= paid or c.status = 'REFUNDED' and given_back < paid)
     or r.origin = 'TDS' and (p.use <> 'CYCLE' or not exists (select from tds_claims t where t.refund_id = r.id and t.status = 'ACCEPTED'
       and t.cycle_id = r.cycle_id and t.amount_paise = r.amount_paise)) then
    raise exception 'refund % of payment % is not due', r.id, r.payment_id;
  end if;
  -- The provider refunds no more than was paid.
  if tg_op = 'INSERT' and r.payout = 'PROVIDER' and r.amount_paise > r.covers_paise and given_back > paid then
    raise exception 'the provider has less left of payment % than refund %', r.payment_id, r.id;
  end if;
  -- The provider pays nothing below a rupee (decision 055).
  if tg_op = 'INSERT' and r.origin = 'OPERATOR' and paid - given_back + deducted between 1 and 99 then
    raise exception 'refund % leaves less than a rupee', r.id;
  end if;
  if tg_op = 'INSERT' and r.origin = 'PORTAL' and p.use = 'CYCLE' and c.status = 'DEACTIVATED' and r.amount_paise < 100 then
    raise exception 'refund % of unused days is less than a rupee', r.id;
  end if;
  if (p.use = 'CYCLE' and r.amount_paise > r.covers_paise) <> exists (select from ledger_lines where entry_id = 'due:' || r.id
       and account = case r.origin when 'TDS' then 'tds' else 'cycles' end and amount_paise = r.amount_paise - r.covers_paise)
     or (r.status = 'PROCESSED' and r.amount_paise > r.covered_paise) <> exists (select from ledger_lines where entry_id = 'paid:' || r.id
       and account = case r.payout when 'TRANSFER' then 'bank' else 'provider' end and amount_paise = r.covered_paise - r.amount_paise)
     or (r.status = 'PROCESSED' and r.loss_paise > 0) <> exists (select from ledger_lines where entry_id = 'loss:' || r.id
       and account = 'losses' and amount_paise = r.loss_paise) then
    raise exception 'refund % is not in the ledger', r.id;
  end if;
  -- A call may have taken a unit since the portal looked: the transaction is run again.
  if tg_op = 'INSERT' and r.origin = 'PORTAL' and p.use = 'CYCLE' and r.amount_paise > most_given_back(c) then
    raise exception 'refund % is over more than is unused of cycle %', r.id, c.id using errcode = 'serialization_failure';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION refunds_move_forward()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.id, new.payment_id, new.cycle_id, new.customer_id, new.amount_paise, new.reason, new.created_at, new.origin, new.foreign_id, new.covers_paise)
     is distinct from (old.id, old.payment_id, old.cycle_id, old.customer_id, old.amount_paise, old.reason, old.created_at, old.origin, old.foreign_id, old.covers_paise)
     or new.covered_paise < old.covered_paise
     or new.loss_paise <> old.loss_paise and not (new.loss_paise = 0 and (new.status = 'FAILED' or new.status = 'PROCESSED' and new.amount_paise = 0)) then
    raise exception 'what refund % is never changes', old.id;
  end if;
  if (old.status = 'PROCESSED' and (new.status, new.settled_at, new.covered_paise, new.loss_paise)
       is distinct from (old.status, old.settled_at, old.covered_paise, old.loss_paise))
     or new.status = 'FAILED' and new.loss_paise > 0
     or new.attempt < old.attempt
     or (new.attempt = old.attempt and (
          (old.status <> 'STARTED' and new.status = 'STARTED')
          or (old.status = 'FAILED' and new.status not in ('FAILED', 'PROCESSED'))
          or (old.status = 'FAILED' and new.status = 'PROCESSED' and new.covered_paise <> new.amount_paise)
          or (old.provider_refund_id is not null and new.provider_refund_id is distinct from old.provider_refund_id)))
     or (new.attempt > old.attempt and old.status <> 'FAILED')
     or (old.payout = 'PROVIDER' and new.payout = 'TRANSFER' and old.status <> 'STARTED')
     or (old.payout = 'TRANSFER' and new.payout = 'PROVIDER' and new.provider_refund_id is null)
     or (old.status = 'PROCESSED' and (new.payout, new.utr, new.transferred_on) is distinct from (old.payout, old.utr, old.transferred_on)) then
    raise exception 'refund % cannot go from % (attempt %) to % (attempt %)', old.id, old.status, old.attempt, new.status, new.attempt;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION refuse_truncate()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is never emptied', tg_table_name;
end $function$;

CREATE OR REPLACE FUNCTION release_quota(p_journal text, p_releases jsonb, p_answers text[])
 RETURNS TABLE(activation_id text, cycle_id text, day date, day_left integer, cycle_left integer)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
declare
  r record;
  v_excess integer;
  v_left integer;
  v_answer text;
begin
  insert into quota_days (activation_id, day)
    select distinct x.activation, x.day
    from jsonb_to_recordset(p_releases) as x (activation text, cycle text, day date)
      join cycles c on c.id = x.cycle and c.activation_id = x.activation
    where not exists (select from quota_days q where q.activation_id = x.activation and q.day = x.day)
      and (select coalesce(sum(u.units), 0) from usage_counts u where u.activation_id = x.activation and u.day = x.day and u.counted)
        + (select coalesce(sum(l.held), 0) from leases l where l.activation_id = x.activation and l.day = x.day) = 0
    order by 1, 2
    on conflict do nothing;
  perform 1 from quota_days q
    where (q.activation_id, q.day) in
      (select x.activation, x.day from jsonb_to_recordset(p_releases) as x (activation text, day date))
    order by q.activation_id, q.day for update;
  insert into quota_cycles (cycle_id)
    select distinct c.id
    from jsonb_to_recordset(p_releases) as x (activation text, cycle text)
      join cycles c on c.id = x.cycle and c.activation_id = x.activation
    where not exists (select from quota_cycles q where q.cycle_id = c.id)
    order by 1
    on conflict do nothing;
  perform 1 from quota_cycles q
    where q.cycle_id in (select x.cycle from jsonb_to_recordset(p_releases) as x (cycle text))
    order by q.cycle_id for update;
  insert into free_quota_days (customer_id, service_id, day, quota)
    select c.customer_id, c.service_id, q.day, max(c.daily_quota + pack_units(c.id))
    from jsonb_to_recordset(p_releases) as x (activation text, cycle text, day date)
      join cycles c on c.id = x.cycle and c.activation_id = x.activation
      join quota_days q on q.activation_id = x.activation and q.day = x.day
    where is_free_cycle(c) and not exists
      (select from free_quota_days f where f.customer_id = c.customer_id and f.service_id = c.service_id and f.day = q.day)
    group by 1, 2, 3
    order by 1, 2, 3
    on conflict do nothing;
  perform 1 from free_quota_days f
    where (f.customer_id, f.service_id, f.day) in (select c.customer_id, c.service_id, x.day
      from jsonb_to_recordset(p_releases) as x (cycle text, day date) join cycles c on c.id = x.cycle where is_free_cycle(c))
    order by f.customer_id, f.service_id, f.day for update;
  -- Earlier days first, as the calls were made: where a window begins depends on the one before it.
  for r in
    select c as cycle, q.day
    from jsonb_to_recordset(p_releases) as x (activation text, cycle text, day date)
      join cycles c on c.id = x.cycle and c.activation_id = x.activation
      join quota_days q on q.activation_id = x.activation and q.day = x.day
    where is_free_cycle(c) and not exists (select from free_quota_windows w
      where w.customer_id = c.customer_id and w.service_id = c.service_id and w.from_date <= q.day and q.day < w.to_date)
    order by c.customer_id, c.service_id, q.day, c.from_date, c.id
  loop
    perform open_free_window(r.cycle, r.day);
  end loop;
  perform 1 from jsonb_to_recordset(p_releases) as x (cycle text, day date)
      join cycles c on c.id = x.cycle and is_free_cycle(c)
      join free_quota_windows w on w.customer_id = c.customer_id and w.service_id = c.service_id
        and w.from_date <= x.day and x.day < w.to_date
    order by w.customer_id, w.service_id, w.from_date for update of w;
  for r in
    select x.*, coalesce(l.held, 0) as held, c.customer_id, c.service_id, is_free_cycle(c) as free,
      c.daily_quota + pack_units(c.id) - earlier_of_day(c, x.day) as daily_quota, c.monthly_quota + pack_units(c.id) as monthly_quota
    from (select activation, cycle, day, coalesce(key, '') as key, keep
      from jsonb_to_recordset(p_releases) as given (activation text, cycle text, day date, key text, keep integer)) x
    join cycles c on c.id = x.cycle
    left join leases l on l.journal_id = p_journal and l.activation_id = x.activation and l.cycle_id = x.cycle and l.day = x.day
      and l.key_id = x.key
  loop
    v_excess := r.held - r.keep;
    update quota_days q set taken = q.taken - v_excess where q.activation_id = r.activation and q.day = r.day
      returning greatest(r.daily_quota - q.taken, 0) into day_left;
    update quota_cycles q set taken = q.taken - v_excess where q.cycle_id = r.cycle
      returning greatest(r.monthly_quota - q.taken, 0) into cycle_left;
    if r.free then
      -- A database that was restored from a backup may learn here of more calls than it knew: they were made, and count.
      update free_quota_days f set taken = f.taken - v_excess, quota = greatest(f.quota, f.taken - v_excess)
        where f.customer_id = r.customer_id and f.service_id = r.service_id and f.day = r.day
        returning greatest(r.daily_quota - f.taken, 0) into v_left;
      day_left := least(day_left, v_left);
      update free_quota_windows w set taken = w.taken - v_excess, quota = greatest(w.quota, w.taken - v_excess)
        where w.customer_id = r.customer_id and w.service_id = r.service_id and w.from_date <= r.day and r.day < w.to_date
        returning greatest(r.monthly_quota - w.taken, 0) into v_left;
      cycle_left := least(cycle_left, v_left);
    end if;
    if r.keep = 0 then
      delete from leases l where l.journal_id = p_journal and l.activation_id = r.activation and l.cycle_id = r.cycle and l.day = r.day
        and l.key_id = r.key;
    else
      insert into leases as l (journal_id, activation_id, cycle_id, day, key_id, held)
        values (p_journal, r.activation, r.cycle, r.day, r.key, r.keep)
        on conflict (journal_id, activation_id, cycle_id, day, key_id) do update set held = r.keep;
    end if;
    activation_id := r.activation;
    cycle_id := r.cycle;
    day := r.day;
    return next;
  end loop;
  foreach v_answer in array p_answers loop
    perform pg_notify('quota', v_answer);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION replaced_cycles_give_back()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from cycles c join cycles n on n.replaces = c.id and n.status in ('PAID', 'NO_PAYMENT_REQUIRED')
      where c.id = new.cycle_id and c.status = 'DEACTIVATED') then
    raise exception 'refund % of the replaced cycle % is not due', new.id, new.cycle_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION replacements_are_over_what_is_kept()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  kept bigint;
begin
  if (select kind from documents where id = new.refers_to) = 'INVOICE' then
    select p.amount_paise - coalesce((select sum(r.amount_paise - r.covers_paise) from refunds r
        where r.payment_id = p.provider_payment_id and r.cycle_id = p.cycle_id and r.origin <> 'TDS'), 0)
      into kept from cycle_payments p where p.provider_payment_id = new.payment_id and p.cycle_id = new.cycle_id;
    if new.total_paise is distinct from kept then
      raise exception 'invoice % is over %, and % is kept of the payment', new.number, new.total_paise, kept;
    end if;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION seal_hash(content jsonb)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(content::text, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION seal_of_accountants(r accountants)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.email, seal_text(r.asked_at), seal_text(r.confirmed_at), r.next_month, seal_text(r.ended_at),
    r.ended_by))
$function$;

CREATE OR REPLACE FUNCTION seal_of_activations(r activations)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.service_id, seal_text(r.created_at), seal_text(r.deleted_at)))
$function$;

CREATE OR REPLACE FUNCTION seal_of_amendment_files(r amendment_files)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(jsonb_build_array(r.document_id, encode(r.pdf_sha256, 'hex'), seal_text(r.made_at))::text, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION seal_of_amendments(r amendments)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(jsonb_build_array(r.document_id, r.customer_id, seal_text(r.amended_at), seal_text(r.amended_on), r.content)::text,
    'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION seal_of_api_keys(r api_keys)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.id, r.activation_id, r.customer_id, r.name, encode(r.key_hash, 'hex'), r.hint, seal_text(r.created_at),
    seal_text(r.revoked_at), r.test, seal_text(r.expires_at), to_jsonb(r.allowed_ips), r.daily_cap, r.replaced_by, r.prefix))
$function$;

CREATE OR REPLACE FUNCTION seal_of_catalog_version_files(r catalog_version_files)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.version, r.path, encode(r.sha256, 'hex')))
$function$;

CREATE OR REPLACE FUNCTION seal_of_catalog_versions(r catalog_versions)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.version, encode(r.sha256, 'hex'), seal_text(r.created_at), r.author, r.reason, seal_text(r.active_from)))
$function$;

CREATE OR REPLACE FUNCTION seal_of_closed_series(r closed_series)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.series, r.financial_year, seal_text(r.closed_at), r.reason))
$function$;

CREATE OR REPLACE FUNCTION seal_of_cycles(r cycles)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to((jsonb_build_array(r.id, r.activation_id, r.customer_id, r.service_id, r.status::text, seal_text(r.from_date),
    seal_text(r.to_date), r.plan, r.tenure, r.price_paise, r.daily_quota, r.monthly_quota, r.rps, seal_text(r.created_at), seal_text(r.paid_at),
    seal_text(r.ended_at)) || case when r.replaces is null then '[]'::jsonb else jsonb_build_array(r.replaces) end
    || case when r.adds_to is null then '[]'::jsonb else jsonb_build_array('adds to', r.adds_to) end
    || case when r.granted_reason is null then '[]'::jsonb else jsonb_build_array('granted', r.granted_reason) end)::text, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION seal_of_disputes(r disputes)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(jsonb_build_array(r.provider_dispute_id, r.payment_id, r.cycle_id, r.customer_id, r.amount_paise, r.phase, r.reason, r.status,
    seal_text(r.respond_by), seal_text(r.created_at), seal_text(r.ended_at), r.held_paise, r.deducted_paise, r.loss_paise,
    seal_text(r.submitted_at))::text, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION seal_of_document_files(r document_files)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(jsonb_build_array(r.document_id, encode(r.pdf_sha256, 'hex'), seal_text(r.made_at))::text, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION seal_of_document_series_forms(r document_series_forms)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.name, r.kind::text, r.place, r.letters, r.digits, r.last))
$function$;

CREATE OR REPLACE FUNCTION seal_of_documents(r documents)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(jsonb_build_array(r.id, r.kind::text, r.number, r.series, r.financial_year, r.sequence, seal_text(r.issued_at),
    seal_text(r.issued_on), r.customer_id, r.cycle_id, r.payment_id, r.refers_to, r.taxable_paise, r.cgst_paise, r.sgst_paise, r.utgst_paise,
    r.igst_paise, r.round_off_paise, r.total_paise, r.content, r.needs_irn)::text, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION seal_of_e_invoice_waits(r e_invoice_waits)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.document_id, seal_text(r.since), seal_text(r.refused_at), r.refused_code, r.refused_reason, seal_text(r.closed_at)))
$function$;

CREATE OR REPLACE FUNCTION seal_of_e_invoices(r e_invoices)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(jsonb_build_array(r.document_id, r.irn, r.ack_number, seal_text(r.ack_at), r.signed_qr, r.signed_invoice,
    seal_text(r.cancelled_at), r.cancel_reason)::text, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION seal_of_letters_of_undertaking(r letters_of_undertaking)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(jsonb_build_array(r.arn, seal_text(r.from_date), seal_text(r.last_date))::text, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION seal_of_mail_documents(r mail_documents)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.mail_id, r.place, r.document_id))
$function$;

CREATE OR REPLACE FUNCTION seal_of_mails(r mails)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.id, r.customer_id, r.recipient, r.document_id, seal_text(r.created_at), r.accountant_id, r.pack_month))
$function$;

CREATE OR REPLACE FUNCTION seal_of_operator_actions(r operator_actions)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select r.hash
$function$;

CREATE OR REPLACE FUNCTION seal_of_order_cycles(r order_cycles)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.order_id, r.cycle_id, r.activation_id, r.customer_id, r.place, r.amount_paise, r.live))
$function$;

CREATE OR REPLACE FUNCTION seal_of_payment_orders(r payment_orders)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.id, r.cycle_id, r.activation_id, r.customer_id, r.provider_order_id, r.amount_paise, r.currency, r.status,
    seal_text(r.created_at), r.purchase_order, seal_text(r.purchase_order_date)))
$function$;

CREATE OR REPLACE FUNCTION seal_of_payments(r payments)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(jsonb_build_array(r.provider_payment_id, r.order_id, r.cycle_id, r.customer_id, r.amount_paise, r.currency, r.status,
    r.method, r.error_description, seal_text(r.created_at), seal_text(r.captured_at), r.use)::text, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION seal_of_period_locks(r period_locks)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(jsonb_build_array(r.id, r.month, r.action, r.reason, r.operator, seal_text(r.recorded_at), r.trial_balance)::text, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION seal_of_profiles(r profiles)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.customer_id, r.legal_name, r.phone, r.gstin, r.address, r.city, r.pin, r.state_code, seal_text(r.updated_at),
    r.sez, r.country, r.purchase_order, seal_text(r.purchase_order_date)))
$function$;

CREATE OR REPLACE FUNCTION seal_of_quota_raises(r quota_raises)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(jsonb_build_array(r.id, r.cycle_id, r.customer_id, r.units, r.reason, seal_text(r.made_at))::text, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION seal_of_refunds(r refunds)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to((jsonb_build_array(r.id, r.payment_id, r.cycle_id, r.customer_id, r.amount_paise, r.reason, r.status, r.provider_refund_id,
    r.attempt, seal_text(r.created_at), seal_text(r.settled_at), r.origin, r.foreign_id, r.covers_paise, r.covered_paise)
    || case r.payout when 'TRANSFER' then jsonb_build_array(r.payout, r.utr, seal_text(r.transferred_on)) else '[]'::jsonb end
    || case r.loss_paise when 0 then '[]'::jsonb else jsonb_build_array(r.loss_paise) end)::text, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION seal_of_remittance_proofs(r remittance_proofs)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(jsonb_build_array(r.payment_id, r.kind, r.reference, seal_text(r.received_on), r.currency, r.amount,
    seal_text(r.recorded_at))::text, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION seal_of_settlement_items(r settlement_items)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select seal_hash(jsonb_build_array(r.id, r.entity_id, r.settlement_id, r.type, r.debit_paise, r.credit_paise, r.amount_paise, r.fee_paise, r.tax_paise,
    r.currency, r.on_hold, seal_text(r.settled_at), r.payment_id, r.order_id, r.dispute_id, r.description, seal_text(r.created_at), seal_text(r.booked_at),
    seal_text(r.returned_at)))
$function$;

CREATE OR REPLACE FUNCTION seal_of_settlements(r settlements)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(jsonb_build_array(r.settlement_id, r.amount_paise, r.status, r.utr, seal_text(r.created_at))::text, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION seal_of_sez_checks(r sez_checks)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(jsonb_build_array(r.id, r.customer_id, r.gstin, seal_text(r.checked_at), r.outcome, r.type_text,
    encode(r.answer_sha256, 'hex'))::text, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION seal_of_tax_claims(r tax_claims)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(jsonb_build_array(r.id, r.customer_id, r.kind, r.about, seal_text(r.declared_on), seal_text(r.declared_at), r.letter_name,
    r.letter_type, encode(r.letter_sha256, 'hex'), seal_text(r.withdrawn_at))::text, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION seal_of_tds_claims(r tds_claims)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(jsonb_build_array(r.id, r.customer_id, r.cycle_id, r.invoice_id, r.tan, r.section, r.quarter, r.amount_paise,
    r.certificate_name, r.certificate_type, encode(r.certificate_sha256, 'hex'), seal_text(r.declared_on), seal_text(r.declared_at), r.status,
    seal_text(r.decided_at), r.reason, r.refund_id)::text, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION seal_record()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  row jsonb := to_jsonb(coalesce(new, old));
  record_id text := (select string_agg(row ->> name, '/' order by place) from unnest(string_to_array(tg_argv[0], ',')) with ordinality n (name, place));
  customer text := coalesce(row ->> 'customer_id', (select d.customer_id from documents d where d.id = row ->> 'document_id'),
    (select m.customer_id from mails m where m.id = row ->> 'mail_id'));
  content bytea;
  fixed bytea;
begin
  if tg_op <> 'DELETE' then
    execute format('select seal_of_%I($1)', tg_table_name) using new into content;
    if to_regproc(format('fixed_of_%s', tg_table_name)) is not null then
      execute format('select fixed_of_%I($1)', tg_table_name) using new into fixed;
    end if;
  end if;
  insert into record_seals (kind, record_id, customer_id, content, fixed) values (tg_table_name, record_id, customer, content, fixed);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION seal_text(day date)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select (day - date '2000-01-01')::text
$function$;

CREATE OR REPLACE FUNCTION seal_text(instant timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select (extract(epoch from instant) * 1000000)::bigint::text
$function$;

CREATE OR REPLACE FUNCTION seal_unsealed()
 RETURNS void
 LANGUAGE sql
AS $function$
  select seal_unsealed_of(t.name, t.id, coalesce(t.customer, 'r.customer_id')) from (values
    ('documents', 'r.id', null), ('document_files', 'r.document_id', '(select d.customer_id from documents d where d.id = r.document_id)'),
    ('e_invoices', 'r.document_id', '(select d.customer_id from documents d where d.id = r.document_id)'), ('cycles', 'r.id', null),
    ('payments', 'r.provider_payment_id', null), ('amendments', 'r.document_id', null),
    ('amendment_files', 'r.document_id', '(select d.customer_id from documents d where d.id = r.document_id)'), ('tds_claims', 'r.id', null),
    ('quota_raises', 'r.id::text', null), ('refunds', 'r.id', null), ('disputes', 'r.provider_dispute_id', null), ('tax_claims', 'r.id', null),
    ('sez_checks', 'r.id::text', null), ('letters_of_undertaking', 'r.arn', 'null'), ('remittance_proofs', 'r.payment_id', 'null'),
    ('settlements', 'r.settlement_id', 'null'), ('period_locks', 'r.id::text', 'null'), ('operator_actions', 'r.position::text', null),
    ('activations', 'r.id', null), ('api_keys', 'r.id', null), ('profiles', 'r.customer_id', null), ('accountants', 'r.id', null), ('mails', 'r.id', null),
    ('mail_documents', $a$r.mail_id || '/' || r.place$a$, '(select m.customer_id from mails m where m.id = r.mail_id)'), ('payment_orders', 'r.id', null),
    ('order_cycles', $a$r.order_id || '/' || r.cycle_id$a$, null),
    ('e_invoice_waits', 'r.document_id', '(select d.customer_id from documents d where d.id = r.document_id)'),
    ('settlement_items', 'r.id::text', 'null'), ('closed_series', $a$r.series || '/' || r.financial_year$a$, 'null'),
    ('document_series_forms', 'r.name', 'null'), ('catalog_versions', 'r.version::text', 'null'),
    ('catalog_version_files', $a$r.version || '/' || r.path$a$, 'null')) t (name, id, customer)
$function$;

CREATE OR REPLACE FUNCTION seal_unsealed_of(p_table text, p_id text, p_customer text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('insert into record_seals (kind, record_id, customer_id, content, fixed) select %1$L, %2$s, %3$s, seal_of_%1$I(r), %4$s from %1$I r
    where not exists (select from record_seals s where s.kind = %1$L and s.record_id = %2$s)%5$s', p_table, p_id, p_customer,
    case when to_regproc(format('fixed_of_%s', p_table)) is null then 'null' else format('fixed_of_%I(r)', p_table) end,
    case p_table when 'mails' then ' and (r.document_id is not null or r.pack_month is not null)' else '' end);
end $function$;

CREATE OR REPLACE FUNCTION seals_stand()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and old.position is null and new.position is not null
     and (to_jsonb(new) - '{position,hash}'::text[]) = (to_jsonb(old) - '{position,hash}'::text[]) then
    return new;
  end if;
  raise exception 'seals are only added to';
end $function$;

CREATE OR REPLACE FUNCTION settlement_items_stand()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.entity_id <> old.entity_id or old.settlement_id is not null
     and (to_jsonb(new) - '{booked_at,returned_at}'::text[]) <> (to_jsonb(old) - '{booked_at,returned_at}'::text[])
     or old.booked_at is not null and new.booked_at is distinct from old.booked_at
     or old.returned_at is not null and new.returned_at is distinct from old.returned_at then
    raise exception 'item % of settlement % never changes', old.entity_id, old.settlement_id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION settlements_move_forward()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.settlement_id, new.amount_paise, new.created_at) is distinct from (old.settlement_id, old.amount_paise, old.created_at)
     or old.status = 'failed' and new.status <> 'failed' or old.status = 'processed' and new.status = 'created' then
    raise exception 'settlement % cannot go from % to %', old.settlement_id, old.status, new.status;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION support_messages_move_thread()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update support_threads set status = case new.author when 'CUSTOMER' then 'OPEN' else 'ANSWERED' end,
      changed_at = greatest(changed_at, new.created_at)
    where id = new.thread_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION support_threads_follow_messages()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.id, new.customer_id, new.activation_id, new.subject, new.created_at)
      is distinct from (old.id, old.customer_id, old.activation_id, old.subject, old.created_at)
     or new.changed_at < old.changed_at or new.read_at < old.read_at or (new.read_at is null and old.read_at is not null)
     or (new.status <> old.status and new.status <> 'CLOSED' and new.status is distinct from
       (select case author when 'CUSTOMER' then 'OPEN' else 'ANSWERED' end from support_messages
         where thread_id = new.id order by created_at desc, author desc limit 1)) then
    raise exception 'thread % does not follow its messages', new.id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION switches_are_paid_alone()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
begin
  if exists (select from cycles c where c.id = new.cycle_id and (c.replaces is not null or c.adds_to is not null))
     or exists (select from order_cycles o join cycles c on c.id = o.cycle_id
        where o.order_id = new.order_id and (c.replaces is not null or c.adds_to is not null)) then
    raise exception 'order % covers a switch or a pack and other cycles', new.order_id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION take_quota(p_journal text, p_activation text, p_cycle text, p_day date, p_key text, p_wanted integer, p_needed integer, p_recall text, p_least integer DEFAULT 1)
 RETURNS TABLE(granted integer, day_left integer, cycle_left integer, key_left integer, holders text[])
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_cycle cycles;
  v_free boolean;
  v_window date;
  v_window_end date;
  v_asked text;
  v_journals text[];
begin
  select * into v_cycle from cycles
    where id = p_cycle and activation_id = p_activation and status in ('PAID', 'NO_PAYMENT_REQUIRED')
      and from_date <= p_day and p_day < to_date and adds_to is null;
  if not found then return; end if;
  v_free := is_free_cycle(v_cycle);
  insert into quota_days (activation_id, day) values (p_activation, p_day) on conflict do nothing;
  perform 1 from quota_days where activation_id = p_activation and day = p_day for update;
  insert into quota_cycles (cycle_id) values (p_cycle) on conflict do nothing;
  perform 1 from quota_cycles where cycle_id = p_cycle for update;
  -- What was added is read under the locks: it may be taken back meanwhile.
  v_cycle.daily_quota := v_cycle.daily_quota + pack_units(p_cycle);
  v_cycle.monthly_quota := v_cycle.monthly_quota + pack_units(p_cycle);
  select greatest(v_cycle.daily_quota - taken - earlier_of_day(v_cycle, p_day), 0) into day_left from quota_days
    where activation_id = p_activation and day = p_day;
  select greatest(v_cycle.monthly_quota - taken, 0) into cycle_left from quota_cycles where cycle_id = p_cycle;
  if v_free then
    insert into free_quota_days as f (customer_id, service_id, day, quota)
      values (v_cycle.customer_id, v_cycle.service_id, p_day, v_cycle.daily_quota)
      on conflict (customer_id, service_id, day) do update set quota = greatest(f.quota, excluded.quota)
      returning least(day_left, greatest(v_cycle.daily_quota - f.taken, 0)) into day_left;
    v_window := open_free_window(v_cycle, p_day);
    update free_quota_windows w set quota = greatest(w.quota, v_cycle.monthly_quota)
      where w.customer_id = v_cycle.customer_id and w.service_id = v_cycle.service_id and w.from_date = v_window
      returning least(cycle_left, greatest(v_cycle.monthly_quota - w.taken, 0)), w.to_date into cycle_left, v_window_end;
  end if;
  if p_key <> '' then
    select greatest(k.daily_cap
      - (select coalesce(sum(u.units), 0) from usage_counts u
          where u.activation_id = p_activation and u.day = p_day and u.key_id = p_key and u.counted)
      - (select coalesce(sum(l.held), 0) from leases l
          where l.activation_id = p_activation and l.day = p_day and l.key_id = p_key), 0)
      into key_left from api_keys k where k.id = p_key;
  end if;
  granted := least(p_wanted, day_left, cycle_left, key_left);
  -- A part of what one call needs would only keep it from another gateway.
  if granted < p_least then granted := 0; end if;
  if granted > 0 then
    update quota_days set taken = taken + granted where activation_id = p_activation and day = p_day;
    update quota_cycles set taken = taken + granted where cycle_id = p_cycle;
    if v_free then
      update free_quota_days set taken = taken + granted
        where customer_id = v_cycle.customer_id and service_id = v_cycle.service_id and day = p_day;
      update free_quota_windows set taken = taken + granted
        where customer_id = v_cycle.customer_id and service_id = v_cycle.service_id and from_date = v_window;
    end if;
    insert into leases as l (journal_id, activation_id, cycle_id, day, key_id, held)
      values (p_journal, p_activation, p_cycle, p_day, p_key, granted)
      on conflict (journal_id, activation_id, cycle_id, day, key_id) do update set held = l.held + granted;
    day_left := day_left - granted;
    cycle_left := cycle_left - granted;
    key_left := key_left - granted;
  end if;
  holders := '{}';
  if granted < p_needed then
    -- Where the cap alone is what stops, only those help who hold units of the same key. Units of an earlier activation's free plan may
    -- lie with any gateway, the asking one too.
    for v_asked, v_journals in
      select l.activation_id, array_agg(distinct l.journal_id)
      from leases l join gateways g on g.journal_id = l.journal_id
      where l.held > 0 and g.lease_until > clock_timestamp() and (key_left is null or key_left >= p_least or l.key_id = p_key) and (
        l.activation_id = p_activation and l.journal_id <> p_journal and (l.day = p_day or l.cycle_id = p_cycle)
        or v_free and l.activation_id <> p_activation and l.day >= v_window and l.day < v_window_end
          and l.activation_id in (select e.activation_id from cycles e
            where e.customer_id = v_cycle.customer_id and e.service_id = v_cycle.service_id and is_free_cycle(e)))
      group by l.activation_id order by l.activation_id
    loop
      holders := holders || v_journals;
      perform pg_notify('quota', 'recall ' || p_recall || ' ' || v_asked);
    end loop;
  end if;
  return next;
end $function$;

CREATE OR REPLACE FUNCTION take_test_call(p_customer text, p_service text, p_day date, p_cap integer)
 RETURNS boolean
 LANGUAGE sql
AS $function$
  with taken as (
    insert into test_calls as t (customer_id, service_id, day, calls) values (p_customer, p_service, p_day, 1)
    on conflict (customer_id, service_id) do update
      set day = greatest(t.day, excluded.day), calls = case when excluded.day > t.day then 1 else t.calls + 1 end
      where excluded.day > t.day or t.calls < p_cap
    returning 1
  )
  select exists (select from taken)
$function$;

CREATE OR REPLACE FUNCTION tax_claims_stand()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.withdrawn_at is not null or to_jsonb(new) - 'withdrawn_at' is distinct from to_jsonb(old) - 'withdrawn_at' then
    raise exception 'declaration % can only be withdrawn', old.id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION tds_claims_are_lawful()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.status <> 'WAITING' or not exists (
    select from documents d join cycles c on c.id = d.cycle_id
    where d.id = new.invoice_id and d.kind = 'INVOICE' and d.cycle_id = new.cycle_id and d.customer_id = new.customer_id
      and d.content #>> '{recipient,gstin}' is not null and new.amount_paise <= ceil(d.taxable_paise / 1000.0) * 100
      and new.quarter between quarter_of((c.paid_at at time zone 'Asia/Kolkata')::date) and quarter_of(new.declared_on)) then
    raise exception 'claim % is not about tax on an invoice', new.id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION tds_claims_are_refunded()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from refunds r where r.id = new.refund_id and r.origin = 'TDS' and r.cycle_id = new.cycle_id
    and r.customer_id = new.customer_id and r.amount_paise = new.amount_paise) then
    raise exception 'claim % was accepted without its refund', new.id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tds_claims_move_forward()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status <> 'WAITING' or new.status = 'WAITING'
     or (new.id, new.customer_id, new.cycle_id, new.invoice_id, new.tan, new.section, new.quarter, new.amount_paise, new.certificate_name,
         new.certificate_type, new.certificate_bytes, new.certificate, new.certificate_sha256, new.declared_on, new.declared_at)
     is distinct from (old.id, old.customer_id, old.cycle_id, old.invoice_id, old.tan, old.section, old.quarter, old.amount_paise,
         old.certificate_name, old.certificate_type, old.certificate_bytes, old.certificate, old.certificate_sha256, old.declared_on,
         old.declared_at) then
    raise exception 'claim % can only be accepted or refused, once', old.id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION test_calls_only_grow()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' then
    if (new.day, new.calls) > (old.day, old.calls) and (new.customer_id, new.service_id) = (old.customer_id, old.service_id) then
      return new;
    end if;
  end if;
  raise exception 'test calls only grow';
end $function$;

CREATE OR REPLACE FUNCTION units_beyond(c cycles, p_added bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
  with days as (
    select day, max(taken) as taken from (
      select d.day, d.taken + earlier_of_day(c, d.day) as taken from quota_days d where d.activation_id = c.activation_id and d.day >= c.from_date and d.day < c.to_date
      union all
      select f.day, f.taken from free_quota_days f
      where is_free_cycle(c) and f.customer_id = c.customer_id and f.service_id = c.service_id and f.day >= c.from_date and f.day < c.to_date) d
    group by day
  ), windows as (
    select from_date, to_date, taken from free_quota_windows w
    where is_free_cycle(c) and w.customer_id = c.customer_id and w.service_id = c.service_id and w.from_date < c.to_date and c.from_date < w.to_date
  )
  select greatest(0, coalesce((select taken from quota_cycles where cycle_id = c.id), 0) - c.monthly_quota - p_added,
    coalesce((select sum(least(taken - c.monthly_quota - p_added, units_of(c, from_date, to_date))) from windows
      where taken > c.monthly_quota + p_added), 0),
    coalesce((select sum(least(taken - c.daily_quota - p_added, units_of(c, day, day + 1))) from days where taken > c.daily_quota + p_added), 0))
$function$;

CREATE OR REPLACE FUNCTION units_of(c cycles, p_from date, p_to date)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
  select coalesce((select sum(u.units) from usage_counts u where u.cycle_id = c.id and u.counted and u.day >= p_from and u.day < p_to), 0)
    + coalesce((select sum(l.held) from leases l where l.activation_id = c.activation_id and l.cycle_id = c.id and l.day >= p_from and l.day < p_to), 0)
$function$;

CREATE OR REPLACE FUNCTION waits_close_when_credited()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  d documents;
  invoice documents;
begin
  if old.closed_at is not null then
    raise exception 'the wait of document % is closed', old.document_id;
  end if;
  select * into d from documents where id = new.document_id;
  select * into invoice from documents where id = case d.kind when 'CREDIT_NOTE' then d.refers_to else d.id end;
  if exists (select from e_invoices where document_id = invoice.id)
     or not exists (select from e_invoice_waits where document_id = invoice.id and refused_at is not null)
     or invoice.total_paise <> (select coalesce(sum(total_paise), 0) from documents where refers_to = invoice.id and kind = 'CREDIT_NOTE') then
    raise exception 'document % still has to be registered', d.number;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION zero_rated_under_a_letter()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  supplied date := greatest(new.issued_on, (new.content -> 'item' ->> 'fromDate')::date);
begin
  if exists (select from documents where id = new.refers_to and kind = 'INVOICE') then
    select greatest(min(issued_on), min((content -> 'item' ->> 'fromDate')::date)) into supplied
      from documents where cycle_id = new.cycle_id and kind = 'INVOICE';
  end if;
  if not exists (select from letters_of_undertaking where arn = new.content ->> 'lut' and supplied between from_date and last_date) then
    raise exception 'document % bears no tax and no letter of undertaking covers %', new.number, supplied;
  end if;
  return new;
end $function$;

-- triggers

CREATE TRIGGER accountants_are_asked BEFORE INSERT ON accountants FOR EACH ROW EXECUTE FUNCTION accountants_are_asked();

CREATE TRIGGER accountants_stand BEFORE UPDATE ON accountants FOR EACH ROW EXECUTE FUNCTION accountants_stand();

CREATE TRIGGER erased_get_nothing BEFORE INSERT ON accountants FOR EACH ROW EXECUTE FUNCTION erased_get_nothing();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON accountants FOR EACH ROW EXECUTE FUNCTION note_ledger_change('customer');
alter table accountants enable always trigger noted_for_ledger;

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON accountants FOR EACH ROW EXECUTE FUNCTION seal_record('id');

CREATE TRIGGER activations_never_deleted BEFORE DELETE ON activations FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER activations_stay BEFORE UPDATE ON activations FOR EACH ROW EXECUTE FUNCTION activations_stay();

CREATE TRIGGER erased_get_nothing BEFORE INSERT ON activations FOR EACH ROW EXECUTE FUNCTION erased_get_nothing();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON activations FOR EACH ROW EXECUTE FUNCTION note_ledger_change('customer');
alter table activations enable always trigger noted_for_ledger;

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON activations FOR EACH ROW EXECUTE FUNCTION seal_record('id');

CREATE TRIGGER never_deleted BEFORE DELETE ON amendment_files FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON amendment_files FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON amendment_files FOR EACH ROW EXECUTE FUNCTION note_ledger_change('document');
alter table amendment_files enable always trigger noted_for_ledger;

CREATE TRIGGER only_moves BEFORE UPDATE ON amendment_files FOR EACH ROW EXECUTE FUNCTION only_moves();

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE OF document_id, pdf_sha256, made_at ON amendment_files FOR EACH ROW EXECUTE FUNCTION seal_record('document_id');

CREATE TRIGGER amendments_are_lawful BEFORE INSERT ON amendments FOR EACH ROW EXECUTE FUNCTION amendments_are_lawful();

CREATE TRIGGER amendments_never_change BEFORE DELETE OR UPDATE ON amendments FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON amendments FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON amendments FOR EACH ROW EXECUTE FUNCTION note_ledger_change('customer');
alter table amendments enable always trigger noted_for_ledger;

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON amendments FOR EACH ROW EXECUTE FUNCTION seal_record('document_id');

CREATE TRIGGER api_keys_stay_revoked BEFORE UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION api_keys_stay_revoked();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION note_ledger_change('customer');
alter table api_keys enable always trigger noted_for_ledger;

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION seal_record('id');

CREATE TRIGGER never_change BEFORE DELETE OR UPDATE ON catalog_files FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON catalog_files FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER catalog_version_files_complete BEFORE INSERT ON catalog_version_files FOR EACH ROW EXECUTE FUNCTION catalog_version_files_complete();

CREATE TRIGGER never_change BEFORE DELETE OR UPDATE ON catalog_version_files FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON catalog_version_files FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON catalog_version_files FOR EACH ROW EXECUTE FUNCTION seal_record('version,path');

CREATE TRIGGER catalog_versions_follow BEFORE INSERT ON catalog_versions FOR EACH ROW EXECUTE FUNCTION catalog_versions_follow();

CREATE TRIGGER catalog_versions_stay BEFORE UPDATE ON catalog_versions FOR EACH ROW EXECUTE FUNCTION catalog_versions_stay();

CREATE TRIGGER never_deleted BEFORE DELETE ON catalog_versions FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON catalog_versions FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON catalog_versions FOR EACH ROW EXECUTE FUNCTION seal_record('version');

CREATE TRIGGER clock_stays_reached BEFORE UPDATE ON clock FOR EACH ROW EXECUTE FUNCTION clock_stays_reached();

CREATE TRIGGER closed_series_stand BEFORE DELETE OR UPDATE ON closed_series FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON closed_series FOR EACH ROW EXECUTE FUNCTION seal_record('series,financial_year');

CREATE CONSTRAINT TRIGGER blocks_are_recorded AFTER UPDATE ON customers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.blocked_at IS DISTINCT FROM old.blocked_at) OR (new.blocked_reason IS DISTINCT FROM old.blocked_reason))) EXECUTE FUNCTION blocks_are_recorded();

CREATE TRIGGER customers_stay_erased BEFORE UPDATE ON customers FOR EACH ROW EXECUTE FUNCTION customers_stay_erased();

CREATE CONSTRAINT TRIGGER erasures_are_recorded AFTER UPDATE ON customers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.erased_at IS DISTINCT FROM old.erased_at)) EXECUTE FUNCTION erasures_are_recorded();

CREATE TRIGGER noted_for_ledger AFTER UPDATE OF blocked_at, blocked_reason, erased_at ON customers FOR EACH ROW EXECUTE FUNCTION note_ledger_change('self');
alter table customers enable always trigger noted_for_ledger;

CREATE CONSTRAINT TRIGGER cycles_are_paid AFTER UPDATE OF status, paid_at ON cycles DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION cycles_are_paid();

CREATE TRIGGER cycles_begin_in_time BEFORE INSERT ON cycles FOR EACH ROW EXECUTE FUNCTION cycles_begin_in_time();

CREATE TRIGGER cycles_move_forward BEFORE UPDATE ON cycles FOR EACH ROW EXECUTE FUNCTION cycles_move_forward();

CREATE TRIGGER cycles_need_activation BEFORE INSERT OR UPDATE ON cycles FOR EACH ROW EXECUTE FUNCTION cycles_need_activation();

CREATE TRIGGER cycles_never_deleted BEFORE DELETE ON cycles FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER cycles_noted_for_rounds AFTER INSERT OR UPDATE ON cycles FOR EACH ROW EXECUTE FUNCTION note_customer_change('rounds');

CREATE TRIGGER cycles_paid_in_time BEFORE UPDATE ON cycles FOR EACH ROW WHEN (((new.status = 'PAID'::cycle_status) AND (old.status <> 'PAID'::cycle_status))) EXECUTE FUNCTION cycles_begin_in_time();

CREATE TRIGGER cycles_replace_for_good BEFORE UPDATE ON cycles FOR EACH ROW WHEN ((new.replaces IS DISTINCT FROM old.replaces)) EXECUTE FUNCTION never_change();

CREATE TRIGGER cycles_replace_running BEFORE INSERT ON cycles FOR EACH ROW WHEN ((new.replaces IS NOT NULL)) EXECUTE FUNCTION cycles_replace_running();

CREATE CONSTRAINT TRIGGER grants_are_recorded AFTER INSERT ON cycles DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.granted_reason IS NOT NULL)) EXECUTE FUNCTION grants_are_recorded();

CREATE TRIGGER grants_stand BEFORE UPDATE ON cycles FOR EACH ROW WHEN ((new.granted_reason IS DISTINCT FROM old.granted_reason)) EXECUTE FUNCTION never_change();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON cycles FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON cycles FOR EACH ROW EXECUTE FUNCTION note_ledger_change('customer');
alter table cycles enable always trigger noted_for_ledger;

CREATE TRIGGER packs_add_for_good BEFORE UPDATE ON cycles FOR EACH ROW WHEN ((new.adds_to IS DISTINCT FROM old.adds_to)) EXECUTE FUNCTION never_change();

CREATE TRIGGER packs_add_to_running BEFORE INSERT ON cycles FOR EACH ROW WHEN ((new.adds_to IS NOT NULL)) EXECUTE FUNCTION packs_add_to_running();

CREATE CONSTRAINT TRIGGER packs_end_with_cycle AFTER INSERT OR UPDATE OF status ON cycles DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION packs_end_with_cycle();

CREATE TRIGGER packs_paid_while_running BEFORE UPDATE ON cycles FOR EACH ROW WHEN (((new.adds_to IS NOT NULL) AND (new.status = 'PAID'::cycle_status) AND (old.status <> 'PAID'::cycle_status))) EXECUTE FUNCTION packs_add_to_running();

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON cycles FOR EACH ROW EXECUTE FUNCTION seal_record('id');

CREATE CONSTRAINT TRIGGER disputes_are_booked AFTER INSERT OR UPDATE ON disputes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION disputes_are_booked();

CREATE TRIGGER disputes_move_forward BEFORE UPDATE ON disputes FOR EACH ROW EXECUTE FUNCTION disputes_move_forward();

CREATE TRIGGER disputes_never_deleted BEFORE DELETE ON disputes FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON disputes FOR EACH ROW EXECUTE FUNCTION note_ledger_change('customer');
alter table disputes enable always trigger noted_for_ledger;

CREATE TRIGGER sealed AFTER INSERT OR DELETE ON disputes FOR EACH ROW EXECUTE FUNCTION seal_record('provider_dispute_id');

CREATE TRIGGER sealed_again AFTER UPDATE ON disputes FOR EACH ROW WHEN (((to_jsonb(new.*) - 'next_check_at'::text) IS DISTINCT FROM (to_jsonb(old.*) - 'next_check_at'::text))) EXECUTE FUNCTION seal_record('provider_dispute_id');

CREATE TRIGGER never_deleted BEFORE DELETE ON document_files FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON document_files FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON document_files FOR EACH ROW EXECUTE FUNCTION note_ledger_change('document');
alter table document_files enable always trigger noted_for_ledger;

CREATE TRIGGER only_moves BEFORE UPDATE ON document_files FOR EACH ROW EXECUTE FUNCTION only_moves();

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE OF document_id, pdf_sha256, made_at ON document_files FOR EACH ROW EXECUTE FUNCTION seal_record('document_id');

CREATE TRIGGER document_series_count BEFORE INSERT OR DELETE OR UPDATE ON document_series FOR EACH ROW EXECUTE FUNCTION document_series_count();

CREATE CONSTRAINT TRIGGER document_series_used AFTER INSERT OR UPDATE ON document_series DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION document_series_used();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON document_series FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER document_series_forms_stand BEFORE DELETE OR UPDATE ON document_series_forms FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON document_series_forms FOR EACH ROW EXECUTE FUNCTION seal_record('name');

CREATE TRIGGER claims_are_declared BEFORE INSERT ON documents FOR EACH ROW WHEN (((new.kind = ANY (ARRAY['INVOICE'::document_kind, 'RECEIPT_VOUCHER'::document_kind])) AND ((new.content ->> 'supplyType'::text) = ANY (ARRAY['SEZWP'::text, 'SEZWOP'::text, 'EXPWOP'::text])))) EXECUTE FUNCTION claims_are_declared();

CREATE CONSTRAINT TRIGGER documents_are_paid AFTER INSERT ON documents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION documents_are_paid();

CREATE TRIGGER documents_dated_in_open_month BEFORE INSERT ON documents FOR EACH ROW EXECUTE FUNCTION documents_dated_in_open_month();

CREATE TRIGGER documents_dated_in_time BEFORE INSERT ON documents FOR EACH ROW EXECUTE FUNCTION documents_issued_in_time();

CREATE TRIGGER documents_follow BEFORE INSERT ON documents FOR EACH ROW EXECUTE FUNCTION documents_follow();

CREATE TRIGGER documents_never_change BEFORE DELETE OR UPDATE ON documents FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER documents_of_one_registration BEFORE INSERT ON documents FOR EACH ROW WHEN ((new.refers_to IS NOT NULL)) EXECUTE FUNCTION documents_of_one_registration();

CREATE TRIGGER documents_open_vouchers AFTER INSERT ON documents FOR EACH ROW EXECUTE FUNCTION open_vouchers_follow();

CREATE TRIGGER documents_wait AFTER INSERT ON documents FOR EACH ROW WHEN (new.needs_irn) EXECUTE FUNCTION documents_wait();

CREATE TRIGGER invoices_are_corrected BEFORE INSERT ON documents FOR EACH ROW WHEN (((new.kind = 'INVOICE'::document_kind) AND (new.refers_to IS NOT NULL))) EXECUTE FUNCTION invoices_are_corrected();

CREATE TRIGGER late_notes_bear_no_tax BEFORE INSERT ON documents FOR EACH ROW WHEN ((new.kind = 'CREDIT_NOTE'::document_kind)) EXECUTE FUNCTION late_notes_bear_no_tax();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON documents FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON documents FOR EACH ROW EXECUTE FUNCTION note_ledger_change('customer');
alter table documents enable always trigger noted_for_ledger;

CREATE CONSTRAINT TRIGGER replacements_are_over_what_is_kept AFTER INSERT ON documents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.kind = 'INVOICE'::document_kind) AND (new.refers_to IS NOT NULL))) EXECUTE FUNCTION replacements_are_over_what_is_kept();

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON documents FOR EACH ROW EXECUTE FUNCTION seal_record('id');

CREATE TRIGGER zero_rated_under_a_letter BEFORE INSERT ON documents FOR EACH ROW WHEN (((new.kind = ANY (ARRAY['INVOICE'::document_kind, 'RECEIPT_VOUCHER'::document_kind])) AND ((new.content ->> 'tax'::text) = 'NONE'::text))) EXECUTE FUNCTION zero_rated_under_a_letter();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON e_invoice_waits FOR EACH ROW EXECUTE FUNCTION note_ledger_change('document');
alter table e_invoice_waits enable always trigger noted_for_ledger;

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE OF document_id, since, refused_at, refused_code, refused_reason, closed_at ON e_invoice_waits FOR EACH ROW EXECUTE FUNCTION seal_record('document_id');

CREATE TRIGGER waits_close_when_credited BEFORE UPDATE ON e_invoice_waits FOR EACH ROW WHEN (((old.closed_at IS NOT NULL) OR (new.closed_at IS NOT NULL))) EXECUTE FUNCTION waits_close_when_credited();

CREATE TRIGGER e_invoices_cancelled_in_open_month BEFORE UPDATE OF cancelled_at ON e_invoices FOR EACH ROW WHEN (((old.cancelled_at IS NULL) AND (new.cancelled_at IS NOT NULL))) EXECUTE FUNCTION e_invoices_cancelled_in_open_month();

CREATE TRIGGER e_invoices_stay BEFORE DELETE OR UPDATE ON e_invoices FOR EACH ROW EXECUTE FUNCTION e_invoices_stay();

CREATE TRIGGER e_invoices_waited AFTER INSERT ON e_invoices FOR EACH ROW EXECUTE FUNCTION e_invoices_waited();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON e_invoices FOR EACH ROW EXECUTE FUNCTION note_ledger_change('document');
alter table e_invoices enable always trigger noted_for_ledger;

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON e_invoices FOR EACH ROW EXECUTE FUNCTION seal_record('document_id');

CREATE TRIGGER erased_get_nothing BEFORE INSERT ON erasure_requests FOR EACH ROW EXECUTE FUNCTION erased_get_nothing();

CREATE TRIGGER erasure_requests_end BEFORE UPDATE ON erasure_requests FOR EACH ROW EXECUTE FUNCTION erasure_requests_end();

CREATE TRIGGER never_deleted BEFORE DELETE ON erasure_requests FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE CONSTRAINT TRIGGER ledger_chain AFTER INSERT ON ledger_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_chain();

CREATE TRIGGER ledger_entries_stand BEFORE INSERT OR DELETE OR UPDATE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION ledger_entries_stand();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION note_ledger_change('customer');
alter table ledger_entries enable always trigger noted_for_ledger;

CREATE TRIGGER ledger_head_moves BEFORE INSERT OR DELETE OR UPDATE ON ledger_head FOR EACH ROW EXECUTE FUNCTION ledger_head_moves();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON ledger_head FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER ledger_lines_stand BEFORE INSERT OR DELETE OR UPDATE ON ledger_lines FOR EACH ROW EXECUTE FUNCTION ledger_lines_stand();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON ledger_lines FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON ledger_lines FOR EACH ROW EXECUTE FUNCTION note_ledger_change('entry');
alter table ledger_lines enable always trigger noted_for_ledger;

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON letters_of_undertaking FOR EACH ROW EXECUTE FUNCTION seal_record('arn');

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON mail_documents FOR EACH ROW EXECUTE FUNCTION note_ledger_change('mail');
alter table mail_documents enable always trigger noted_for_ledger;

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON mail_documents FOR EACH ROW EXECUTE FUNCTION seal_record('mail_id,place');

CREATE TRIGGER noted_for_ledger AFTER INSERT OR UPDATE OF recipient, document_id, accountant_id, pack_month ON mails FOR EACH ROW WHEN (((new.document_id IS NOT NULL) OR (new.pack_month IS NOT NULL))) EXECUTE FUNCTION note_ledger_change('customer');
alter table mails enable always trigger noted_for_ledger;

CREATE TRIGGER sealed AFTER INSERT OR UPDATE OF id, customer_id, recipient, document_id, created_at, accountant_id, pack_month ON mails FOR EACH ROW WHEN (((new.document_id IS NOT NULL) OR (new.pack_month IS NOT NULL))) EXECUTE FUNCTION seal_record('id');

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON open_vouchers FOR EACH ROW EXECUTE FUNCTION note_ledger_change('document');
alter table open_vouchers enable always trigger noted_for_ledger;

CREATE TRIGGER chain_operator_action BEFORE INSERT ON operator_actions FOR EACH ROW EXECUTE FUNCTION chain_operator_action();

CREATE TRIGGER never_change BEFORE DELETE OR UPDATE ON operator_actions FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON operator_actions FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON operator_actions FOR EACH ROW EXECUTE FUNCTION seal_record('position');

CREATE TRIGGER never_deleted BEFORE DELETE ON operator_head FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON operator_head FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER never_deleted BEFORE DELETE ON order_cycles FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON order_cycles FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON order_cycles FOR EACH ROW EXECUTE FUNCTION note_ledger_change('customer');
alter table order_cycles enable always trigger noted_for_ledger;

CREATE TRIGGER order_cycles_stand BEFORE UPDATE ON order_cycles FOR EACH ROW EXECUTE FUNCTION order_cycles_stand();

CREATE CONSTRAINT TRIGGER orders_add_up AFTER INSERT ON order_cycles DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION orders_add_up('order_id');

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON order_cycles FOR EACH ROW EXECUTE FUNCTION seal_record('order_id,cycle_id');

CREATE TRIGGER switches_are_paid_alone BEFORE INSERT ON order_cycles FOR EACH ROW WHEN ((new.place > 1)) EXECUTE FUNCTION switches_are_paid_alone();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON payment_orders FOR EACH ROW EXECUTE FUNCTION note_ledger_change('customer');
alter table payment_orders enable always trigger noted_for_ledger;

CREATE CONSTRAINT TRIGGER orders_add_up AFTER INSERT ON payment_orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION orders_add_up('id');

CREATE TRIGGER orders_cover_cycles AFTER INSERT OR UPDATE OF status ON payment_orders FOR EACH ROW EXECUTE FUNCTION orders_cover_cycles();

CREATE TRIGGER orders_move_forward BEFORE INSERT OR UPDATE ON payment_orders FOR EACH ROW EXECUTE FUNCTION orders_move_forward();

CREATE TRIGGER orders_never_deleted BEFORE DELETE ON payment_orders FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE OF id, cycle_id, activation_id, customer_id, provider_order_id, amount_paise, currency, status, created_at, purchase_order, purchase_order_date ON payment_orders FOR EACH ROW EXECUTE FUNCTION seal_record('id');

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON payments FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION note_ledger_change('customer');
alter table payments enable always trigger noted_for_ledger;

CREATE CONSTRAINT TRIGGER payments_are_used AFTER INSERT OR UPDATE ON payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION payments_are_used();

CREATE TRIGGER payments_move_forward BEFORE UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION payments_move_forward();

CREATE TRIGGER payments_never_deleted BEFORE DELETE ON payments FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION seal_record('provider_payment_id');

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON period_locks FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER period_locks_alternate BEFORE INSERT ON period_locks FOR EACH ROW EXECUTE FUNCTION period_locks_alternate();

CREATE TRIGGER period_locks_stand BEFORE DELETE OR UPDATE ON period_locks FOR EACH ROW EXECUTE FUNCTION period_locks_stand();

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON period_locks FOR EACH ROW EXECUTE FUNCTION seal_record('id');

CREATE TRIGGER erased_get_nothing BEFORE INSERT ON profiles FOR EACH ROW EXECUTE FUNCTION erased_get_nothing();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON profiles FOR EACH ROW EXECUTE FUNCTION note_ledger_change('customer');
alter table profiles enable always trigger noted_for_ledger;

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON profiles FOR EACH ROW EXECUTE FUNCTION seal_record('customer_id');

CREATE TRIGGER quota_cycles_noted AFTER INSERT OR UPDATE OF taken ON quota_cycles FOR EACH ROW WHEN ((new.taken > 0)) EXECUTE FUNCTION note_cycle_quota();

CREATE TRIGGER quota_days_noted AFTER INSERT OR UPDATE OF taken ON quota_days FOR EACH ROW WHEN ((new.taken > 0)) EXECUTE FUNCTION note_day_quota();

CREATE TRIGGER never_change BEFORE DELETE OR UPDATE ON quota_raises FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON quota_raises FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON quota_raises FOR EACH ROW EXECUTE FUNCTION note_ledger_change('customer');
alter table quota_raises enable always trigger noted_for_ledger;

CREATE TRIGGER quota_raises_are_due BEFORE INSERT ON quota_raises FOR EACH ROW EXECUTE FUNCTION quota_raises_are_due();

CREATE CONSTRAINT TRIGGER quota_raises_are_recorded AFTER INSERT ON quota_raises DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION quota_raises_are_recorded();

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON quota_raises FOR EACH ROW EXECUTE FUNCTION seal_record('id');

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON record_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER seals_stand BEFORE DELETE OR UPDATE ON record_seals FOR EACH ROW EXECUTE FUNCTION seals_stand();

CREATE CONSTRAINT TRIGGER corrections_lower_the_invoice AFTER INSERT ON refunds DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.origin = 'CORRECTION'::text)) EXECUTE FUNCTION corrections_lower_the_invoice();

CREATE CONSTRAINT TRIGGER excess_tax_has_a_voucher AFTER INSERT ON refunds DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.origin = 'EXCESS_TAX'::text)) EXECUTE FUNCTION excess_tax_has_a_voucher();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON refunds FOR EACH ROW EXECUTE FUNCTION note_ledger_change('customer');
alter table refunds enable always trigger noted_for_ledger;

CREATE CONSTRAINT TRIGGER operator_refunds_are_recorded AFTER INSERT ON refunds DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.origin = 'OPERATOR'::text)) EXECUTE FUNCTION operator_refunds_are_recorded();

CREATE CONSTRAINT TRIGGER refund_transfers_are_recorded AFTER INSERT OR UPDATE OF utr ON refunds DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.utr IS NOT NULL)) EXECUTE FUNCTION refund_transfers_are_recorded();

CREATE CONSTRAINT TRIGGER refunds_are_due AFTER INSERT OR UPDATE ON refunds DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refunds_are_due();

CREATE TRIGGER refunds_move_forward BEFORE UPDATE ON refunds FOR EACH ROW EXECUTE FUNCTION refunds_move_forward();

CREATE TRIGGER refunds_never_deleted BEFORE DELETE ON refunds FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE CONSTRAINT TRIGGER replaced_cycles_give_back AFTER INSERT ON refunds DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.reason = 'Unused days of a replaced plan'::text) AND (new.origin = 'PORTAL'::text))) EXECUTE FUNCTION replaced_cycles_give_back();

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE OF status, provider_refund_id, attempt, settled_at, covered_paise, amount_paise, reason, origin, foreign_id, covers_paise, created_at, payment_id, cycle_id, customer_id, id, payout, utr, transferred_on, loss_paise ON refunds FOR EACH ROW EXECUTE FUNCTION seal_record('id');

CREATE TRIGGER never_deleted BEFORE DELETE ON remittance_proofs FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON remittance_proofs FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER proofs_are_of_exports BEFORE INSERT OR UPDATE ON remittance_proofs FOR EACH ROW EXECUTE FUNCTION proofs_are_of_exports();

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON remittance_proofs FOR EACH ROW EXECUTE FUNCTION seal_record('payment_id');

CREATE TRIGGER never_deleted BEFORE DELETE ON seal_head FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON seal_head FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER erased_get_nothing BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION erased_get_nothing();

CREATE TRIGGER never_deleted BEFORE DELETE ON settlement_items FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON settlement_items FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON settlement_items FOR EACH ROW EXECUTE FUNCTION note_ledger_change('payment');
alter table settlement_items enable always trigger noted_for_ledger;

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON settlement_items FOR EACH ROW EXECUTE FUNCTION seal_record('id');

CREATE TRIGGER settlement_items_stand BEFORE UPDATE ON settlement_items FOR EACH ROW EXECUTE FUNCTION settlement_items_stand();

CREATE TRIGGER never_deleted BEFORE DELETE ON settlements FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON settlements FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER sealed AFTER INSERT OR DELETE ON settlements FOR EACH ROW EXECUTE FUNCTION seal_record('settlement_id');

CREATE TRIGGER sealed_again AFTER UPDATE ON settlements FOR EACH ROW WHEN (((to_jsonb(new.*) - 'read_at'::text) IS DISTINCT FROM (to_jsonb(old.*) - 'read_at'::text))) EXECUTE FUNCTION seal_record('settlement_id');

CREATE TRIGGER settlements_move_forward BEFORE UPDATE ON settlements FOR EACH ROW EXECUTE FUNCTION settlements_move_forward();

CREATE TRIGGER erased_get_nothing BEFORE INSERT ON sez_checks FOR EACH ROW EXECUTE FUNCTION erased_get_nothing();

CREATE TRIGGER never_changed BEFORE DELETE OR UPDATE ON sez_checks FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON sez_checks FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON sez_checks FOR EACH ROW EXECUTE FUNCTION note_ledger_change('customer');
alter table sez_checks enable always trigger noted_for_ledger;

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON sez_checks FOR EACH ROW EXECUTE FUNCTION seal_record('id');

CREATE TRIGGER erased_get_nothing BEFORE INSERT ON support_messages FOR EACH ROW EXECUTE FUNCTION erased_get_nothing();

CREATE TRIGGER goes_with_customer BEFORE DELETE ON support_messages FOR EACH ROW EXECUTE FUNCTION goes_with_customer();

CREATE TRIGGER support_messages_move_thread AFTER INSERT ON support_messages FOR EACH ROW EXECUTE FUNCTION support_messages_move_thread();

CREATE TRIGGER support_messages_never_change BEFORE UPDATE ON support_messages FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER erased_get_nothing BEFORE INSERT ON support_threads FOR EACH ROW EXECUTE FUNCTION erased_get_nothing();

CREATE TRIGGER goes_with_customer BEFORE DELETE ON support_threads FOR EACH ROW EXECUTE FUNCTION goes_with_customer();

CREATE TRIGGER support_threads_follow_messages BEFORE UPDATE ON support_threads FOR EACH ROW EXECUTE FUNCTION support_threads_follow_messages();

CREATE TRIGGER erased_get_nothing BEFORE INSERT ON tax_claims FOR EACH ROW EXECUTE FUNCTION erased_get_nothing();

CREATE TRIGGER letters_are_few BEFORE INSERT ON tax_claims FOR EACH ROW EXECUTE FUNCTION letters_are_few();

CREATE TRIGGER never_deleted BEFORE DELETE ON tax_claims FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON tax_claims FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON tax_claims FOR EACH ROW EXECUTE FUNCTION note_ledger_change('customer');
alter table tax_claims enable always trigger noted_for_ledger;

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON tax_claims FOR EACH ROW EXECUTE FUNCTION seal_record('id');

CREATE TRIGGER tax_claims_stand BEFORE UPDATE ON tax_claims FOR EACH ROW EXECUTE FUNCTION tax_claims_stand();

CREATE TRIGGER erased_get_nothing BEFORE INSERT ON tds_claims FOR EACH ROW EXECUTE FUNCTION erased_get_nothing();

CREATE TRIGGER never_deleted BEFORE DELETE ON tds_claims FOR EACH ROW EXECUTE FUNCTION never_change();

CREATE TRIGGER never_emptied BEFORE TRUNCATE ON tds_claims FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();

CREATE TRIGGER noted_for_ledger AFTER INSERT OR DELETE OR UPDATE ON tds_claims FOR EACH ROW EXECUTE FUNCTION note_ledger_change('customer');
alter table tds_claims enable always trigger noted_for_ledger;

CREATE TRIGGER sealed AFTER INSERT OR DELETE OR UPDATE ON tds_claims FOR EACH ROW EXECUTE FUNCTION seal_record('id');

CREATE TRIGGER tds_claims_are_lawful BEFORE INSERT ON tds_claims FOR EACH ROW EXECUTE FUNCTION tds_claims_are_lawful();

CREATE CONSTRAINT TRIGGER tds_claims_are_refunded AFTER UPDATE ON tds_claims DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.status = 'ACCEPTED'::text)) EXECUTE FUNCTION tds_claims_are_refunded();

CREATE TRIGGER tds_claims_move_forward BEFORE UPDATE ON tds_claims FOR EACH ROW EXECUTE FUNCTION tds_claims_move_forward();

CREATE TRIGGER test_calls_only_grow BEFORE DELETE OR UPDATE ON test_calls FOR EACH ROW EXECUTE FUNCTION test_calls_only_grow();

CREATE TRIGGER erased_get_nothing BEFORE INSERT ON webhooks FOR EACH ROW EXECUTE FUNCTION erased_get_nothing();

CREATE TRIGGER webhooks_noted_for_rounds AFTER INSERT OR UPDATE OF disabled_at, events ON webhooks FOR EACH ROW EXECUTE FUNCTION note_customer_change('rounds');
