-- Units: what a plan gives, and which gateway holds how many of them.
--
-- A gateway never asks for a single unit. It takes a block (`take_quota`), which at once counts as taken of the day (`quota_days`) and of the cycle
-- (`quota_cycles`) and stands in `leases` as held by its journal; then it admits calls from memory. What it doesn't use it gives back (`release_quota`). Counted
-- calls move from held to used when its journal is read (usage.sql), in one transaction with the counts. So at any moment taken = used + held, which
-- the ledger's checks compare, and a gateway that dies holds its block until its journal is counted.
--
-- Four limits of one shape: the day and the cycle of an activation, and for free plans the day and the window of thirty days of customer and product. A key's
-- daily cap is a lease with a key. Packs and raises of an operator add to a cycle (`pack_units`, `raised_units`). Locks are always taken in the order
-- quota_days, quota_cycles, free_quota_days, free_quota_windows, leases.
--
-- A gateway that gets less than it asked for has others asked to return what they don't use, by a notification (decision 057).

-- The truth of quotas. `taken` is always what was counted plus what gateways hold on lease. It grows only in take_quota, under a
-- lock on both rows, so that no number of processes can ever admit one call too many.
create table quota_days (
  activation_id text not null references activations,
  day date not null,
  taken integer not null default 0 check (taken >= 0),
  primary key (activation_id, day)
);
create index quota_days_day on quota_days (day);

create table quota_cycles (
  cycle_id text primary key references cycles,
  taken integer not null default 0 check (taken >= 0)
);

-- `taken` is what free cycles have counted on the day plus what gateways hold; `quota` the largest of theirs and what was added to each.
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

-- What a gateway holds: granted from both quotas at once, not yet counted or given back. Only the owner of the journal changes
-- its rows. `held` may be below zero for a moment when a database was restored from a backup; giving back puts it right.
create table leases (
  journal_id text not null references journals,
  activation_id text not null references activations,
  cycle_id text not null references cycles,
  day date not null,
  held integer not null,
  -- What a key with a cap may use is held on leases of its own; '' stands for all keys without one. The cap is exact like the quotas: what
  -- a key has used is what was counted plus what gateways hold for it, read in one statement under the lock on the day's quota.
  key_id text not null default '',
  primary key (journal_id, activation_id, cycle_id, day, key_id)
);
create index leases_activation on leases (activation_id);

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

-- Steps of a quota (60, 80 and 100 %) that units on lease have crossed, and of which the customer may have to be told.
-- `day` is null for the quota of the whole cycle.
create table quota_crossings (
  cycle_id text not null references cycles (id),
  day date,
  percent integer not null,
  constraint quota_crossings_once unique nulls not distinct (cycle_id, day, percent)
);

-- Units come back, or fewer were handed out than calls were made: then the rows that they are booked on may be missing. Those that retention
-- has deleted stay missing.
create or replace function release_quota(p_journal text, p_releases jsonb, p_answers text[]) returns table(activation_id text, cycle_id text, day date, day_left integer, cycle_left integer) language plpgsql set enable_seqscan = off as $$
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
    select c.customer_id, c.service_id, q.day, max((free_quota_between(c, q.day, q.day + 1)).daily)
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
      c.daily_quota + pack_units(c.id) - o.of_day + o.all_of_day as daily_quota, c.monthly_quota + pack_units(c.id) as monthly_quota,
      o.of_window - o.all_of_window as more_of_window
    from (select activation, cycle, day, coalesce(key, '') as key, keep
      from jsonb_to_recordset(p_releases) as given (activation text, cycle text, day date, key text, keep integer)) x
    join cycles c on c.id = x.cycle
    left join free_quota_windows w on is_free_cycle(c) and w.customer_id = c.customer_id and w.service_id = c.service_id
      and w.from_date <= x.day and x.day < w.to_date
    cross join taken_before(c, x.day, w.from_date, w.to_date) o
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
        where f.customer_id = r.customer_id and f.service_id = r.service_id and f.day = r.day;
      update free_quota_windows w set taken = w.taken - v_excess, quota = greatest(w.quota, w.taken - v_excess)
        where w.customer_id = r.customer_id and w.service_id = r.service_id and w.from_date <= r.day and r.day < w.to_date
        returning greatest(r.monthly_quota - w.taken - r.more_of_window, 0) into v_left;
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

