-- Packs (decision 046): a cycle may add units to the running one, until that ends. It is bought, paid, documented and refunded like every cycle,
-- but gives no access of its own. The quota of a cycle is what was sold with it and its paid packs.
alter table cycles add column adds_to text;
alter table cycles add constraint cycles_adds_to_fkey foreign key (adds_to, activation_id, customer_id) references cycles (id, activation_id, customer_id);
alter table cycles add constraint cycles_adds_to_check check (adds_to is null or
  adds_to <> id and replaces is null and status <> 'NO_PAYMENT_REQUIRED' and tenure <> 'TRIAL' and daily_quota = monthly_quota and monthly_quota > 0);
alter table cycles drop constraint cycles_never_overlap;
alter table cycles add constraint cycles_never_overlap exclude using gist (activation_id with =, daterange(from_date, to_date) with &&)
  where (status in ('PAID', 'NO_PAYMENT_REQUIRED') and adds_to is null);
create index cycles_adds_to on cycles (adds_to) where adds_to is not null;
-- One unpaid pack of a cycle waits at a time.
create unique index cycles_one_unpaid_pack on cycles (adds_to) where adds_to is not null and status = 'PAYMENT_PENDING';

-- Units that paid packs add to a cycle's quota, and to that of each of its days.
create function pack_units(p_cycle text) returns integer language sql stable as $$
  select coalesce(sum(monthly_quota), 0)::integer from cycles where adds_to = p_cycle and status = 'PAID'
$$;

-- Units of a cycle that were taken beyond what was sold with it: those of its packs. Days count alone, since a pack lifts their quota too.
create function pack_units_taken(p_cycle text) returns bigint language sql stable as $$
  select greatest(0, coalesce((select taken from quota_cycles where cycle_id = c.id), 0) - c.monthly_quota,
    coalesce((select sum(greatest(d.taken - c.daily_quota, 0)) from quota_days d
      where d.activation_id = c.activation_id and d.day >= c.from_date and d.day < c.to_date), 0))
  from cycles c where c.id = p_cycle
$$;

-- A pack adds to a cycle that gives access on its first day, and ends with it.
create function packs_add_to_running() returns trigger language plpgsql as $$
begin
  perform from cycles c where c.id = new.adds_to and c.adds_to is null and c.status in ('PAID', 'NO_PAYMENT_REQUIRED')
    and c.from_date <= new.from_date and new.from_date < c.to_date and c.to_date = new.to_date for share;
  if not found then
    raise exception 'pack % adds to %, which does not run on %', new.id, new.adds_to, new.from_date;
  end if;
  return new;
end $$;
create trigger packs_add_to_running before insert on cycles
  for each row when (new.adds_to is not null) execute function packs_add_to_running();
create trigger packs_paid_while_running before update on cycles
  for each row when (new.adds_to is not null and new.status = 'PAID' and old.status <> 'PAID') execute function packs_add_to_running();
create trigger packs_add_for_good before update on cycles
  for each row when (new.adds_to is distinct from old.adds_to) execute function never_change();

-- At the commit: a pack gives units only while its cycle gives access, and the portal gives money back for it only afterwards.
create function packs_end_with_cycle() returns trigger language plpgsql as $$
begin
  if exists (select from cycles p join cycles c on c.id = p.adds_to
      where (p.id = new.id or c.id = new.id) and p.status in ('PAYMENT_PENDING', 'PAID') and c.status not in ('PAID', 'NO_PAYMENT_REQUIRED')) then
    raise exception 'cycle % has ended and its packs have not', coalesce(new.adds_to, new.id);
  end if;
  return null;
end $$;
create constraint trigger packs_end_with_cycle after insert or update of status on cycles deferrable initially deferred
  for each row execute function packs_end_with_cycle();

create or replace function cycles_move_forward()
  returns trigger
  language plpgsql
as $$
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
end $$;
create or replace function take_quota(p_journal text, p_activation text, p_cycle text, p_day date, p_key text, p_wanted integer, p_needed integer, p_recall text, p_least integer default 1)
  returns table (granted integer, day_left integer, cycle_left integer, key_left integer, holders text[])
  language plpgsql
  set enable_seqscan = off
