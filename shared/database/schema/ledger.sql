-- Double entry of every rupee, and the notes of what is to be verified again.
--
-- An entry is named by its event (`capture:pay_…`, `due:RFD-…`), so that an event is entered once. It is inserted with its lines in the transaction of the
-- event. At the commit `ledger_chain` checks that the lines sum to zero, and gives the entry its place and a hash over the hash before it: entries and lines
-- can only be added. The head is locked last, after every other row, so that commits queue for it only briefly.
--
-- Triggers of other tables say at the commit that the ledger has what they did (`payments_are_used`, `refunds_are_due`, `disputes_are_booked`). The check
-- of each minute reads the customers of `customer_changes`; the nightly check reads everything (server/features/ledger).

create table ledger_entries (
  -- Names the event, so that an event is entered once.
  id text primary key,
  kind text not null check (kind in ('BILLED', 'CAPTURED_FOR_CYCLE', 'CAPTURED_FOR_BILL', 'CAPTURED_FOR_REFUND', 'CAPTURED_HELD', 'HELD_FOR_CYCLE', 'HELD_FOR_BILL', 'HELD_FOR_REFUND', 'REFUND_DUE', 'REFUND_PAID', 'REFUND_WITHHELD', 'REFUND_OFFSET', 'WRITTEN_OFF', 'REINSTATED', 'SETTLED', 'SETTLEMENT_FAILED', 'DISPUTE_HELD',
    'DISPUTE_RELEASED', 'DISPUTE_LOSS')),
  payment_id text references payments,
  refund_id text references refunds,
  cycle_id text references cycles,
  customer_id text references customers,
  currency text not null,
  posted_at timestamptz(3) not null,
  -- Its place in the chain, and SHA-256 over the hash before it and its own text: given at the commit.
  position bigint unique check (position > 0),
  hash bytea check (length(hash) = 32),
  check ((kind like 'REFUND_%') = (refund_id is not null)),
  check ((payment_id is null) = (cycle_id is null) and (payment_id is null) = (customer_id is null)),
  check (payment_id is not null or kind in ('SETTLED', 'SETTLEMENT_FAILED'))
);
create index ledger_entries_payment on ledger_entries (payment_id);
create index ledger_entries_customer on ledger_entries (customer_id);
-- In the order of time: a small index finds the days that figures ask for.
create index ledger_entries_time on ledger_entries using brin (posted_at);
create index ledger_entries_loose on ledger_entries (id) where position is null;

create table ledger_lines (
  entry_id text not null references ledger_entries,
  account text not null check (account in ('provider', 'receivables', 'cycles', 'refunds', 'held', 'tds', 'bank', 'fees', 'input_tax', 'disputed', 'losses', 'bad_debts', 'unmatched')),
  -- A debit is above zero, a credit below.
  amount_paise bigint not null check (amount_paise <> 0),
  primary key (entry_id, account)
);

create table ledger_head (
  only_row boolean primary key default true check (only_row),
  position bigint not null,
  hash bytea not null check (length(hash) = 32),
  posted_at timestamptz(3) not null
);
insert into ledger_head (position, hash, posted_at) values (0, decode(repeat('00', 32), 'hex'), '-infinity');

-- What the last verification of all this found.
create table ledger_checks (
  only_row boolean primary key default true check (only_row),
  checked_at timestamptz not null,
  position bigint not null,
  hash bytea not null,
  faults jsonb not null,
  -- Time, position, hash and faults above are those of the check of each minute, `whole_…` those of the night.
  failure text,
  whole_checked_at timestamptz,
  whole_faults jsonb not null default '[]',
  whole_failure text
);

-- Customers whose rows changed, once for each reader and transaction. A reader deletes exactly the rows it has read, so a
-- change that commits meanwhile is never lost. The transaction in the key means that no writer waits for another one.
create table customer_changes (
  reader text not null,
  customer_id text not null,
  tx xid8 not null default pg_current_xact_id(),
  primary key (reader, customer_id, tx)
);

-- An entry is changed once: when the chain takes it in.
create or replace function ledger_entries_stand() returns trigger language plpgsql as $$
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
end $$;
create trigger ledger_entries_stand before insert or update or delete on ledger_entries
  for each row execute function ledger_entries_stand();

create or replace function ledger_lines_stand() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' or exists (select from ledger_entries where id = new.entry_id and position is not null) then
    raise exception 'the ledger is only added to';
  end if;
  return new;
end $$;
create trigger ledger_lines_stand before insert or update or delete on ledger_lines
  for each row execute function ledger_lines_stand();

create or replace function ledger_head_moves() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.position = old.position + 1 and new.hash <> old.hash and new.posted_at >= old.posted_at
     and exists (select from ledger_entries where position = new.position and hash = new.hash) then
    return new;
  end if;
  raise exception 'the head of the ledger follows its entries';
end $$;
create trigger ledger_head_moves before insert or update or delete on ledger_head
  for each row execute function ledger_head_moves();

-- At the commit, after every other lock: the entry gets its place behind the last one. A clock that went back reorders nothing.
create or replace function ledger_chain() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
create constraint trigger ledger_chain after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_chain();

-- Arguments of the trigger: the readers.
create or replace function note_customer_change() returns trigger language plpgsql as $$
begin
  insert into customer_changes (reader, customer_id) select reader, new.customer_id from unnest(tg_argv) as reader
    on conflict do nothing;
  return null;
end $$;

-- For the check of each minute.
create or replace function note_ledger_change() returns trigger language plpgsql as $$
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
end $$;

-- The name of the ledger entry of a capture: each cycle of a payment has its own.
create or replace function capture_entry(payment_id text, place integer) returns text language sql immutable as $$
  select 'capture:' || payment_id || case place when 1 then '' else ':' || place end
$$;

-- The name of the entry that says what captured money is for: that of its capture, or of the answer of an operator where it was held.
create or replace function use_entry(payment_id text, place integer, answered boolean) returns text language sql immutable as $$
  select case when answered then 'answer' || substr(capture_entry(payment_id, place), 8) else capture_entry(payment_id, place) end
$$;

create trigger never_emptied before truncate on ledger_entries execute function refuse_truncate();
create trigger noted_for_ledger after insert or update or delete on ledger_entries for each row execute function note_ledger_change('customer');
alter table ledger_entries enable always trigger noted_for_ledger;
create trigger never_emptied before truncate on ledger_lines execute function refuse_truncate();
create trigger noted_for_ledger after insert or update or delete on ledger_lines for each row execute function note_ledger_change('entry');
alter table ledger_lines enable always trigger noted_for_ledger;
create trigger never_emptied before truncate on ledger_head execute function refuse_truncate();