create or replace function quota_steps_crossed(p_before bigint, p_after bigint, p_limit bigint) returns setof integer
  language sql immutable as $$
    select percent from unnest(array[60, 80, 100]) as percent
    where p_limit > 0 and p_before * 100 < p_limit * percent and p_after * 100 >= p_limit * percent
  $$;

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
create trigger quota_cycles_noted after insert or update of taken on quota_cycles
  for each row when (new.taken > 0) execute function note_cycle_quota();

create or replace function note_day_quota()
  returns trigger
  language plpgsql
  set enable_seqscan = off
as $$
begin
  insert into quota_crossings
    select c.id, new.day, percent
    from cycles c cross join taken_before(c, new.day) o cross join quota_steps_crossed(
      case tg_op when 'UPDATE' then old.taken else 0 end + o.of_day - o.all_of_day, new.taken + o.of_day - o.all_of_day,
      c.daily_quota + pack_units(c.id)) as percent
    where c.activation_id = new.activation_id and c.from_date <= new.day and new.day < c.to_date
      and c.status in ('PAID', 'NO_PAYMENT_REQUIRED') and c.adds_to is null
    on conflict do nothing;
  return null;
end $$;
create trigger quota_days_noted after insert or update of taken on quota_days
  for each row when (new.taken > 0) execute function note_day_quota();

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

-- What of its quotas a cycle's customer has used, in calls counted: on a day, and of the monthly quota. The one place that every page,
-- header and call reads these numbers from; '' or an unknown cycle stands for no plan.
create or replace function quota_used(p_activation text, p_cycle text, p_day date, OUT day_used bigint, OUT cycle_used bigint) language plpgsql stable set enable_seqscan = off as $$
declare
  v_cycle cycles;
  v_before record;
  v_window free_quota_windows;
  v_used bigint;
begin
  select coalesce(sum(units) filter (where day = p_day), 0), coalesce(sum(units) filter (where cycle_id = p_cycle), 0),
      coalesce(sum(units) filter (where day = p_day and cycle_id = p_cycle), 0)
    into day_used, cycle_used, v_used
    from usage_counts where activation_id = p_activation and counted and (day = p_day or cycle_id = p_cycle);
  select * into v_cycle from cycles where id = p_cycle;
  if not found then return; end if;
  select * into v_window from free_quota_windows w where is_free_cycle(v_cycle)
    and w.customer_id = v_cycle.customer_id and w.service_id = v_cycle.service_id and w.from_date <= p_day and p_day < w.to_date;
  select * into v_before from taken_before(v_cycle, p_day, v_window.from_date, v_window.to_date);
  day_used := v_used + v_before.of_day;
  select coalesce(sum(units), 0) into v_used from usage_counts
    where cycle_id = p_cycle and counted and day >= v_window.from_date and day < v_window.to_date;
  cycle_used := greatest(cycle_used, v_used + v_before.of_window);
end $$;

