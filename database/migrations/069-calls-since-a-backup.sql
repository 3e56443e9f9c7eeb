-- A database that was restored from an older backup learns of calls that it never handed out units for, from the journals of the gateways.

-- The key of such a call may be newer than the backup. The call was made all the same and counts on its plan, under the id that the key had.
alter table usage_counts drop constraint usage_counts_key_id_fkey;

-- Counts calls of a journal, and returns those that it can't count: the database has no such plan of no such activation.
create function count_journal(p_journal text, p_from bigint, p_to bigint, p_calls jsonb)
 returns table (activation_id text, cycle_id text, calls bigint, units bigint, first_day date, last_day date)
 language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
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
    select x.activation, x.day, x.key, x.cycle, x.class, x.counted, sum(x.calls),
      case when x.counted then sum(x.calls * coalesce(x.units, 1)) else 0 end, max(x.last)
    from jsonb_to_recordset(p_calls) as x
      (activation text, day date, key text, cycle text, class smallint, counted boolean, calls integer, units integer, last timestamptz)
      join cycles c on c.id = x.cycle and c.activation_id = x.activation
    group by 1, 2, 3, 4, 5, 6
    order by 1, 2, 3, 4, 5, 6
    on conflict (activation_id, day, key_id, cycle_id, status_class, counted)
      do update set calls = u.calls + excluded.calls, units = u.units + excluded.units, last_at = greatest(u.last_at, excluded.last_at);
  insert into leases as l (journal_id, activation_id, cycle_id, day, key_id, held)
    select p_journal, x.activation, x.cycle, x.day, coalesce(x.lease, ''), -sum(x.calls * coalesce(x.units, 1))
    from jsonb_to_recordset(p_calls) as x
      (activation text, cycle text, day date, lease text, counted boolean, calls integer, units integer)
      join cycles c on c.id = x.cycle and c.activation_id = x.activation
    where x.counted group by 2, 3, 4, 5
    on conflict (journal_id, activation_id, cycle_id, day, key_id) do update set held = l.held + excluded.held;
  return query
    select x.activation, x.cycle, sum(x.calls), sum(case when x.counted then x.calls * coalesce(x.units, 1) else 0 end), min(x.day), max(x.day)
    from jsonb_to_recordset(p_calls) as x (activation text, cycle text, day date, counted boolean, calls integer, units integer)
    where not exists (select from cycles c where c.id = x.cycle and c.activation_id = x.activation)
    group by 1, 2
    order by 1, 2;
end $$;

-- Only gateways of earlier versions still call it.
create or replace function count_calls(p_journal text, p_from bigint, p_to bigint, p_calls jsonb) returns void language plpgsql as $$
begin
  perform count_journal(p_journal, p_from, p_to, p_calls);
end $$;

-- Locks are taken in one order everywhere, and a missing row is made where it would be locked: days, plans, free days, free windows.
create or replace function take_quota(p_journal text, p_activation text, p_cycle text, p_day date, p_key text, p_wanted integer, p_needed integer, p_recall text, p_least integer DEFAULT 1)
 RETURNS TABLE(granted integer, day_left integer, cycle_left integer, key_left integer, holders text[])
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
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
  v_free := is_free_cycle(v_cycle);
  insert into quota_days (activation_id, day) values (p_activation, p_day) on conflict do nothing;
  perform 1 from quota_days where activation_id = p_activation and day = p_day for update;
  insert into quota_cycles (cycle_id) values (p_cycle) on conflict do nothing;
  perform 1 from quota_cycles where cycle_id = p_cycle for update;
  -- What was added is read under the locks: it may be taken back meanwhile.
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
end $$;

-- Gateways that start together after a restore may open windows of different days at once. The one that comes second looks again: the other
-- window need not have its day.
create or replace function open_free_window(c cycles, p_day date) returns date language plpgsql as $$
declare
  v_from date;
