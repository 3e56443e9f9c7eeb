-- Renewal by mandate (decision 074): what a customer agreed to with a payment, and each debit that was asked for by it.
--
-- The rules of shared/domain/mandate.ts hold here too: an activation has one mandate at a time that may be debited; a debit is over what was announced,
-- at most the ceiling, by a mandate that is in force, for a cycle that is unpaid and was not skipped. A period is known by its first day, whatever becomes
-- of its cycles: it has one debit at a time without a result, another one not before the day after that failed, no third, and one that pays.

create table mandates (
  id text primary key check (id like 'MAN-%'),
  activation_id text not null,
  customer_id text not null,
  -- The order whose payment gives it.
  order_id text not null unique,
  plan_id text not null,
  plan_name text not null,
  -- The most that one debit takes.
  ceiling_paise bigint not null check (ceiling_paise between 100 and 9999900),
  -- The customer agreed to confirm each debit with a PIN; without one no debit may be above ₹15,000 (RBI, E-mandate Framework, 2026).
  pin_each_time boolean not null,
  -- By which the payer pays the order and is debited.
  method text not null default 'upi' check (method in ('upi', 'card')),
  -- The first day on which nothing may be debited.
  expires_on date not null,
  state text not null check (state in ('ASKED', 'IN_FORCE', 'PAUSED', 'ENDED', 'LAPSED')),
  -- The customer and the token at the provider.
  provider_customer_id text,
  token_id text unique,
  asked_at timestamptz not null,
  confirmed_at timestamptz,
  ended_at timestamptz,
  ended_by text check (ended_by in ('CUSTOMER', 'APP', 'OPERATOR', 'EXPIRY', 'DELETION', 'PLAN', 'LAPSE', 'DISPUTE')),
  -- What the customer was told last of the next debit: the first day of its cycle, the amount, and on which day; or that there is none, and why.
  announced_for date,
  announced_paise bigint,
  announced_on date,
  withheld_for date,
  withheld_reason text,
  -- The first day of the cycle that the customer skipped.
  skipped_for date,
  -- Recharge before units run out (decision 080): the pack, and the most that its debits take in a calendar month (IST), as the customer agreed to last, and since when to
  -- this pack without a break.
  recharge_pack_id text,
  recharge_monthly_paise bigint check (recharge_monthly_paise > 0),
  recharge_agreed_at timestamptz,
  -- The provider said that nothing can be debited from the token any more.
  token_over_at timestamptz,
  -- How often the provider was asked about the token, or to cancel it, and when (of the machine's clock) it is asked next; null: no more.
  checks integer not null default 0 check (checks >= 0),
  next_check_at timestamptz,
  foreign key (activation_id, customer_id) references activations (id, customer_id),
  foreign key (order_id, activation_id, customer_id) references payment_orders (id, activation_id, customer_id),
  unique (id, activation_id, customer_id),
  constraint mandates_pin_check check (pin_each_time or ceiling_paise <= 1500000),
  constraint mandates_card_check check (method = 'upi' or not pin_each_time),
  constraint mandates_ended_check check ((ended_at is not null) = (state in ('ENDED', 'LAPSED'))),
  constraint mandates_ender_check check ((ended_by is not null) = (state = 'ENDED')),
  constraint mandates_token_check check (state not in ('IN_FORCE', 'PAUSED') or token_id is not null and confirmed_at is not null),
  constraint mandates_announced_check check ((announced_for is null) = (announced_paise is null) and (announced_for is null) = (announced_on is null)),
  constraint mandates_recharge_check check ((recharge_pack_id is null) = (recharge_monthly_paise is null) and (recharge_pack_id is null) = (recharge_agreed_at is null)),
  constraint mandates_withheld_check check ((withheld_for is null) = (withheld_reason is null) and (withheld_for is null or announced_for is null))
);
create unique index mandates_one_live on mandates (activation_id) where state in ('ASKED', 'IN_FORCE', 'PAUSED');
create index mandates_customer on mandates (customer_id);
create index mandates_activation on mandates (activation_id, asked_at);
create index mandates_next_check on mandates (next_check_at) where next_check_at is not null;

create table mandate_debits (
  -- The order that it pays; its id is the receipt at the provider.
  order_id text primary key,
  mandate_id text not null,
  cycle_id text not null,
  activation_id text not null,
  customer_id text not null,
  -- Of the period that it pays for, as it was announced; a cycle that is paid late, or moved behind days that the provider gave, begins later. Null: it pays
  -- for a pack (recharges.sql), and is no debit of a renewal.
  first_day date,
  attempt integer not null check (attempt between 1 and 2),
  amount_paise bigint not null check (amount_paise >= 100),
  -- ASKED: to be sent to the provider, or its response was lost. SENT: it has a payment, without a result yet. DROPPED: it was never sent, as far as the provider knows.
  state text not null check (state in ('ASKED', 'SENT', 'PAID', 'FAILED', 'DROPPED')),
  -- The first one of its order; another one may pay it.
  payment_id text unique,
  -- Why it failed, in the provider's words.
  reason text,
  asked_at timestamptz not null,
  -- Since when the provider may have made its payment; until then others may pay.
  sent_at timestamptz,
  ended_at timestamptz,
  tries integer not null default 0 check (tries >= 0),
  -- When (of the machine's clock) it is sent next; null once the provider has it.
  next_try_at timestamptz,
  foreign key (order_id, cycle_id, customer_id) references payment_orders (id, cycle_id, customer_id),
  foreign key (mandate_id, activation_id, customer_id) references mandates (id, activation_id, customer_id),
  foreign key (cycle_id, activation_id, customer_id) references cycles (id, activation_id, customer_id),
  constraint mandate_debits_recharge_check check (first_day is not null or attempt = 1),
  constraint mandate_debits_ended_check check ((ended_at is not null) = (state in ('PAID', 'FAILED', 'DROPPED'))),
  constraint mandate_debits_payment_check check (case state when 'SENT' then payment_id is not null when 'ASKED' then payment_id is null
    when 'DROPPED' then payment_id is null else true end),
  constraint mandate_debits_next_check check ((next_try_at is not null) = (state = 'ASKED'))
);
-- Each try once, one of them at a time without a result, and one that pays.
create unique index mandate_debits_attempt on mandate_debits (activation_id, first_day, attempt);
create unique index mandate_debits_one_live on mandate_debits (activation_id, first_day) where state in ('ASKED', 'SENT');
create unique index mandate_debits_one_paid on mandate_debits (activation_id, first_day) where state = 'PAID';
-- A pack is debited once.
create unique index mandate_debits_one_recharge on mandate_debits (cycle_id) where first_day is null;
create index mandate_debits_cycle on mandate_debits (cycle_id);
create index mandate_debits_mandate on mandate_debits (mandate_id);
create index mandate_debits_customer on mandate_debits (customer_id);
create index mandate_debits_next_try on mandate_debits (next_try_at) where next_try_at is not null;

create or replace function mandates_move_forward() returns trigger language plpgsql as $$
declare
  moving constant text[] := array['state', 'provider_customer_id', 'token_id', 'confirmed_at', 'ended_at', 'ended_by', 'announced_for', 'announced_paise',
    'announced_on', 'withheld_for', 'withheld_reason', 'skipped_for', 'recharge_pack_id', 'recharge_monthly_paise', 'recharge_agreed_at', 'token_over_at', 'checks',
    'next_check_at'];
begin
  if (to_jsonb(new) - moving) <> (to_jsonb(old) - moving)
     or (old.token_id is not null and new.token_id is distinct from old.token_id)
     or (old.provider_customer_id is not null and new.provider_customer_id is distinct from old.provider_customer_id)
     or (old.confirmed_at is not null and new.confirmed_at is distinct from old.confirmed_at)
     or (old.ended_at is not null and (new.ended_at, new.ended_by) is distinct from (old.ended_at, old.ended_by)) then
    raise exception 'mandate %: what was agreed never changes', old.id;
  end if;
  if new.state <> old.state and not (
       (old.state = 'ASKED' and new.state in ('IN_FORCE', 'PAUSED', 'ENDED', 'LAPSED'))
    or (old.state = 'IN_FORCE' and new.state in ('PAUSED', 'ENDED'))
    or (old.state = 'PAUSED' and new.state in ('IN_FORCE', 'ENDED'))
  ) then
    raise exception 'mandate % cannot go from % to %', old.id, old.state, new.state;
  end if;
  if old.state = 'ASKED' and new.state in ('IN_FORCE', 'PAUSED') and not exists (select from payments where order_id = new.order_id and use = 'CYCLE') then
    raise exception 'the payment that asked for mandate % was not kept', new.id using constraint = 'mandates_payment_kept';
  end if;
  return new;
end $$;
create trigger mandates_move_forward before update on mandates for each row execute function mandates_move_forward();

-- Deleting an activation ends its mandate, and so does the erasure of a customer, which deletes each: nothing may be debited for what is gone.
create or replace function mandates_end_with_activation() returns trigger language plpgsql as $$
begin
  update mandates set state = case when token_id is null then 'LAPSED' else 'ENDED' end, ended_by = case when token_id is null then null else 'DELETION' end,
      ended_at = new.deleted_at, checks = 0, next_check_at = case when token_id is null then null else clock_timestamp() end
    where activation_id = new.id and state in ('ASKED', 'IN_FORCE', 'PAUSED');
  return null;
end $$;
create trigger mandates_end_with_activation after update of deleted_at on activations
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function mandates_end_with_activation();

-- Removing or cancelling the next period skips its debit. The consent was for going on: a plan that ends before its last day, with none after it, ends it.
create or replace function mandates_skip_with_cycle() returns trigger language plpgsql as $$
begin
  update mandates set skipped_for = new.from_date
    where activation_id = new.activation_id and state in ('IN_FORCE', 'PAUSED') and plan_id = new.plan ->> 'planId'
      and new.from_date = (select max(to_date) from cycles where activation_id = new.activation_id and adds_to is null and status in ('PAID', 'NO_PAYMENT_REQUIRED'));
  return null;
end $$;
create trigger mandates_skip_with_cycle after update of status on cycles
  for each row when (old.status <> new.status and new.status in ('REMOVED', 'REFUNDED', 'DEACTIVATED') and new.adds_to is null and new.replaces is null
    and new.granted_reason is null)
  execute function mandates_skip_with_cycle();

-- Days that the provider gives move what is renewed, and never cost it: its unpaid period and a skip of it go behind them, and back when they are taken away.
create or replace function renewals_move_with_given_days() returns trigger language plpgsql as $$
declare
  others date;
  before date;
  after date;
begin
  select max(to_date) into others from cycles
    where activation_id = new.activation_id and id <> new.id and adds_to is null and status in ('PAID', 'NO_PAYMENT_REQUIRED');
  if tg_op = 'INSERT' then
    before := others;
    after := greatest(others, new.to_date);
  else
    before := greatest(others, new.to_date);
    after := greatest(others, (new.ended_at at time zone 'Asia/Kolkata')::date);
  end if;
  if before is null or after = before then
    return null;
  end if;
  update mandates set skipped_for = after where activation_id = new.activation_id and state in ('IN_FORCE', 'PAUSED') and skipped_for = before;
  update cycles c set from_date = after, to_date = after + (to_date - from_date)
    where activation_id = new.activation_id and status = 'PAYMENT_PENDING' and from_date = before and adds_to is null and replaces is null
      and (exists (select from mandates m where m.activation_id = c.activation_id and m.state in ('IN_FORCE', 'PAUSED') and m.plan_id = c.plan ->> 'planId')
        or exists (select from mandate_debits d where d.cycle_id = c.id and d.state in ('ASKED', 'SENT')));
  return null;
end $$;
create trigger renewals_move_behind_given_days after insert on cycles
  for each row when (new.granted_reason is not null) execute function renewals_move_with_given_days();
create trigger renewals_move_before_given_days after update of status on cycles
  for each row when (new.granted_reason is not null and old.status = 'NO_PAYMENT_REQUIRED' and new.status = 'DEACTIVATED')
  execute function renewals_move_with_given_days();
create or replace function mandates_end_with_plan() returns trigger language plpgsql as $$
begin
  update mandates set state = 'ENDED', ended_by = 'PLAN', ended_at = new.ended_at, checks = 0, next_check_at = clock_timestamp()
    where activation_id = new.activation_id and (state in ('IN_FORCE', 'PAUSED') or state = 'ASKED' and token_id is not null)
      and not exists (select from cycles where activation_id = new.activation_id and adds_to is null and status in ('PAID', 'NO_PAYMENT_REQUIRED')
        and to_date > (new.ended_at at time zone 'Asia/Kolkata')::date);
  return null;
end $$;
-- At the end of the transaction: a switch gives the new plan its days after it has ended the other one.
create constraint trigger mandates_end_with_plan after update of status on cycles deferrable initially deferred
  for each row when (old.status in ('PAID', 'NO_PAYMENT_REQUIRED') and new.status in ('REFUNDED', 'DEACTIVATED') and new.adds_to is null)
  execute function mandates_end_with_plan();

-- A debit is asked for as the consent allows; it waits for a change of the mandate, and ending the mandate waits for it.
create or replace function mandate_debits_are_allowed() returns trigger language plpgsql as $$
declare
  m mandates;
  c cycles;
begin
  select * into m from mandates where id = new.mandate_id for update;
  select * into c from cycles where id = new.cycle_id;
  if m.state <> 'IN_FORCE' then
    raise exception 'mandate % is not in force', m.id using constraint = 'mandate_debits_in_force';
  end if;
  if new.amount_paise > m.ceiling_paise then
    raise exception 'the debit of % paise is above the ceiling of mandate %', new.amount_paise, m.id using constraint = 'mandate_debits_ceiling';
  end if;
  if new.first_day is null then
    perform require_recharge(new, m, c);
  elsif (m.announced_for, m.announced_paise) is distinct from (c.from_date, new.amount_paise) or new.first_day <> c.from_date or m.skipped_for = c.from_date
     or m.expires_on <= c.from_date or c.status <> 'PAYMENT_PENDING' or c.price_paise <> new.amount_paise or c.plan ->> 'planId' <> m.plan_id or new.state <> 'ASKED' then
    raise exception 'cycle % may not be debited by mandate %', c.id, m.id using constraint = 'mandate_debits_agreed';
  end if;
  if exists (select from customers where id = new.customer_id and (blocked_at is not null or erased_at is not null)) then
    raise exception 'customer % is blocked or erased', new.customer_id using constraint = 'mandate_debits_customer_open';
  end if;
  if exists (select from disputes p join mandate_debits d on d.order_id = (select order_id from payments where provider_payment_id = p.payment_id)
       where d.mandate_id = m.id and p.status in ('open', 'under_review', 'lost'))
     or exists (select from disputes p join payments y on y.provider_payment_id = p.payment_id
       where y.order_id = m.order_id and p.status in ('open', 'under_review', 'lost')) then
    raise exception 'a payment of mandate % is disputed', m.id using constraint = 'mandate_debits_undisputed';
  end if;
  if new.first_day is null then
    return new;
  end if;
  -- Of the same days, also of a cycle that was removed or given back since.
  if new.attempt <> 1 + (select count(*) from mandate_debits where activation_id = new.activation_id and first_day = new.first_day) then
    raise exception 'the debits of cycle % are counted from 1', c.id using constraint = 'mandate_debits_attempts';
  end if;
  if exists (select from mandate_debits d join cycles of on of.id = d.cycle_id left join payments p on p.order_id = d.order_id
       where d.activation_id = new.activation_id and new.first_day in (d.first_day, of.from_date) and (of.status <> 'PAYMENT_PENDING' or p.status = 'captured')) then
    raise exception 'the days of cycle % were debited, and given up', c.id using constraint = 'mandate_debits_given_up';
  end if;
  -- One that was asked for before the provider gave days pays for the period behind them.
  if exists (select from mandate_debits d join cycles of on of.id = d.cycle_id
       where d.activation_id = new.activation_id and d.state in ('ASKED', 'SENT') and of.status = 'PAYMENT_PENDING' and of.from_date = new.first_day
         and d.first_day <> new.first_day and d.asked_at > new.asked_at - interval '48 hours') then
    raise exception 'a debit that may still be paid pays for the days of cycle %', c.id using constraint = 'mandate_debits_one_under_way';
  end if;
  if exists (select from mandate_debits d where d.activation_id = new.activation_id and d.first_day = new.first_day and d.state = 'FAILED'
       and (d.ended_at at time zone 'Asia/Kolkata')::date >= (new.asked_at at time zone 'Asia/Kolkata')::date) then
    raise exception 'cycle % is debited again not before the day after a failure', c.id using constraint = 'mandate_debits_wait';
  end if;
  return new;
end $$;
create trigger mandate_debits_are_allowed before insert on mandate_debits for each row execute function mandate_debits_are_allowed();

-- A bank may pay after all what it said had failed, or what the provider had not heard of. What has a payment was sent.
create or replace function mandate_debits_move_forward() returns trigger language plpgsql as $$
declare
  moving constant text[] := array['state', 'payment_id', 'reason', 'sent_at', 'ended_at', 'tries', 'next_try_at'];
begin
  if (to_jsonb(new) - moving) <> (to_jsonb(old) - moving) or (old.payment_id is not null and new.payment_id is distinct from old.payment_id) then
    raise exception 'debit %: what was asked for never changes', old.order_id;
  end if;
  if new.state <> old.state and not (
       (old.state = 'ASKED' and new.state in ('SENT', 'PAID', 'FAILED', 'DROPPED'))
    or (old.state = 'SENT' and new.state in ('PAID', 'FAILED'))
    or (old.state = 'FAILED' and new.state = 'PAID')
    or (old.state = 'DROPPED' and new.state in ('SENT', 'PAID', 'FAILED'))
  ) then
    raise exception 'debit % cannot go from % to %', old.order_id, old.state, new.state;
  end if;
  -- What was refused without a payment says nothing about one that was made.
  if new.state = 'FAILED' and old.state <> 'FAILED'
     and exists (select from payments where provider_payment_id = new.payment_id and status in ('created', 'authorized'))
     and not exists (select from payments where order_id = new.order_id and status = 'captured') then
    raise exception 'debit % waits for its payment %', old.order_id, new.payment_id using constraint = 'mandate_debits_not_failed';
  end if;
  if new.first_day is null and new.state = 'PAID' and old.state <> 'PAID' then
    perform require_recharge_kept(new);
  end if;
  if new.state = 'DROPPED' and exists (select from payments where order_id = new.order_id and status = 'captured') then
    raise exception 'debit % was taken, and can''t be recorded as never sent', old.order_id using constraint = 'mandate_debits_not_dropped';
  end if;
  return new;
end $$;
create trigger mandate_debits_move_forward before update on mandate_debits for each row execute function mandate_debits_move_forward();

-- Nothing that was taken for a debit is recorded as never sent.
create or replace function payments_move_debits() returns trigger language plpgsql as $$
begin
  if exists (select from mandate_debits where order_id = new.order_id and state = 'DROPPED') then
    raise exception 'payment % was taken for debit %, which is recorded as never sent', new.provider_payment_id, new.order_id;
  end if;
  return null;
end $$;
create constraint trigger payments_move_debits after insert or update of status on payments deferrable initially deferred
  for each row when (new.status = 'captured') execute function payments_move_debits();

-- The order of a debit that paid has a payment that pays for its cycle, be it not the first one.
create or replace function mandate_debits_are_paid() returns trigger language plpgsql as $$
begin
  if not exists (select from payments where order_id = new.order_id and use = 'CYCLE') then
    raise exception 'debit % is paid by no payment', new.order_id;
  end if;
  return null;
end $$;
create constraint trigger mandate_debits_are_paid after update of state on mandate_debits deferrable initially deferred
  for each row when (new.state = 'PAID') execute function mandate_debits_are_paid();

create trigger erased_get_nothing before insert on mandates for each row execute function erased_get_nothing();
create trigger never_deleted before delete on mandates for each row execute function never_change();
create trigger never_emptied before truncate on mandates execute function refuse_truncate();
create trigger noted_for_ledger after insert or update or delete on mandates for each row execute function note_ledger_change('customer');
alter table mandates enable always trigger noted_for_ledger;
-- Not for each look at a token.
create trigger sealed after insert or delete or update of id, activation_id, customer_id, order_id, plan_id, plan_name, ceiling_paise, pin_each_time,
  method, expires_on, state, provider_customer_id, token_id, asked_at, confirmed_at, ended_at, ended_by, announced_for, announced_paise, announced_on, withheld_for, withheld_reason,
  skipped_for, recharge_pack_id, recharge_monthly_paise, recharge_agreed_at, token_over_at on mandates for each row execute function seal_record('id');
create trigger never_deleted before delete on mandate_debits for each row execute function never_change();
create trigger never_emptied before truncate on mandate_debits execute function refuse_truncate();
create trigger noted_for_ledger after insert or update or delete on mandate_debits for each row execute function note_ledger_change('customer');
alter table mandate_debits enable always trigger noted_for_ledger;
create trigger sealed after insert or delete or update of order_id, mandate_id, cycle_id, activation_id, customer_id, first_day, attempt, amount_paise, state,
  payment_id, reason, asked_at, ended_at on mandate_debits for each row execute function seal_record('order_id');
