-- What is asked for by customer or by day is found by an index, whatever the number of customers.
create index api_keys_customer on api_keys (customer_id);
create index refunds_customer on refunds (customer_id);
create index cycles_starting on cycles (from_date, id) where status in ('PAID', 'NO_PAYMENT_REQUIRED');
create index cycles_ending on cycles (to_date, id) where status in ('PAID', 'NO_PAYMENT_REQUIRED');

-- Receipt vouchers that nothing follows yet: their invoices fall due when the cycle starts. Kept by a trigger, because "is
-- followed by no document" can't be an index condition.
create table open_vouchers (
  document_id text primary key references documents (id),
  cycle_id text not null references cycles (id),
  from_date date not null
);
create index open_vouchers_due on open_vouchers (from_date, cycle_id);

create function open_vouchers_follow() returns trigger language plpgsql as $$
begin
  if new.refers_to is not null then
    delete from open_vouchers where document_id = new.refers_to;
  end if;
  if new.kind = 'RECEIPT_VOUCHER' then
    insert into open_vouchers select new.id, new.cycle_id, c.from_date from cycles c where c.id = new.cycle_id;
  end if;
  return null;
end $$;
create trigger documents_open_vouchers after insert on documents for each row execute function open_vouchers_follow();

insert into open_vouchers select d.id, d.cycle_id, c.from_date
  from documents d join cycles c on c.id = d.cycle_id
  where d.kind = 'RECEIPT_VOUCHER' and not exists (select from documents f where f.refers_to = d.id);

-- Customers whose rows changed, once for each reader and transaction. A reader deletes exactly the rows it has read, so a
-- change that commits meanwhile is never lost. The transaction in the key means that no writer waits for another one.
create table customer_changes (
  reader text not null,
  customer_id text not null,
  tx xid8 not null default pg_current_xact_id(),
  primary key (reader, customer_id, tx)
);

-- Arguments of the trigger: the readers.
create function note_customer_change() returns trigger language plpgsql as $$
begin
  insert into customer_changes (reader, customer_id) select reader, new.customer_id from unnest(tg_argv) as reader
    on conflict do nothing;
  return null;
end $$;
create trigger cycles_noted_for_rounds after insert or update on cycles
  for each row execute function note_customer_change('rounds');
create trigger webhooks_noted_for_rounds after insert or update of disabled_at, events on webhooks
  for each row execute function note_customer_change('rounds');

-- The day for which a round has looked at every customer. Until the day turns, it looks at changed ones only.
create table daily_rounds (
  name text primary key,
  day date not null
);

-- Steps of a quota (60, 80 and 100 %) that units on lease have crossed, and of which the customer may have to be told.
-- `day` is null for the quota of the whole cycle.
create table quota_crossings (
  cycle_id text not null references cycles (id),
  day date,
  percent integer not null,
  constraint quota_crossings_once unique nulls not distinct (cycle_id, day, percent)
);

create function quota_steps_crossed(p_before bigint, p_after bigint, p_limit bigint) returns setof integer
  language sql immutable as $$
    select percent from unnest(array[60, 80, 100]) as percent
    where p_limit > 0 and p_before * 100 < p_limit * percent and p_after * 100 >= p_limit * percent
  $$;

create function note_cycle_quota() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  insert into quota_crossings
    select c.id, null, percent
    from cycles c, quota_steps_crossed(case tg_op when 'UPDATE' then old.taken else 0 end, new.taken, c.monthly_quota) as percent
    where c.id = new.cycle_id
    on conflict do nothing;
  return null;
end $$;
create trigger quota_cycles_noted after insert or update of taken on quota_cycles
  for each row when (new.taken > 0) execute function note_cycle_quota();

create function note_day_quota() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  insert into quota_crossings
    select c.id, new.day, percent
    from cycles c, quota_steps_crossed(case tg_op when 'UPDATE' then old.taken else 0 end, new.taken, c.daily_quota) as percent
    where c.activation_id = new.activation_id and c.from_date <= new.day and new.day < c.to_date
      and c.status in ('PAID', 'NO_PAYMENT_REQUIRED')
    on conflict do nothing;
  return null;
end $$;
create trigger quota_days_noted after insert or update of taken on quota_days
  for each row when (new.taken > 0) execute function note_day_quota();

insert into quota_crossings
  select c.id, null::date, percent
  from quota_cycles q join cycles c on c.id = q.cycle_id, quota_steps_crossed(0, q.taken, c.monthly_quota) as percent
  where c.status in ('PAID', 'NO_PAYMENT_REQUIRED') and c.to_date >= current_date
  union all
  select c.id, q.day, percent
  from quota_days q join cycles c on c.activation_id = q.activation_id and c.from_date <= q.day and q.day < c.to_date,
    quota_steps_crossed(0, q.taken, c.daily_quota) as percent
  where c.status in ('PAID', 'NO_PAYMENT_REQUIRED') and q.day >= current_date - 1;

-- What is too old is found without reading what stays.
create index webhook_inbox_processed on webhook_inbox (processed_at) where processed_at is not null;
create index quota_days_day on quota_days (day);
