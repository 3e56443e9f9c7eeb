-- Units per operation: quotas, leases and counts are in units; usage also says how many calls used them. Until now each call was one.
alter table usage_counts add column units integer not null default 0;
update usage_counts set units = calls where counted;
alter table usage_counts add check (counted or units = 0);

-- Gateways of the version before send no units: each of their calls is one.
create or replace function count_calls(p_journal text, p_from bigint, p_to bigint, p_calls jsonb)
  returns void
  language plpgsql
  set enable_seqscan = off
as $$
declare
  v_position bigint;
begin
  select position into v_position from journals where id = p_journal for update;
  if v_position = p_to then return; end if;
  if v_position is distinct from p_from then
    raise exception 'journal % stands at %, not at %', p_journal, v_position, p_from;
  end if;
  update journals set position = p_to where id = p_journal;
  insert into usage_counts as u (activation_id, day, key_id, cycle_id, status_class, counted, calls, units, last_at)
    select c.activation, c.day, c.key, c.cycle, c.class, c.counted, sum(c.calls),
      case when c.counted then sum(c.calls * coalesce(c.units, 1)) else 0 end, max(c.last)
    from jsonb_to_recordset(p_calls) as c
      (activation text, day date, key text, cycle text, class smallint, counted boolean, calls integer, units integer, last timestamptz)
    group by 1, 2, 3, 4, 5, 6
    order by 1, 2, 3, 4, 5, 6
    on conflict (activation_id, day, key_id, cycle_id, status_class, counted)
      do update set calls = u.calls + excluded.calls, units = u.units + excluded.units, last_at = greatest(u.last_at, excluded.last_at);
  insert into leases as l (journal_id, activation_id, cycle_id, day, key_id, held)
    select p_journal, c.activation, c.cycle, c.day, coalesce(c.lease, ''), -sum(c.calls * coalesce(c.units, 1))
    from jsonb_to_recordset(p_calls) as c
      (activation text, day date, cycle text, lease text, counted boolean, calls integer, units integer)
    where c.counted group by 2, 3, 4, 5
    on conflict (journal_id, activation_id, cycle_id, day, key_id) do update set held = l.held + excluded.held;
end $$;
create or replace function count_repeatable(p_journal text, p_calls jsonb)
  returns table (id text)
  language plpgsql
  set enable_seqscan = off
as $$
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
    select c.*, decode(c."keyHash", 'hex') as hash
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
end $$;
create or replace function quota_used(p_activation text, p_cycle text, p_day date, OUT day_used bigint, OUT cycle_used bigint)
  returns record
  language plpgsql
  stable
  set enable_seqscan = off
as $$
declare
  v_cycle cycles;
  v_free_day bigint;
  v_free_window bigint;
begin
  select coalesce(sum(units) filter (where day = p_day), 0), coalesce(sum(units) filter (where cycle_id = p_cycle), 0)
    into day_used, cycle_used
    from usage_counts where activation_id = p_activation and counted and (day = p_day or cycle_id = p_cycle);
  select * into v_cycle from cycles where id = p_cycle;
  if not found or not is_free_cycle(v_cycle) then return; end if;
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
end $$;
-- `p_least`: what the first waiting call needs.
drop function take_quota(text, text, text, date, text, integer, integer, text);
create function take_quota(p_journal text, p_activation text, p_cycle text, p_day date, p_key text, p_wanted integer, p_needed integer,
  p_recall text, p_least integer default 1)
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
      and from_date <= p_day and p_day < to_date;
  if not found then return; end if;
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