-- What the database itself holds to, whatever a program does: money that was captured is used once, states only move forward,
-- nothing of it is ever deleted, and the ledger is only added to.

create trigger cycles_never_deleted before delete on cycles for each row execute function never_change();
create trigger orders_never_deleted before delete on payment_orders for each row execute function never_change();
create trigger payments_never_deleted before delete on payments for each row execute function never_change();
create trigger refunds_never_deleted before delete on refunds for each row execute function never_change();
create trigger activations_never_deleted before delete on activations for each row execute function never_change();

create function activations_stay() returns trigger language plpgsql as $$
begin
  if (new.id, new.customer_id, new.service_id, new.created_at) is distinct from (old.id, old.customer_id, old.service_id, old.created_at)
     or (old.deleted_at is not null and new.deleted_at is distinct from old.deleted_at) then
    raise exception 'activation % stays what it is', old.id;
  end if;
  return new;
end $$;
create trigger activations_stay before update on activations for each row execute function activations_stay();

create function orders_move_forward() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.amount_paise is distinct from (select price_paise from cycles where id = new.cycle_id) then
      raise exception 'order % must be over the price of its cycle', new.id;
    end if;
    return new;
  end if;
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
end $$;
create trigger orders_move_forward before insert or update on payment_orders for each row execute function orders_move_forward();

create function payments_move_forward() returns trigger language plpgsql as $$
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
end $$;
create trigger payments_move_forward before update on payments for each row execute function payments_move_forward();

create function refunds_move_forward() returns trigger language plpgsql as $$
begin
  if (new.id, new.payment_id, new.cycle_id, new.customer_id, new.amount_paise, new.reason, new.created_at)
     is distinct from (old.id, old.payment_id, old.cycle_id, old.customer_id, old.amount_paise, old.reason, old.created_at) then
    raise exception 'what refund % is never changes', old.id;
  end if;
  if (old.status = 'PROCESSED' and (new.status, new.settled_at) is distinct from (old.status, old.settled_at))
     or new.attempt < old.attempt
     or (new.attempt = old.attempt and (
          (old.status <> 'STARTED' and new.status = 'STARTED')
          or (old.status = 'FAILED' and new.status <> 'FAILED')
          or (old.provider_refund_id is not null and new.provider_refund_id is distinct from old.provider_refund_id)))
     or (new.attempt > old.attempt and old.status <> 'FAILED') then
    raise exception 'refund % cannot go from % (attempt %) to % (attempt %)', old.id, old.status, old.attempt, new.status, new.attempt;
  end if;
  return new;
end $$;
create trigger refunds_move_forward before update on refunds for each row execute function refunds_move_forward();

-- At the commit: money that was captured has exactly one use, and that use is there.
create function payments_are_used() returns trigger language plpgsql as $$
declare
  p payments;
begin
  select * into p from payments where provider_payment_id = new.provider_payment_id;
  if p.use = 'CYCLE' and not exists (
    select from payment_orders o join cycles c on c.id = o.cycle_id
    where o.id = p.order_id and o.status = 'PAID' and o.amount_paise = p.amount_paise and o.currency = p.currency
      and c.price_paise = p.amount_paise and c.paid_at is not null
  ) then
    raise exception 'payment % does not pay for cycle %', p.provider_payment_id, p.cycle_id;
  end if;
  if p.use = 'REFUND' and not exists (select from refunds where payment_id = p.provider_payment_id and amount_paise = p.amount_paise) then
    raise exception 'payment % has to be refunded and is not', p.provider_payment_id;
  end if;
  if p.status = 'captured' and not exists (select from ledger_entries where id = 'capture:' || p.provider_payment_id) then
    raise exception 'the capture of payment % is not in the ledger', p.provider_payment_id;
  end if;
  return null;
end $$;
create constraint trigger payments_are_used after insert or update on payments
  deferrable initially deferred for each row execute function payments_are_used();

create function cycles_are_paid() returns trigger language plpgsql as $$
declare
  c cycles;
  given_back bigint;
begin
  select * into c from cycles where id = new.id;
  if c.paid_at is null then
    if c.status = 'REFUNDED' then raise exception 'cycle % was never paid', c.id; end if;
    return null;
  end if;
  if not exists (select from payments where cycle_id = c.id and use = 'CYCLE') then
    raise exception 'cycle % is paid by no payment', c.id;
  end if;
  select coalesce(sum(r.amount_paise), 0) into given_back
    from refunds r join payments p on p.provider_payment_id = r.payment_id where p.cycle_id = c.id and p.use = 'CYCLE';
  if c.status = 'PAID' and given_back <> 0 or c.status = 'REFUNDED' and given_back <> c.price_paise then
    raise exception 'cycle % is % while % paise of it are given back', c.id, c.status, given_back;
  end if;
  return null;