-- Units for the calls of a gateway, under the locks of every quota that they are taken of.
create or replace function take_quota(p_journal text, p_activation text, p_cycle text, p_day date, p_key text, p_wanted integer, p_needed integer, p_recall text, p_least integer DEFAULT 1) returns table(granted integer, day_left integer, cycle_left integer, key_left integer, holders text[]) language plpgsql set enable_seqscan = off as $$
declare
  v_cycle cycles;
  v_before record;
  v_added integer;
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
  -- It may have ended meanwhile (cycles_end_under_lock), and was refunded for what was not taken.
  perform 1 from cycles where id = p_cycle and status = v_cycle.status;
  if not found then return; end if;
  -- What was added is read under the locks: it may be taken back meanwhile.
  v_added := pack_units(p_cycle);
  if v_free then
    insert into free_quota_days as f (customer_id, service_id, day, quota)
      values (v_cycle.customer_id, v_cycle.service_id, p_day, (free_quota_between(v_cycle, p_day, p_day + 1)).daily)
      on conflict (customer_id, service_id, day) do update set quota = greatest(f.quota, excluded.quota);
    v_window := open_free_window(v_cycle, p_day);
    update free_quota_windows w set quota = greatest(w.quota, (free_quota_between(v_cycle, w.from_date, w.to_date)).monthly)
      where w.customer_id = v_cycle.customer_id and w.service_id = v_cycle.service_id and w.from_date = v_window
      returning w.to_date into v_window_end;
  end if;
  select * into v_before from taken_before(v_cycle, p_day, v_window, v_window_end);
  select greatest(v_cycle.daily_quota + v_added - taken + v_before.all_of_day - v_before.of_day, 0) into day_left from quota_days
    where activation_id = p_activation and day = p_day;
  select greatest(v_cycle.monthly_quota + v_added - taken, 0) into cycle_left from quota_cycles where cycle_id = p_cycle;
  if v_free then
    select least(cycle_left, greatest(v_cycle.monthly_quota + v_added - w.taken + v_before.all_of_window - v_before.of_window, 0)) into cycle_left
      from free_quota_windows w
      where w.customer_id = v_cycle.customer_id and w.service_id = v_cycle.service_id and w.from_date = v_window;
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

-- Units that paid packs and raises add to a cycle's quota, and to that of each of its days.
create or replace function pack_units(p_cycle text) returns integer language sql stable as $$
  select coalesce(sum(monthly_quota), 0)::integer + raised_units(p_cycle) from cycles where adds_to = p_cycle and status = 'PAID'
$$;

-- Units of a cycle that were taken beyond what was sold with it and raised: those of its packs.
create or replace function pack_units_taken(p_cycle text) returns bigint language sql stable as $$
  select units_beyond(c, raised_units(c.id)) from cycles c where c.id = p_cycle
$$;

-- The end of the window of free quota in which a free cycle starts (decision 24); null for every other cycle.
create or replace function free_window_end(c cycles) returns date stable language sql as $$
  select w.to_date from free_quota_windows w
  where is_free_cycle(c) and w.customer_id = c.customer_id and w.service_id = c.service_id
    and w.from_date < c.from_date and c.from_date < w.to_date
$$;

create or replace function raised_units(p_cycle text) returns integer language sql stable as $$
  select coalesce(sum(units), 0)::integer from quota_raises where cycle_id = p_cycle
$$;

-- The same when the plan and its packs have ended.
create or replace function added_units(p_cycle text) returns bigint language sql stable as $$
  select coalesce(sum(monthly_quota), 0) + raised_units(p_cycle) from cycles where adds_to = p_cycle and paid_at is not null
$$;

-- The most that the free cycles of these days allow together: what is added to one of them is given by none of the others.
create or replace function free_quota_between(c cycles, p_from date, p_to date, OUT daily integer, OUT monthly integer)
  language sql stable set enable_seqscan = off as $$
  -- A call may be on a day that its plan no longer has.
  select coalesce(max(e.daily_quota) + sum(added_units(e.id)), c.daily_quota + added_units(c.id)),
    coalesce(max(e.monthly_quota) + sum(added_units(e.id)), c.monthly_quota + added_units(c.id)) from cycles e
  where e.customer_id = c.customer_id and e.service_id = c.service_id and is_free_cycle(e) and e.from_date < p_to and p_from < e.to_date
$$;

