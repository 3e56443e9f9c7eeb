-- Units that an operator added to the quota of one cycle, and of each of its days, beyond what was sold (product §7.11). A negative row takes back
-- what an earlier one added: never below what was sold, nor below what is used.
create table quota_raises (
  id bigint primary key generated always as identity,
  cycle_id text not null references cycles,
  customer_id text not null references customers,
  units integer not null check (units <> 0),
  reason text not null check (length(btrim(reason)) between 1 and 1000),
  made_at timestamptz not null
);
create index quota_raises_cycle on quota_raises (cycle_id);
create trigger never_change before update or delete on quota_raises for each row execute function never_change();
create trigger never_emptied before truncate on quota_raises execute function refuse_truncate();

create function raised_units(p_cycle text) returns integer language sql stable as $$
  select coalesce(sum(units), 0)::integer from quota_raises where cycle_id = p_cycle
$$;

-- Units that paid packs and raises add to a cycle's quota, and to that of each of its days.
create or replace function pack_units(p_cycle text) returns integer language sql stable as $$
  select coalesce(sum(monthly_quota), 0)::integer + raised_units(p_cycle) from cycles where adds_to = p_cycle and status = 'PAID'
$$;

-- Units of a cycle that were taken beyond what was sold with it and raised: those of its packs.
create or replace function pack_units_taken(p_cycle text) returns bigint language sql stable as $$
  select greatest(0, coalesce((select taken from quota_cycles where cycle_id = c.id), 0) - c.monthly_quota - raised_units(c.id),
    coalesce((select sum(greatest(d.taken - c.daily_quota - raised_units(c.id), 0)) from quota_days d
      where d.activation_id = c.activation_id and d.day >= c.from_date and d.day < c.to_date), 0))
  from cycles c where c.id = p_cycle
$$;

-- A cycle that gives access; and what is taken back is neither sold nor used. Locks in the order of take_quota.
create function quota_raises_are_due() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  c cycles;
  added bigint;
  most_of_day bigint;
  of_cycle bigint;
begin
  select * into c from cycles where id = new.cycle_id and customer_id = new.customer_id and adds_to is null
    and status in ('PAID', 'NO_PAYMENT_REQUIRED') for share;
  if not found then
    raise exception 'cycle % has no quota to raise', new.cycle_id;
  end if;
  perform 1 from quota_days d where d.activation_id = c.activation_id and d.day >= c.from_date and d.day < c.to_date order by d.day for update;
  insert into quota_cycles (cycle_id) values (c.id) on conflict do nothing;
  select taken into of_cycle from quota_cycles where cycle_id = c.id for update;
  if new.units > 0 then return new; end if;
  select coalesce(max(taken), 0) into most_of_day from quota_days
    where activation_id = c.activation_id and day >= c.from_date and day < c.to_date;
  if is_free_cycle(c) then
    select greatest(most_of_day, coalesce(max(taken), 0)) into most_of_day from free_quota_days
      where customer_id = c.customer_id and service_id = c.service_id and day >= c.from_date and day < c.to_date;
    select greatest(of_cycle, coalesce(max(taken), 0)) into of_cycle from free_quota_windows
      where customer_id = c.customer_id and service_id = c.service_id and from_date < c.to_date and c.from_date < to_date;
  end if;
  added := pack_units(c.id) + new.units;
  if raised_units(c.id) + new.units < 0 or of_cycle > c.monthly_quota + added or most_of_day > c.daily_quota + added then
    raise exception 'the quota of cycle % cannot be lowered by %', c.id, -new.units using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger quota_raises_are_due before insert on quota_raises for each row execute function quota_raises_are_due();

-- At the commit: it is in the audit log with its reason.
create function quota_raises_are_recorded() returns trigger language plpgsql as $$
begin
  if not exists (select from operator_actions a where a.action = 'quota.set' and a.target = new.cycle_id and a.customer_id = new.customer_id
      and a.reason = new.reason and a.effect -> 'units' = to_jsonb(new.units)) then
    raise exception 'the raised quota of cycle % is not in the audit log', new.cycle_id;
  end if;
  return null;
end $$;
create constraint trigger quota_raises_are_recorded after insert on quota_raises deferrable initially deferred
  for each row execute function quota_raises_are_recorded();

-- Taking units: the quota is what is sold and added at the moment when the counters are locked.
create or replace function take_quota(p_journal text, p_activation text, p_cycle text, p_day date, p_key text, p_wanted integer, p_needed integer, p_recall text, p_least integer DEFAULT 1)
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
  insert into quota_cycles (cycle_id) values (p_cycle) on conflict do nothing;
  -- What was added is read under the locks: it may be taken back meanwhile.
  perform 1 from quota_days where activation_id = p_activation and day = p_day for update;
  perform 1 from quota_cycles where cycle_id = p_cycle for update;
  v_cycle.daily_quota := v_cycle.daily_quota + pack_units(p_cycle);
  v_cycle.monthly_quota := v_cycle.monthly_quota + pack_units(p_cycle);
  select greatest(v_cycle.daily_quota - taken, 0) into day_left from quota_days
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

-- Sealed, and noted for the check of the ledger, as cycles are.
alter table record_seals drop constraint record_seals_kind_check;
alter table record_seals add constraint record_seals_kind_check check (kind in ('documents', 'document_files', 'e_invoices', 'cycles', 'payments',
  'amendments', 'amendment_files', 'tds_claims', 'quota_raises'));
create function seal_of_quota_raises(r quota_raises) returns bytea language sql immutable as $$
  select sha256(convert_to(jsonb_build_array(r.id, r.cycle_id, r.customer_id, r.units, r.reason, seal_text(r.made_at))::text, 'UTF8'))
$$;
create trigger sealed after insert or update or delete on quota_raises for each row execute function seal_record('id');
create trigger noted_for_ledger after insert or update or delete on quota_raises for each row execute function note_ledger_change('customer');
alter table quota_raises enable always trigger noted_for_ledger;