end $$;
create constraint trigger cycles_are_paid after update of status, paid_at on cycles
  deferrable initially deferred for each row execute function cycles_are_paid();

create function refunds_are_due() returns trigger language plpgsql as $$
declare
  r refunds;
begin
  select * into r from refunds where id = new.id;
  if not exists (
    select from payments p join cycles c on c.id = p.cycle_id
    where p.provider_payment_id = r.payment_id and p.status = 'captured' and r.amount_paise <= p.amount_paise
      and (p.use = 'REFUND' and r.amount_paise = p.amount_paise or p.use = 'CYCLE' and c.status in ('DEACTIVATED', 'REFUNDED'))
  ) then
    raise exception 'refund % of payment % is not due', r.id, r.payment_id;
  end if;
  if not exists (select from ledger_entries where id = 'due:' || r.id)
     and not exists (select from payments where provider_payment_id = r.payment_id and use = 'REFUND')
     or r.status = 'PROCESSED' and not exists (select from ledger_entries where id = 'paid:' || r.id) then
    raise exception 'refund % is not in the ledger', r.id;
  end if;
  return null;
end $$;
create constraint trigger refunds_are_due after insert or update on refunds
  deferrable initially deferred for each row execute function refunds_are_due();

-- Nothing gives access on an activation that was deleted.
create function cycles_need_activation() returns trigger language plpgsql as $$
begin
  if new.status in ('PAID', 'NO_PAYMENT_REQUIRED') and (tg_op = 'INSERT' or old.status <> new.status)
     and (select deleted_at from activations where id = new.activation_id for share) is not null then
    raise exception 'activation % is deleted', new.activation_id;
  end if;
  return new;
end $$;
create trigger cycles_need_activation before insert or update on cycles for each row execute function cycles_need_activation();

create table ledger_entries (
  -- Names the event, so that an event is entered once.
  id text primary key,
  kind text not null check (kind in ('CAPTURED_FOR_CYCLE', 'CAPTURED_FOR_REFUND', 'REFUND_DUE', 'REFUND_PAID')),
  payment_id text not null references payments,
  refund_id text references refunds,
  cycle_id text not null references cycles,
  customer_id text not null references customers,
  currency text not null,
  posted_at timestamptz(3) not null,
  -- Its place in the chain, and SHA-256 over the hash before it and its own text: given at the commit.
  position bigint unique check (position > 0),
  hash bytea check (length(hash) = 32),
  check ((kind like 'REFUND_%') = (refund_id is not null))
);
create index ledger_entries_payment on ledger_entries (payment_id);

create table ledger_lines (
  entry_id text not null references ledger_entries,
  account text not null check (account in ('provider', 'cycles', 'refunds')),
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
  faults jsonb not null
);

-- An entry is changed once: when the chain takes it in.
create function ledger_entries_stand() returns trigger language plpgsql as $$
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

create function ledger_lines_stand() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' or exists (select from ledger_entries where id = new.entry_id and position is not null) then
    raise exception 'the ledger is only added to';
  end if;
  return new;
end $$;
create trigger ledger_lines_stand before insert or update or delete on ledger_lines
  for each row execute function ledger_lines_stand();

create function ledger_head_moves() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.position = old.position + 1 and new.hash <> old.hash and new.posted_at >= old.posted_at
     and exists (select from ledger_entries where position = new.position and hash = new.hash) then
    return new;
  end if;
  raise exception 'the head of the ledger follows its entries';
end $$;
create trigger ledger_head_moves before insert or update or delete on ledger_head
  for each row execute function ledger_head_moves();

create function refuse_truncate() returns trigger language plpgsql as $$
begin
  raise exception '% is never emptied', tg_table_name;
end $$;
create trigger never_emptied before truncate on ledger_entries execute function refuse_truncate();
create trigger never_emptied before truncate on ledger_lines execute function refuse_truncate();
create trigger never_emptied before truncate on ledger_head execute function refuse_truncate();
create trigger never_emptied before truncate on payments execute function refuse_truncate();
create trigger never_emptied before truncate on refunds execute function refuse_truncate();
create trigger never_emptied before truncate on cycles execute function refuse_truncate();

-- At the commit, after every other lock: the entry gets its place behind the last one. A clock that went back reorders nothing.
create function ledger_chain() returns trigger language plpgsql as $$
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
  entry.hash := sha256(head.hash || convert_to(concat_ws('|', entry.position, entry.id, entry.kind, entry.payment_id,
    coalesce(entry.refund_id, '-'), entry.cycle_id, entry.customer_id, entry.currency,
    round(extract(epoch from entry.posted_at) * 1000)::bigint, lines), 'UTF8'));
  update ledger_entries set position = entry.position, hash = entry.hash, posted_at = entry.posted_at where id = entry.id;
  update ledger_head set position = entry.position, hash = entry.hash, posted_at = entry.posted_at;
  return null;
end $$;
create constraint trigger ledger_chain after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_chain();
