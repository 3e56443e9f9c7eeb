-- Databases from before these migrations have these tables, so each is created only where it is missing. Later migrations need not do so.
create table if not exists products.answers (
  caller text not null,
  key text not null,
  request_hash text not null,
  started_at timestamptz not null,
  answered_at timestamptz,
  status integer,
  content_type text,
  body bytea,
  primary key (caller, key)
);
-- The request id of the call that the answer was first given to.
alter table products.answers add column if not exists first_request_id text not null default '';
create index if not exists answers_answered_at on products.answers (answered_at);
alter table products.answers add column if not exists customer text;
create index if not exists answers_customer on products.answers (customer, answered_at);
create table if not exists products.series (
  caller text not null,
  series text not null,
  document_type text not null,
  financial_year text not null,
  last_sequence bigint not null,
  primary key (caller, series, document_type, financial_year)
);
create table if not exists products.numbers (
  caller text not null,
  series text not null,
  document_type text not null,
  financial_year text not null,
  sequence bigint not null,
  number text not null,
  asked_by text not null,
  given_at timestamptz not null,
  primary key (caller, series, document_type, financial_year, sequence),
  unique (caller, asked_by)
);
create table if not exists products.sandbox_registrations (
  caller text not null,
  irn text not null,
  document text not null,
  registered_at timestamptz not null,
  cancelled_at timestamptz,
  primary key (caller, irn)
);
create index if not exists sandbox_registrations_registered_at on products.sandbox_registrations (registered_at);