-- The largest raise, and that the plan is not over, hold here too.
create or replace function quota_raises_are_due() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  c cycles;
begin
  select * into c from cycles where id = new.cycle_id and customer_id = new.customer_id and adds_to is null
    and status in ('PAID', 'NO_PAYMENT_REQUIRED') for share;
  if not found then
    raise exception 'cycle % has no quota to raise', new.cycle_id;
  end if;
  if c.to_date <= (new.made_at at time zone 'Asia/Kolkata')::date then
    raise exception 'cycle % is over', c.id;
  end if;
  perform 1 from quota_days d where d.activation_id = c.activation_id and d.day >= c.from_date and d.day < c.to_date order by d.day for update;
  insert into quota_cycles (cycle_id) values (c.id) on conflict do nothing;
  perform 1 from quota_cycles where cycle_id = c.id for update;
  if new.units > 0 then
    -- Of domain/raised-quota.ts: sums of quotas stay whole numbers of the database.
    if raised_units(c.id)::bigint + new.units > 1000000000 then
      raise exception 'the quota of cycle % cannot be raised by %', c.id, new.units;
    end if;
    return new;
  end if;
  if raised_units(c.id) + new.units < 0 or units_beyond(c, pack_units(c.id) + new.units) > 0 then
    raise exception 'the quota of cycle % cannot be lowered by %', c.id, -new.units using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger quota_raises_are_due before insert on quota_raises for each row execute function quota_raises_are_due();

-- Several raises of one transaction need an entry each; entries of versions before this one don't name their raise.
create or replace function quota_raises_are_recorded() returns trigger language plpgsql as $$
begin
  if not exists (select from operator_actions a where a.action = 'quota.set' and a.target = new.cycle_id and a.customer_id = new.customer_id
      and a.reason = new.reason and a.effect -> 'units' = to_jsonb(new.units)
      and coalesce(a.effect ->> 'raiseId', new.id::text) = new.id::text and is_recorded_now(a)) then
    raise exception 'the raised quota of cycle % is not in the audit log', new.cycle_id;
  end if;
  return null;
end $$;
create constraint trigger quota_raises_are_recorded after insert on quota_raises deferrable initially deferred
  for each row execute function quota_raises_are_recorded();

-- What was taken of a plan, once for packs, raises and refunds. `units_of` is what calls took through one plan, counted or held by gateways.
create or replace function units_of(c cycles, p_from date, p_to date) returns bigint language sql stable set enable_seqscan = off as $$
  select coalesce((select sum(u.units) from usage_counts u where u.cycle_id = c.id and u.counted and u.day >= p_from and u.day < p_to), 0)
    + coalesce((select sum(l.held) from leases l where l.activation_id = c.activation_id and l.cycle_id = c.id and l.day >= p_from and l.day < p_to), 0)
$$;

-- What plans that ran before this one took of their own quotas, at most as much as this one has: of a day, where they are of its activation, or of
-- another and paid or free like it, and of a window of the free quota. Ending a plan and activating again gives no new day (product §7.3), and units
-- that packs and raises gave were none of it. `all_of_day` and `all_of_window` are the units that those plans have in `quota_days` of its
-- activation, and in `free_quota_windows`.
create or replace function taken_before(c cycles, p_day date, p_from date default null, p_to date default null,
  OUT of_day bigint, OUT all_of_day bigint, OUT of_window bigint, OUT all_of_window bigint)
  language plpgsql stable set enable_seqscan = off as $$
declare
  r record;
  v_cycle text := '';
  v_day date;
  v_own bigint;
  v_own_of_day bigint;
  v_own_left bigint;
  v_added_left bigint;
  v_in_window boolean;