begin
  loop
    select from_date into v_from from free_quota_windows
      where customer_id = c.customer_id and service_id = c.service_id and from_date <= p_day and p_day < to_date;
    if found then return v_from; end if;
    select greatest(c.from_date, max(to_date)) into v_from from free_quota_windows
      where customer_id = c.customer_id and service_id = c.service_id and to_date <= p_day;
    -- The days of a plan may have changed since the call was made.
    if p_day < v_from or p_day >= c.to_date then v_from := p_day; end if;
    insert into free_quota_windows (customer_id, service_id, from_date, to_date, quota)
      select c.customer_id, c.service_id, v_from,
        least(v_from + greatest(30, c.to_date - c.from_date), min(w.from_date)), c.monthly_quota
      from free_quota_windows w where w.customer_id = c.customer_id and w.service_id = c.service_id and w.from_date > p_day
      on conflict do nothing;
  end loop;
end $$;

-- Units come back, or fewer were handed out than calls were made: then the rows that they are booked on may be missing. Those that retention
-- has deleted stay missing.
create or replace function release_quota(p_journal text, p_releases jsonb, p_answers text[])
 RETURNS TABLE(activation_id text, cycle_id text, day date, day_left integer, cycle_left integer)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
as $$
#variable_conflict use_column
declare
  r record;
  v_excess integer;
  v_left integer;
  v_answer text;
begin
  insert into quota_days (activation_id, day)
    select distinct x.activation, x.day
    from jsonb_to_recordset(p_releases) as x (activation text, cycle text, day date)
      join cycles c on c.id = x.cycle and c.activation_id = x.activation
    where not exists (select from quota_days q where q.activation_id = x.activation and q.day = x.day)
      and (select coalesce(sum(u.units), 0) from usage_counts u where u.activation_id = x.activation and u.day = x.day and u.counted)
        + (select coalesce(sum(l.held), 0) from leases l where l.activation_id = x.activation and l.day = x.day) = 0
    order by 1, 2
    on conflict do nothing;
  perform 1 from quota_days q
    where (q.activation_id, q.day) in
      (select x.activation, x.day from jsonb_to_recordset(p_releases) as x (activation text, day date))
    order by q.activation_id, q.day for update;
  insert into quota_cycles (cycle_id)
    select distinct c.id
    from jsonb_to_recordset(p_releases) as x (activation text, cycle text)
      join cycles c on c.id = x.cycle and c.activation_id = x.activation
    where not exists (select from quota_cycles q where q.cycle_id = c.id)
    order by 1
    on conflict do nothing;
  perform 1 from quota_cycles q
    where q.cycle_id in (select x.cycle from jsonb_to_recordset(p_releases) as x (cycle text))
    order by q.cycle_id for update;
  insert into free_quota_days (customer_id, service_id, day, quota)
    select c.customer_id, c.service_id, q.day, max(c.daily_quota + pack_units(c.id))
    from jsonb_to_recordset(p_releases) as x (activation text, cycle text, day date)
      join cycles c on c.id = x.cycle and c.activation_id = x.activation
      join quota_days q on q.activation_id = x.activation and q.day = x.day
    where is_free_cycle(c) and not exists
      (select from free_quota_days f where f.customer_id = c.customer_id and f.service_id = c.service_id and f.day = q.day)
    group by 1, 2, 3
    order by 1, 2, 3
    on conflict do nothing;
  perform 1 from free_quota_days f
    where (f.customer_id, f.service_id, f.day) in (select c.customer_id, c.service_id, x.day
      from jsonb_to_recordset(p_releases) as x (cycle text, day date) join cycles c on c.id = x.cycle where is_free_cycle(c))
    order by f.customer_id, f.service_id, f.day for update;
  -- Earlier days first, as the calls were made: where a window begins depends on the one before it.
  for r in
    select c as cycle, q.day
    from jsonb_to_recordset(p_releases) as x (activation text, cycle text, day date)
      join cycles c on c.id = x.cycle and c.activation_id = x.activation
      join quota_days q on q.activation_id = x.activation and q.day = x.day
    where is_free_cycle(c) and not exists (select from free_quota_windows w
      where w.customer_id = c.customer_id and w.service_id = c.service_id and w.from_date <= q.day and q.day < w.to_date)
    order by c.customer_id, c.service_id, q.day, c.from_date, c.id
  loop
    perform open_free_window(r.cycle, r.day);
  end loop;
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
