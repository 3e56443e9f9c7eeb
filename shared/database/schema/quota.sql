-- Units: what a plan gives, and which gateway holds how many of them.
--
-- A gateway never asks for a single unit. It takes a block (`take_quota`), which at once counts as taken in every counter of the plan and day
-- (`quota_counters`) and stands in `leases` as held by its journal; then it admits calls from memory. What it doesn't use it gives back (`release_quota`). Counted
-- calls move from held to used when its journal is read (usage.sql), in one transaction with the counts. So at any moment taken = used + held, which
-- the ledger's checks compare, and a gateway that dies holds its block until its journal is counted.
--
-- A call counts in each counter of its scopes (`quota_scopes`) whose days include its own: the day and the cycle of an activation, and for free plans the
-- day and the window of thirty days of customer and product. What a counter still allows is computed (`quota_left`): packs and raises of an
-- operator add to a cycle (`pack_units`, `raised_units`), and the daily cap of a key and the daily limit of the member who made it, whose calls are counted
-- already, limit a take like a counter.
--
-- Locks are always taken in the order of the primary key of `quota_counters`, then of the leases. Only the lock on the limit of a member comes
-- before them: whoever waits for it holds none. A gateway that gets less than it asked for has others
-- asked to return what they don't use, by a notification (decision 057).

-- In the order of locks.
create type quota_kind as enum ('day', 'cycle', 'free-day', 'free-window');

-- The truth of quotas. `taken` is always what was counted plus what gateways hold on lease. It grows only in take_quota, under a
-- lock on all rows that a call counts in, so that no number of processes can ever admit one call too many.
create table quota_counters (
  kind quota_kind not null,
  -- An activation, a cycle, or customer and product: of a row of `cycles`, those of `quota_scopes`.
  scope_id text not null,
  customer_id text not null references customers,
  service_id text not null,
  -- The days that it counts. A window of free quota begins with the first free cycle in which a call is made, and lasts thirty days, or as long as
  -- that cycle where it is longer. The next one begins with the first free cycle that runs after it, so they never overlap.
  from_date date not null,
  to_date date not null,
  -- The most that was ever sold for these days (`quota_sold`), as far as it was needed.
  quota integer not null default 0,
  taken integer not null default 0,
  -- By the last day: a call finds the counter of its scope without reading those of earlier days.
  primary key (kind, scope_id, to_date),
  -- Every take evaluates each check of the table, so what never changes is checked by `quota_counters_are_of_plans`.
  constraint quota_counters_within_quota check (taken between 0 and quota),
  constraint quota_counters_windows_never_overlap exclude using gist (scope_id with =, daterange(from_date, to_date) with &&)
    where (kind = 'free-window')
);
create index quota_counters_end on quota_counters (to_date);
-- Checks and erasures go from a customer to the counters.
create index quota_counters_customer on quota_counters (customer_id);

