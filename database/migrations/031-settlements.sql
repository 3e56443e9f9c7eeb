-- Razorpay's settlements: its transfers to the provider's bank account, and the items of which each consists. An item that is held back has no
-- settlement yet.
create table settlements (
  settlement_id text primary key,
  amount_paise bigint not null,
  status text not null check (status in ('created', 'processed', 'failed')),
  -- The reference of the bank's statement.
  utr text,
  created_at timestamptz not null,
  read_at timestamptz not null
);
create index settlements_created on settlements (created_at);

create table settlement_items (
  id bigint generated always as identity primary key,
  -- A payment, refund or adjustment of Razorpay. One whose settlement failed is in a second settlement later.
  entity_id text not null,
  settlement_id text references settlements,
  type text not null,
  debit_paise bigint not null check (debit_paise >= 0),
  credit_paise bigint not null check (credit_paise >= 0),
  amount_paise bigint not null check (amount_paise >= 0),
  -- With its GST, which is `tax_paise`.
  fee_paise bigint not null,
  tax_paise bigint not null,
  currency text not null,
  on_hold boolean not null,
  settled_at timestamptz,
  -- The payment that it is about, of the portal or not; a dispute's adjustment has that of the dispute.
  payment_id text,
  order_id text,
  dispute_id text,
  description text,
  created_at timestamptz not null,
  -- When it was entered into the ledger; null before its settlement was processed.
  booked_at timestamptz,
  -- When it was taken back in the ledger, because a bank returned its settlement.
  returned_at timestamptz,
  unique nulls not distinct (entity_id, settlement_id),
  check ((settlement_id is null) = (settled_at is null)),
  check (booked_at is null or settlement_id is not null),
  check (returned_at is null or booked_at is not null)
);
create index settlement_items_settlement on settlement_items (settlement_id);
create index settlement_items_payment on settlement_items (payment_id);
create index settlement_items_unbooked on settlement_items (id) where booked_at is null;

create function settlements_move_forward() returns trigger language plpgsql as $$
begin
  if (new.settlement_id, new.amount_paise, new.created_at) is distinct from (old.settlement_id, old.amount_paise, old.created_at)
     or old.status = 'failed' and new.status <> 'failed' or old.status = 'processed' and new.status = 'created' then
    raise exception 'settlement % cannot go from % to %', old.settlement_id, old.status, new.status;
  end if;
  return new;
end $$;
create trigger settlements_move_forward before update on settlements for each row execute function settlements_move_forward();
create trigger never_deleted before delete on settlements for each row execute function never_change();
create trigger never_emptied before truncate on settlements execute function refuse_truncate();

create function settlement_items_stand() returns trigger language plpgsql as $$
begin
  if new.entity_id <> old.entity_id or old.settlement_id is not null
     and (to_jsonb(new) - '{booked_at,returned_at}'::text[]) <> (to_jsonb(old) - '{booked_at,returned_at}'::text[])
     or old.booked_at is not null and new.booked_at is distinct from old.booked_at
     or old.returned_at is not null and new.returned_at is distinct from old.returned_at then
    raise exception 'item % of settlement % never changes', old.entity_id, old.settlement_id;
  end if;
  return new;
end $$;
create trigger settlement_items_stand before update on settlement_items for each row execute function settlement_items_stand();
create trigger never_deleted before delete on settlement_items for each row execute function never_change();
create trigger never_emptied before truncate on settlement_items execute function refuse_truncate();

-- How far they were read, and what the last comparison found.
create table settlement_reading (
  only_row boolean primary key default true check (only_row),
  -- The last day (in India) that was read.
  read_until date,
  compared_at timestamptz,
  differences integer not null default 0
);
insert into settlement_reading default values;

-- The fee that Razorpay names with the payment, to be compared with the one that it settles.
alter table payments
  add column fee_paise bigint check (fee_paise >= 0),
  add column fee_tax_paise bigint check (fee_tax_paise between 0 and fee_paise);

-- `bank`: settled to our account. `fees`: Razorpay's fees, without GST. `input_tax`: the GST on them. `disputed`: held back for an open dispute.
-- `losses`: taken by a lost dispute beyond what the customer had paid and not been refunded. `unmatched`: settled without a payment of the portal.
alter table ledger_lines drop constraint ledger_lines_account_check;
alter table ledger_lines add constraint ledger_lines_account_check
  check (account in ('provider', 'cycles', 'refunds', 'bank', 'fees', 'input_tax', 'disputed', 'losses', 'unmatched'));
alter table ledger_entries drop constraint ledger_entries_kind_check;
alter table ledger_entries add constraint ledger_entries_kind_check
  check (kind in ('CAPTURED_FOR_CYCLE', 'CAPTURED_FOR_REFUND', 'REFUND_DUE', 'REFUND_PAID', 'SETTLED', 'SETTLEMENT_FAILED', 'DISPUTE_HELD',
    'DISPUTE_RELEASED', 'DISPUTE_LOSS'));
-- A settlement may contain money of no payment of ours.
alter table ledger_entries
  alter column payment_id drop not null,
  alter column cycle_id drop not null,
  alter column customer_id drop not null,
  add check ((payment_id is null) = (cycle_id is null) and (payment_id is null) = (customer_id is null)),
  add check (payment_id is not null or kind in ('SETTLED', 'SETTLEMENT_FAILED'));

create or replace function ledger_chain() returns trigger language plpgsql as $$
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
end $$;

create or replace function note_ledger_change() returns trigger language plpgsql as $$
declare
  changed jsonb;
begin
  for changed in select row from unnest(array[to_jsonb(old), to_jsonb(new)]) as row where row is not null loop
    insert into customer_changes (reader, customer_id)
      select 'ledger', c.id from (select case tg_argv[0]
        when 'customer' then changed ->> 'customer_id'
        when 'entry' then (select e.customer_id from ledger_entries e where e.id = changed ->> 'entry_id')
        when 'payment' then (select p.customer_id from payments p where p.provider_payment_id = changed ->> 'payment_id')
        when 'document' then (select d.customer_id from documents d where d.id = changed ->> 'document_id') end as id) c
      where c.id is not null
      on conflict do nothing;
  end loop;
  return null;
end $$;
create trigger noted_for_ledger after insert or update or delete on settlement_items
  for each row execute function note_ledger_change('payment');
alter table settlement_items enable always trigger noted_for_ledger;