begin
  of_day := 0;
  all_of_day := 0;
  of_window := 0;
  all_of_window := 0;
  for r in
    select e.id, e.activation_id, e.daily_quota, e.monthly_quota, is_free_cycle(e) as free, added_units(e.id) as added, u.day, u.units
    from cycles e cross join lateral (
      select t.day, sum(t.units) as units from (
        select k.day, k.units from usage_counts k where k.cycle_id = e.id and k.counted
        union all
        select l.day, l.held from leases l where l.activation_id = e.activation_id and l.cycle_id = e.id) t
      where t.day <= p_day or t.day < p_to group by t.day) u
    where e.customer_id = c.customer_id and e.service_id = c.service_id and e.adds_to is null
      and (e.from_date, coalesce(e.paid_at, e.created_at), e.id) < (c.from_date, coalesce(c.paid_at, c.created_at), c.id)
      -- Of a plan that took nothing on this day there is nothing to read: most have ended long ago.
      and (e.from_date <= p_day and p_day < e.to_date and (e.activation_id = c.activation_id or e.price_paise > 0 and c.price_paise > 0
          or is_free_cycle(e) and is_free_cycle(c)) and (
            exists (select from usage_counts k where k.activation_id = e.activation_id and k.day = p_day and k.cycle_id = e.id)
            or exists (select from leases l where l.activation_id = e.activation_id and l.day = p_day and l.cycle_id = e.id))
        or is_free_cycle(e) and is_free_cycle(c) and e.from_date < p_to and p_from < e.to_date)
    order by e.from_date, coalesce(e.paid_at, e.created_at), e.id, u.day
  loop
    if r.id <> v_cycle then
      v_cycle := r.id;
      v_own_left := r.monthly_quota;
      v_added_left := r.added;
    end if;
    if r.day is distinct from v_day then
      v_day := r.day;
      v_own_of_day := 0;
    end if;
    v_in_window := coalesce(r.free and p_from <= r.day and r.day < p_to, false);
    -- A pack raises the quota of each day, and gives no more than its units in all of them.
    v_own := greatest(0, least(r.units, r.daily_quota - v_own_of_day, v_own_left, case when v_in_window then r.monthly_quota - of_window end),
      r.units - v_added_left);
    v_own_of_day := v_own_of_day + v_own;
    v_own_left := v_own_left - v_own;
    v_added_left := v_added_left - r.units + v_own;
    if r.day = p_day then
      of_day := of_day + v_own;
      if r.activation_id = c.activation_id then all_of_day := all_of_day + r.units; end if;
    end if;
    if v_in_window then
      of_window := of_window + v_own;
      all_of_window := all_of_window + r.units;
    end if;
  end loop;
  of_day := least(of_day, c.daily_quota);
  of_window := least(of_window, c.monthly_quota);
end $$;

-- How many units a plan's calls took beyond its quotas and `p_added`: of all its days, of windows of the free quota, and of single days. What plans
-- before it took of a day or a window uses up its quota (taken_before), but none of its packs.
create or replace function units_beyond(c cycles, p_added bigint) returns bigint language sql stable set enable_seqscan = off as $$
  with days as (
    select u.day, sum(u.units) as taken from (
      select k.day, k.units from usage_counts k where k.cycle_id = c.id and k.counted
      union all
      select l.day, l.held from leases l where l.activation_id = c.activation_id and l.cycle_id = c.id) u
    group by u.day having sum(u.units) > p_added
  ), windows as (
    select w.from_date, w.to_date, units_of(c, w.from_date, w.to_date) as taken from free_quota_windows w
    where is_free_cycle(c) and w.customer_id = c.customer_id and w.service_id = c.service_id and w.from_date < c.to_date and c.from_date < w.to_date
  )
  select greatest(0, coalesce((select taken from quota_cycles where cycle_id = c.id), 0) - c.monthly_quota - p_added,
    coalesce((select sum(greatest(0, taken + o.of_window - c.monthly_quota - p_added))
      from windows cross join taken_before(c, from_date, from_date, to_date) o), 0),
    coalesce((select sum(greatest(0, taken + o.of_day - c.daily_quota - p_added)) from days cross join taken_before(c, day) o), 0))::bigint
$$;

create trigger never_change before update or delete on quota_raises for each row execute function never_change();
create trigger never_emptied before truncate on quota_raises execute function refuse_truncate();
create trigger sealed after insert or update or delete on quota_raises for each row execute function seal_record('id');
create trigger noted_for_ledger after insert or update or delete on quota_raises for each row execute function note_ledger_change('customer');
alter table quota_raises enable always trigger noted_for_ledger;
