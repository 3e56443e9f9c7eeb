-- Free quota belongs to customer and product (D29): what free cycles took on a day, and in a window of thirty days, counts for every
-- later free cycle of the same customer and product, whatever was deleted, ended or activated again in between. A trial can be had once
-- (cycles_one_trial), so its quotas need no account beyond its own cycle; paid cycles have none either.

create function is_free_cycle(c cycles) returns boolean language sql immutable as $$
  select c.price_paise = 0 and c.tenure <> 'TRIAL'
$$;

-- `taken` is what free cycles have counted on the day plus what gateways hold; `quota` the most that one of them allows.
create table free_quota_days (
  customer_id text not null references customers,
  service_id text not null,
  day date not null,
  quota integer not null,
  taken integer not null default 0 check (taken >= 0),
  primary key (customer_id, service_id, day),
  constraint free_quota_days_within_quota check (taken <= quota)
);

create index free_quota_days_day on free_quota_days (day);

-- The same for the monthly quota. A window begins with the first free cycle in which a call is made, and lasts thirty days, or as long as
-- that cycle where it is longer. The next one begins with the first free cycle that runs after it, so they never overlap.
create table free_quota_windows (
  customer_id text not null references customers,
  service_id text not null,
  from_date date not null,
  to_date date not null check (to_date > from_date),
  quota integer not null,
  taken integer not null default 0 check (taken >= 0),
  primary key (customer_id, service_id, from_date),
  constraint free_quota_windows_within_quota check (taken <= quota),
  constraint free_quota_windows_never_overlap exclude using gist
    (customer_id with =, service_id with =, daterange(from_date, to_date) with &&)
);

create index free_quota_windows_end on free_quota_windows (to_date);

-- The first day of the window that a free cycle draws from on a day; opens it when there is none yet.
create function open_free_window(c cycles, p_day date) returns date language plpgsql as $$
declare
  v_from date;
begin
  select from_date into v_from from free_quota_windows
    where customer_id = c.customer_id and service_id = c.service_id and from_date <= p_day and p_day < to_date;
  if found then return v_from; end if;
  select greatest(c.from_date, max(to_date)) into v_from from free_quota_windows
    where customer_id = c.customer_id and service_id = c.service_id and to_date <= p_day;
  insert into free_quota_windows (customer_id, service_id, from_date, to_date, quota)
    select c.customer_id, c.service_id, v_from,
      least(v_from + greatest(30, c.to_date - c.from_date), min(w.from_date)), c.monthly_quota
    from free_quota_windows w where w.customer_id = c.customer_id and w.service_id = c.service_id and w.from_date > p_day
    on conflict do nothing;
  -- Another gateway may have opened it at the same time.
  select from_date into strict v_from from free_quota_windows
    where customer_id = c.customer_id and service_id = c.service_id and from_date <= p_day and p_day < to_date;
  return v_from;
end $$;

-- Locks are always taken in the order usage_counts, quota_days, quota_cycles, free_quota_days, free_quota_windows, leases.

create or replace function take_quota(
  p_journal text, p_activation text, p_cycle text, p_day date, p_key text, p_wanted integer, p_needed integer, p_recall text
) returns table (granted integer, day_left integer, cycle_left integer, key_left integer, holders text[])
language plpgsql set enable_seqscan = off as $$
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
      - (select coalesce(sum(u.calls), 0) from usage_counts u
          where u.activation_id = p_activation and u.day = p_day and u.key_id = p_key and u.counted)
      - (select coalesce(sum(l.held), 0) from leases l
          where l.activation_id = p_activation and l.day = p_day and l.key_id = p_key), 0)
      into key_left from api_keys k where k.id = p_key;
  end if;
  granted := least(p_wanted, day_left, cycle_left, key_left);
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
      where l.held > 0 and g.lease_until > clock_timestamp() and (key_left is distinct from 0 or l.key_id = p_key) and (
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
language plpgsql set enable_seqscan = off as $$
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
    select x.*, coalesce(l.held, 0) as held, c.customer_id, c.service_id, c.daily_quota, c.monthly_quota, is_free_cycle(c) as free
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

-- What of its quotas a cycle's customer has used, in calls counted: on a day, and of the monthly quota. The one place that every page,
-- header and call reads these numbers from; '' or an unknown cycle stands for no plan.
create function quota_used(p_activation text, p_cycle text, p_day date, out day_used bigint, out cycle_used bigint)
language plpgsql stable set enable_seqscan = off as $$
declare
  v_cycle cycles;
  v_free_day bigint;
  v_free_window bigint;
begin
  select coalesce(sum(calls) filter (where day = p_day), 0), coalesce(sum(calls) filter (where cycle_id = p_cycle), 0)
    into day_used, cycle_used
    from usage_counts where activation_id = p_activation and counted and (day = p_day or cycle_id = p_cycle);
  select * into v_cycle from cycles where id = p_cycle;
  if not found or not is_free_cycle(v_cycle) then return; end if;
  select coalesce(sum(u.calls) filter (where u.day = p_day), 0),
      coalesce(sum(u.calls) filter (where w.from_date <= u.day and u.day < w.to_date), 0)
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

-- What was taken until now, as far as it may still matter.
do $$
declare
  r record;
  v_window date;
begin
  for r in
    select c as cycle, t.day, t.taken from (
      select cycle_id, day, sum(calls)::integer as taken from (
        select cycle_id, day, calls from usage_counts where counted and day > current_date - 32
        union all select cycle_id, day, held from leases where day > current_date - 32) parts
      group by cycle_id, day) t
    join cycles c on c.id = t.cycle_id where is_free_cycle(c) and t.taken > 0
    order by t.day, c.from_date
  loop
    insert into free_quota_days as f (customer_id, service_id, day, quota, taken)
      values ((r.cycle).customer_id, (r.cycle).service_id, r.day, greatest((r.cycle).daily_quota, r.taken), r.taken)
      on conflict (customer_id, service_id, day) do update
        set taken = f.taken + excluded.taken, quota = greatest(f.quota, excluded.quota, f.taken + excluded.taken);
    v_window := open_free_window(r.cycle, r.day);
    update free_quota_windows w
      set taken = w.taken + r.taken, quota = greatest(w.quota, (r.cycle).monthly_quota, w.taken + r.taken)
      where w.customer_id = (r.cycle).customer_id and w.service_id = (r.cycle).service_id and w.from_date = v_window;
  end loop;
end $$;