-- What a gateway holds: granted from both quotas at once, not yet counted or given back. Only the owner of the journal changes
-- its rows. `held` may be below zero for a moment when a database was restored from a backup; giving back puts it right.
create table leases (
  journal_id text not null references journals,
  activation_id text not null references activations,
  cycle_id text not null references cycles,
  day date not null,
  held integer not null,
  -- What a key with a cap, or of a member with a limit, may use is held on leases of its own; '' stands for all other keys. Both are exact like the
  -- quotas: what keys have used is what was counted plus what gateways hold for them, read in one statement under the lock on the day's counter or
  -- on the limit of the member.
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

-- The counters that a call of a cycle counts in. A further limit is a row here, with its quota in `quota_left` and `quota_sold`.
create or replace function quota_scopes(c cycles) returns table (kind quota_kind, scope_id text) language sql stable as $$
  select s.kind, s.scope_id
  from (values ('day'::quota_kind, c.activation_id), ('cycle', c.id),
    ('free-day', c.customer_id || ' ' || c.service_id), ('free-window', c.customer_id || ' ' || c.service_id)) s (kind, scope_id)
  where s.kind <= 'cycle' or is_free_cycle(c)
$$;

create or replace function quota_counters_are_of_plans() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if not exists (select from cycles c cross join quota_scopes(c) s where c.customer_id = new.customer_id and c.service_id = new.service_id
      and s.kind = new.kind and s.scope_id = new.scope_id) then
    raise exception '% has no plan with a quota of the kind %', new.scope_id, new.kind using errcode = 'foreign_key_violation';
  end if;
  if not (case new.kind when 'cycle' then new.from_date = '-infinity' and new.to_date = 'infinity'
      when 'free-window' then new.from_date < new.to_date and isfinite(new.from_date) and isfinite(new.to_date)
      else new.to_date = new.from_date + 1 end) then
    raise exception 'the quota % of % is not from % to %', new.kind, new.scope_id, new.from_date, new.to_date using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger quota_counters_are_of_plans after insert on quota_counters for each row execute function quota_counters_are_of_plans();
create trigger quota_counters_stay after update of kind, scope_id, customer_id, service_id, from_date, to_date on quota_counters
  for each row when (new.* is distinct from old.*) execute function never_change();

-- The most that plans allow together on a counter's days: the largest of their quotas, and what was added to each.
create or replace function quota_sold(q quota_counters) returns integer language sql stable set enable_seqscan = off as $$
  select coalesce(max(case when q.kind in ('day', 'free-day') then c.daily_quota else c.monthly_quota end) + sum(added_units(c.id)), 0)
  from cycles c
  where c.customer_id = q.customer_id and c.service_id = q.service_id and c.adds_to is null and c.from_date < q.to_date and q.from_date < c.to_date
    and c.status not in ('PAYMENT_PENDING', 'REMOVED')
    and exists (select from quota_scopes(c) s where s.kind = q.kind and s.scope_id = q.scope_id)
$$;

-- Locks the counters of these cycles on these days, and makes those that are missing; a cycle without a day has its own counter alone. Windows
-- of free quota are opened afterwards (`open_free_window`).
create or replace function lock_counters(p_cycles text[], p_days date[]) returns void language plpgsql set enable_seqscan = off as $$
begin
  insert into quota_counters (kind, scope_id, customer_id, service_id, from_date, to_date)
    select distinct s.kind, s.scope_id, c.customer_id, c.service_id, case s.kind when 'cycle' then '-infinity' else u.day end,
      case s.kind when 'cycle' then 'infinity' else u.day + 1 end
    from unnest(p_cycles, p_days) as u (cycle_id, day) join cycles c on c.id = u.cycle_id cross join quota_scopes(c) s
    where s.kind = 'cycle' or s.kind <> 'free-window' and u.day is not null
    order by 1, 2, 6
    -- Changes nothing, and locks what is there.
    on conflict (kind, scope_id, to_date) do update set taken = excluded.taken where false;
end $$;

-- Adds units to the counters of cycles and days, which are locked. A database that was restored from a backup may learn here of more calls than it
-- knew: they were made, and count.
create or replace function book_units(p_cycles text[], p_days date[], p_units bigint[]) returns void language plpgsql as $$
begin
  update quota_counters q set taken = q.taken + b.units, quota = greatest(q.quota, q.taken + b.units)
    from (
      select k.kind, k.scope_id, k.to_date, sum(u.units)::integer as units
      from unnest(p_cycles, p_days, p_units) as u (cycle_id, day, units) join cycles c on c.id = u.cycle_id cross join quota_scopes(c) s
        join quota_counters k on k.kind = s.kind and k.scope_id = s.scope_id and k.from_date <= u.day and u.day < k.to_date
      group by 1, 2, 3 having sum(u.units) <> 0
    ) b
    where q.kind = b.kind and q.scope_id = b.scope_id and q.to_date = b.to_date;
end $$;

-- Before units come back, or fewer were handed out than calls were made: then counters may be missing. Those that retention has deleted stay missing.
create or replace function lock_returned(p_cycles text[], p_days date[]) returns void language plpgsql as $$
declare
  r record;
begin
  perform lock_counters(array_agg(u.cycle_id), array_agg(case when
      exists (select from quota_counters q where q.kind = 'day' and q.scope_id = c.activation_id and q.to_date = u.day + 1)
      or (select coalesce(sum(k.units), 0) from usage_counts k where k.activation_id = c.activation_id and k.day = u.day and k.counted)
        + (select coalesce(sum(l.held), 0) from leases l where l.activation_id = c.activation_id and l.day = u.day) = 0 then u.day end))
    from unnest(p_cycles, p_days) as u (cycle_id, day) join cycles c on c.id = u.cycle_id;
  -- Earlier days first, as the calls were made: where a window begins depends on the one before it.
  for r in
    select distinct on (c.customer_id, c.service_id, u.day, c.from_date, c.id) c as cycle, u.day
    from unnest(p_cycles, p_days) as u (cycle_id, day) join cycles c on c.id = u.cycle_id join quota_scopes(c) s on s.kind = 'free-day'
      join quota_counters q on q.kind = s.kind and q.scope_id = s.scope_id and q.to_date = u.day + 1
    order by c.customer_id, c.service_id, u.day, c.from_date, c.id
  loop
    perform open_free_window(r.cycle, r.day);
  end loop;
end $$;

create or replace function release_quota(p_journal text, p_releases jsonb, p_notices text[]) returns table(activation_id text, cycle_id text, day date, day_left integer, cycle_left integer) language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_notice text;
begin
  perform lock_returned(array_agg(x.cycle), array_agg(x.day)) from jsonb_to_recordset(p_releases) as x (cycle text, day date);
  perform book_units(array_agg(x.cycle), array_agg(x.day), array_agg(x.keep - coalesce(l.held, 0)))
    from jsonb_to_recordset(p_releases) as x (activation text, cycle text, day date, key text, keep bigint)
      left join leases l on l.journal_id = p_journal and l.activation_id = x.activation and l.cycle_id = x.cycle and l.day = x.day
        and l.key_id = coalesce(x.key, '');
  delete from leases l using jsonb_to_recordset(p_releases) as x (activation text, cycle text, day date, key text, keep integer)
    where x.keep = 0 and l.journal_id = p_journal and l.activation_id = x.activation and l.cycle_id = x.cycle and l.day = x.day
      and l.key_id = coalesce(x.key, '');
  insert into leases (journal_id, activation_id, cycle_id, day, key_id, held)
    select p_journal, x.activation, x.cycle, x.day, coalesce(x.key, ''), x.keep
    from jsonb_to_recordset(p_releases) as x (activation text, cycle text, day date, key text, keep integer) join cycles c on c.id = x.cycle
    where x.keep <> 0
    on conflict (journal_id, activation_id, cycle_id, day, key_id) do update set held = excluded.held;
  return query select x.activation, x.cycle, x.day, q.day_left, q.cycle_left
    from jsonb_to_recordset(p_releases) as x (activation text, cycle text, day date) join cycles c on c.id = x.cycle
      cross join quota_left(c, x.day) q;
  foreach v_notice in array p_notices loop
    perform pg_notify('quota', v_notice);
  end loop;
end $$;

create or replace function quota_steps_crossed(p_before bigint, p_after bigint, p_limit bigint) returns setof integer
  language sql immutable as $$
    select percent from unnest(array[60, 80, 100]) as percent
    where p_limit > 0 and p_before * 100 < p_limit * percent and p_after * 100 >= p_limit * percent
  $$;

create or replace function note_cycle_quota() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  -- Read once: PostgreSQL would put the expression into each place of quota_steps_crossed.
  v_limit bigint := (select c.monthly_quota + pack_units(c.id) from cycles c where c.id = new.scope_id);
begin
  insert into quota_crossings
    select new.scope_id, null, percent
    from quota_steps_crossed(case tg_op when 'UPDATE' then old.taken else 0 end, new.taken, v_limit) as percent
    on conflict do nothing;
  return null;
end $$;
create trigger quota_counters_noted_of_cycle after insert or update of taken on quota_counters
  for each row when (new.kind = 'cycle' and new.taken > 0) execute function note_cycle_quota();

create or replace function note_day_quota() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  r record;
begin
  for r in
    select c.id, c.daily_quota + pack_units(c.id) as units, o.of_day - o.all_of_day as others
    from cycles c cross join taken_before(c, new.from_date) o
    where c.activation_id = new.scope_id and c.from_date <= new.from_date and new.from_date < c.to_date
      and c.status in ('PAID', 'NO_PAYMENT_REQUIRED') and c.adds_to is null
  loop
    insert into quota_crossings
      select r.id, new.from_date, percent
      from quota_steps_crossed(case tg_op when 'UPDATE' then old.taken else 0 end + r.others, new.taken + r.others, r.units) as percent
      on conflict do nothing;
  end loop;
  return null;
end $$;
create trigger quota_counters_noted_of_day after insert or update of taken on quota_counters
  for each row when (new.kind = 'day' and new.taken > 0) execute function note_day_quota();

-- Locks the window of free quota of a day, and makes it if it is missing. Gateways that start together after a restore may open windows of different
-- days at once. The one that comes second looks again: the other window need not have its day.
create or replace function open_free_window(c cycles, p_day date) returns void language plpgsql as $$
declare
  v_scope text := (select s.scope_id from quota_scopes(c) s where s.kind = 'free-window');
  v_from date;
begin
  loop
    perform from quota_counters
      where kind = 'free-window' and scope_id = v_scope and from_date <= p_day and p_day < to_date for update;
    if found then return; end if;
    select greatest(c.from_date, max(to_date)) into v_from from quota_counters
      where kind = 'free-window' and scope_id = v_scope and to_date <= p_day;
    -- The days of a plan may have changed since the call was made.
    if p_day < v_from or p_day >= c.to_date then v_from := p_day; end if;
    insert into quota_counters (kind, scope_id, customer_id, service_id, from_date, to_date)
      select 'free-window', v_scope, c.customer_id, c.service_id, v_from,
        least(v_from + greatest(30, c.to_date - c.from_date), min(w.from_date))
      from quota_counters w where w.kind = 'free-window' and w.scope_id = v_scope and w.from_date > p_day
      on conflict do nothing;
  end loop;
end $$;

create or replace function free_window_of(c cycles, p_day date) returns quota_counters language sql stable as $$
  select q from quota_scopes(c) s join quota_counters q on q.kind = s.kind and q.scope_id = s.scope_id and q.from_date <= p_day and p_day < q.to_date
  where s.kind = 'free-window'
$$;

-- What of its quotas a cycle's customer has used, in calls counted: on a day, and of the monthly quota. The one place that every page,
-- header and call reads these numbers from; '' or an unknown cycle stands for no plan.
create or replace function quota_used(p_activation text, p_cycle text, p_day date, OUT day_used bigint, OUT cycle_used bigint) language plpgsql stable set enable_seqscan = off as $$
declare
  v_cycle cycles;
  v_before record;
  v_window quota_counters;
  v_used bigint;
begin
  select coalesce(sum(units) filter (where day = p_day), 0), coalesce(sum(units) filter (where cycle_id = p_cycle), 0),
      coalesce(sum(units) filter (where day = p_day and cycle_id = p_cycle), 0)
    into day_used, cycle_used, v_used
    from usage_counts where activation_id = p_activation and counted and (day = p_day or cycle_id = p_cycle);
  select * into v_cycle from cycles where id = p_cycle;
  if not found then return; end if;
  v_window := free_window_of(v_cycle, p_day);
  select * into v_before from taken_before(v_cycle, p_day, v_window.from_date, v_window.to_date);
  day_used := v_used + v_before.of_day;
  select coalesce(sum(units), 0) into v_used from usage_counts
    where cycle_id = p_cycle and counted and day >= v_window.from_date and day < v_window.to_date;
  cycle_used := greatest(cycle_used, v_used + v_before.of_window);
end $$;

-- The keys that share the daily limit of the member who made this one; null where there is no limit. Those that were revoked before have no call on
-- that day.
create or replace function keys_of_limit(p_key text, p_day date) returns text[] language sql stable as $$
  select array_agg(k.id)
  from api_keys made join members m on m.id = made.made_by and m.daily_limit is not null join api_keys k on k.made_by = m.id
  where made.id = p_key and (k.revoked_at is null or k.revoked_at > p_day - 1)
$$;

-- What calls with these keys took on a day, counted or held for them by gateways.
create or replace function units_of_keys(p_keys text[], p_day date) returns bigint language sql stable set enable_seqscan = off as $$
  select coalesce(sum(t.units), 0) from api_keys k cross join lateral (
    select u.units from usage_counts u where u.activation_id = k.activation_id and u.day = p_day and u.key_id = k.id and u.counted
    union all
    select l.held from leases l where l.activation_id = k.activation_id and l.day = p_day and l.key_id = k.id) t
  where k.id = any(p_keys)
$$;

-- What the limits of a cycle leave: of a day, of the cycle or its window of free quota, of a key's daily cap, and of the daily limit of its member.
create or replace function quota_left(c cycles, p_day date, p_key text default '', OUT day_left integer, OUT cycle_left integer, OUT key_left integer,
    OUT member_left integer)
  language plpgsql stable as $$
declare
  v_window quota_counters;
  v_before record;
  v_added integer := pack_units(c.id);
begin
  if is_free_cycle(c) then v_window := free_window_of(c, p_day); end if;
  select * into v_before from taken_before(c, p_day, v_window.from_date, v_window.to_date);
  select min(case q.kind when 'day' then greatest(c.daily_quota + v_added + v_before.all_of_day - v_before.of_day - q.taken, 0) end),
      min(case q.kind when 'cycle' then greatest(c.monthly_quota + v_added - q.taken, 0)
        when 'free-window' then greatest(c.monthly_quota + v_added + v_before.all_of_window - v_before.of_window - q.taken, 0) end)
    into day_left, cycle_left
    from quota_scopes(c) s join quota_counters q on q.kind = s.kind and q.scope_id = s.scope_id and q.from_date <= p_day and p_day < q.to_date;
  if p_key <> '' then
    select case when k.daily_cap is not null then greatest(k.daily_cap - units_of_keys(array[k.id], p_day), 0) end,
        case when m.daily_limit is not null then greatest(m.daily_limit - units_of_keys(keys_of_limit(k.id, p_day), p_day), 0) end
      into key_left, member_left from api_keys k left join members m on m.id = k.made_by where k.id = p_key;
  end if;
end $$;

-- Units for the calls of a gateway, under the locks of every counter that they count in.
create or replace function take_quota(p_journal text, p_activation text, p_cycle text, p_day date, p_key text, p_wanted integer, p_needed integer, p_recall text, p_least integer DEFAULT 1) returns table(granted integer, day_left integer, cycle_left integer, key_left integer, member_left integer, holders text[]) language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_cycle cycles;
  v_window quota_counters;
  v_asked text;
  v_journals text[];
  v_keys text[];
begin
  if p_key <> '' then
    perform pg_advisory_xact_lock(hashtextextended('calls of ' || m.id, 0))
      from api_keys k join members m on m.id = k.made_by where k.id = p_key and m.daily_limit is not null;
  end if;
  select * into v_cycle from cycles
    where id = p_cycle and activation_id = p_activation and status in ('PAID', 'NO_PAYMENT_REQUIRED')
      and from_date <= p_day and p_day < to_date and adds_to is null;
  if not found then return; end if;
  -- As lock_counters does for many: this is what each block of calls waits for.
  insert into quota_counters as q (kind, scope_id, customer_id, service_id, from_date, to_date)
    select s.kind, s.scope_id, v_cycle.customer_id, v_cycle.service_id, case s.kind when 'cycle' then '-infinity' else p_day end,
      case s.kind when 'cycle' then 'infinity' else p_day + 1 end
    from quota_scopes(v_cycle) s where s.kind <> 'free-window' order by 1, 2
    on conflict (kind, scope_id, to_date) do update set taken = excluded.taken where false;
  -- It may have ended meanwhile (cycles_end_under_lock), and was refunded for what was not taken.
  perform 1 from cycles where id = p_cycle and status = v_cycle.status;
  if not found then return; end if;
  if is_free_cycle(v_cycle) then perform open_free_window(v_cycle, p_day); end if;
  -- What was added is read under the locks: it may be taken back meanwhile.
  select * into day_left, cycle_left, key_left, member_left from quota_left(v_cycle, p_day, p_key);
  granted := least(p_wanted, day_left, cycle_left, key_left, member_left);
  -- A part of what one call needs would only keep it from another gateway.
  if granted < p_least then granted := 0; end if;
  if granted > 0 then
    update quota_counters q set taken = q.taken + granted,
        quota = case when q.taken + granted > q.quota then greatest(q.quota, quota_sold(q)) else q.quota end
      from quota_scopes(v_cycle) s where q.kind = s.kind and q.scope_id = s.scope_id and q.from_date <= p_day and p_day < q.to_date;
    insert into leases as l (journal_id, activation_id, cycle_id, day, key_id, held)
      values (p_journal, p_activation, p_cycle, p_day, p_key, granted)
      on conflict (journal_id, activation_id, cycle_id, day, key_id) do update set held = l.held + granted;
    day_left := day_left - granted;
    cycle_left := cycle_left - granted;
    key_left := key_left - granted;
    member_left := member_left - granted;
  end if;
  holders := '{}';
  if granted < p_needed then
    -- Where the cap alone is what stops, only those help who hold units of the same key; where the limit of the member, those of the member's keys, in
    -- all activations. Units of another activation may lie with any gateway, the asking one too.
    if member_left < p_least then v_keys := keys_of_limit(p_key, p_day); end if;
    if is_free_cycle(v_cycle) then v_window := free_window_of(v_cycle, p_day); end if;
    for v_asked, v_journals in
      select l.activation_id, array_agg(distinct l.journal_id)
      from leases l join gateways g on g.journal_id = l.journal_id
      where l.held > 0 and g.lease_until > clock_timestamp() and (key_left is null or key_left >= p_least or l.key_id = p_key)
        and (v_keys is null or l.key_id = any(v_keys)) and (
        l.activation_id = p_activation and l.journal_id <> p_journal and (l.day = p_day or l.cycle_id = p_cycle)
        or l.activation_id <> p_activation and l.day = p_day and v_keys is not null
        or l.activation_id <> p_activation and l.day >= v_window.from_date and l.day < v_window.to_date
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
  select w.to_date from free_window_of(c, c.from_date) w where w.from_date < c.from_date
$$;

create or replace function raised_units(p_cycle text) returns integer language sql stable as $$
  select coalesce(sum(units), 0)::integer from quota_raises where cycle_id = p_cycle
$$;

-- The same when the plan and its packs have ended.
create or replace function added_units(p_cycle text) returns bigint language sql stable as $$
  select coalesce(sum(monthly_quota), 0) + raised_units(p_cycle) from cycles where adds_to = p_cycle and paid_at is not null
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
  perform lock_counters(array_agg(c.id), array_agg(d.day)) from (
    select null::date as day
    union all
    select q.from_date from quota_counters q
    where q.kind = 'day' and q.scope_id = c.activation_id and c.from_date < q.to_date and q.from_date < c.to_date) d;
  if new.units > 0 then
    -- Of shared/domain/raised-quota.ts: sums of quotas stay whole numbers of the database.
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
-- that packs and raises gave were none of it. `all_of_day` and `all_of_window` are the units that those plans have in the counters of its
-- activation's day and of the window.
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
    select w.from_date, w.to_date, units_of(c, w.from_date, w.to_date) as taken
    from quota_scopes(c) s join quota_counters w on w.kind = s.kind and w.scope_id = s.scope_id and w.from_date < c.to_date and c.from_date < w.to_date
    where s.kind = 'free-window'
  )
  select greatest(0, coalesce((select taken from quota_counters where kind = 'cycle' and scope_id = c.id), 0) - c.monthly_quota - p_added,
    coalesce((select sum(greatest(0, taken + o.of_window - c.monthly_quota - p_added))
      from windows cross join taken_before(c, from_date, from_date, to_date) o), 0),
    coalesce((select sum(greatest(0, taken + o.of_day - c.daily_quota - p_added)) from days cross join taken_before(c, day) o), 0))::bigint
$$;

create trigger never_change before update or delete on quota_raises for each row execute function never_change();
create trigger never_emptied before truncate on quota_raises execute function refuse_truncate();
create trigger sealed after insert or update or delete on quota_raises for each row execute function seal_record('id');
create trigger noted_for_ledger after insert or update or delete on quota_raises for each row execute function note_ledger_change('customer');
alter table quota_raises enable always trigger noted_for_ledger;