as $$
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
  v_cycle.daily_quota := v_cycle.daily_quota + pack_units(p_cycle);
  v_cycle.monthly_quota := v_cycle.monthly_quota + pack_units(p_cycle);
  v_free := is_free_cycle(v_cycle);
  insert into quota_days (activation_id, day) values (p_activation, p_day) on conflict do nothing;
  insert into quota_cycles (cycle_id) values (p_cycle) on conflict do nothing;
  select greatest(v_cycle.daily_quota - taken, 0) into day_left from quota_days
    where activation_id = p_activation and day = p_day for update;
  select greatest(v_cycle.monthly_quota - taken, 0) into cycle_left from quota_cycles where cycle_id = p_cycle for update;
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
end $$;
create or replace function release_quota(p_journal text, p_releases jsonb, p_answers text[])
  returns table (activation_id text, cycle_id text, day date, day_left integer, cycle_left integer)
  language plpgsql
  set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  r record;
  v_excess integer;
  v_left integer;
  v_answer text;
begin
  perform 1 from quota_days q
    where (q.activation_id, q.day) in
      (select x.activation, x.day from jsonb_to_recordset(p_releases) as x (activation text, day date))
    order by q.activation_id, q.day for update;
  perform 1 from quota_cycles q
    where q.cycle_id in (select x.cycle from jsonb_to_recordset(p_releases) as x (cycle text))
    order by q.cycle_id for update;
  perform 1 from free_quota_days f
    where (f.customer_id, f.service_id, f.day) in (select c.customer_id, c.service_id, x.day
      from jsonb_to_recordset(p_releases) as x (cycle text, day date) join cycles c on c.id = x.cycle where is_free_cycle(c))
    order by f.customer_id, f.service_id, f.day for update;
  perform 1 from jsonb_to_recordset(p_releases) as x (cycle text, day date)
      join cycles c on c.id = x.cycle and is_free_cycle(c)
      join free_quota_windows w on w.customer_id = c.customer_id and w.service_id = c.service_id
        and w.from_date <= x.day and x.day < w.to_date
    order by w.customer_id, w.service_id, w.from_date for update of w;
  for r in
    select x.*, coalesce(l.held, 0) as held, c.customer_id, c.service_id, is_free_cycle(c) as free,
      c.daily_quota + pack_units(c.id) as daily_quota, c.monthly_quota + pack_units(c.id) as monthly_quota
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
end $$;
create or replace function note_cycle_quota()
  returns trigger
  language plpgsql
  set enable_seqscan = off
as $$
begin
  insert into quota_crossings
    select c.id, null, percent
    from cycles c, quota_steps_crossed(case tg_op when 'UPDATE' then old.taken else 0 end, new.taken, c.monthly_quota + pack_units(c.id)) as percent
    where c.id = new.cycle_id
    on conflict do nothing;
  return null;
end $$;
create or replace function note_day_quota()
  returns trigger
  language plpgsql
  set enable_seqscan = off
as $$
begin
  insert into quota_crossings
    select c.id, new.day, percent
    from cycles c, quota_steps_crossed(case tg_op when 'UPDATE' then old.taken else 0 end, new.taken, c.daily_quota + pack_units(c.id)) as percent
    where c.activation_id = new.activation_id and c.from_date <= new.day and new.day < c.to_date
      and c.status in ('PAID', 'NO_PAYMENT_REQUIRED') and c.adds_to is null
    on conflict do nothing;
  return null;
end $$;
create or replace function switches_are_paid_alone()
  returns trigger
  language plpgsql
as $$
begin
  if exists (select from cycles c where (c.replaces is not null or c.adds_to is not null)
      and (c.id = new.cycle_id or c.id in (select o.cycle_id from order_cycles o where o.order_id = new.order_id))) then
    raise exception 'order % covers a switch or a pack and other cycles', new.order_id;
  end if;
  return new;
end $$;
create or replace function seal_of_cycles(r cycles)
  returns bytea
  language sql
  immutable
as $$
  select sha256(convert_to((jsonb_build_array(r.id, r.activation_id, r.customer_id, r.service_id, r.status::text, seal_text(r.from_date),
    seal_text(r.to_date), r.plan, r.tenure, r.price_paise, r.daily_quota, r.monthly_quota, r.rps, seal_text(r.created_at), seal_text(r.paid_at),
    seal_text(r.ended_at)) || case when r.replaces is null then '[]'::jsonb else jsonb_build_array(r.replaces) end
    || case when r.adds_to is null then '[]'::jsonb else jsonb_build_array('adds to', r.adds_to) end)::text, 'UTF8'))
$$;
