-- What Razorpay transferred to the bank account, read daily and compared with the books (decision 032).

-- Razorpay's settlements: its transfers to the provider's bank account, and the items of which each consists. An item that is held back has no
-- settlement yet.
create table settlements (
  settlement_id text primary key,
  amount_paise bigint not null,
  status text not null check (status in ('created', 'processed', 'failed')),
  -- The reference of the bank's statement; it stays once it is known.
  utr text check (utr <> ''),
  created_at timestamptz not null,
  read_at timestamptz not null
);
create index settlements_created on settlements (created_at);
create index settlements_utr on settlements (bank_number(utr)) where utr is not null;

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

-- How far they were read, and what the last comparison found.
create table settlement_reading (
  only_row boolean primary key default true check (only_row),
  -- The last day (in India) that was read.
  read_until date,
  compared_at timestamptz,
  differences integer not null default 0
);
insert into settlement_reading default values;

create or replace function settlements_move_forward() returns trigger language plpgsql as $$
begin
  if (new.settlement_id, new.amount_paise, new.created_at) is distinct from (old.settlement_id, old.amount_paise, old.created_at)
     or old.utr is not null and new.utr is distinct from old.utr
     or old.status = 'failed' and new.status <> 'failed' or old.status = 'processed' and new.status = 'created' then
    raise exception 'settlement % cannot go from % (%) to % (%)', old.settlement_id, old.status, old.utr, new.status, new.utr;
  end if;
  return new;
end $$;
create trigger settlements_move_forward before update on settlements for each row execute function settlements_move_forward();

create or replace function settlement_items_stand() returns trigger language plpgsql as $$
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

create trigger never_deleted before delete on settlements for each row execute function never_change();
create trigger never_emptied before truncate on settlements execute function refuse_truncate();
create trigger sealed after insert or delete on settlements for each row execute function seal_record('settlement_id');
create trigger sealed_again after update on settlements for each row
  when ((to_jsonb(new) - 'read_at') is distinct from (to_jsonb(old) - 'read_at')) execute function seal_record('settlement_id');
create trigger never_deleted before delete on settlement_items for each row execute function never_change();
create trigger never_emptied before truncate on settlement_items execute function refuse_truncate();
create trigger noted_for_ledger after insert or update or delete on settlement_items
  for each row execute function note_ledger_change('payment');
alter table settlement_items enable always trigger noted_for_ledger;
create trigger sealed after insert or update or delete on settlement_items for each row execute function seal_record('id');
