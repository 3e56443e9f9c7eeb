-- The truth of quotas. `taken` is always what was counted plus what gateways hold on lease. It grows only in take_quota, under a
-- lock on both rows, so that no number of processes can ever admit one call too many.
create table quota_days (
  activation_id text not null references activations,
  day date not null,
  taken integer not null default 0 check (taken >= 0),
  primary key (activation_id, day)
);

create table quota_cycles (
  cycle_id text primary key references cycles,
  taken integer not null default 0 check (taken >= 0)
);

-- A gateway process, known by its journal. `seen_version` is the newest access change it has taken note of; a process whose lease
-- has run out trusts nothing it remembers, so that nobody needs to wait for it.
create table gateways (
  journal_id text primary key,
  started_at timestamptz not null,
  lease_until timestamptz not null,
  seen_version bigint not null default 0
);

-- How far a gateway's journal has been counted. Changed in the transaction that counts, so that nothing counts twice.
create table journals (
  id text primary key,
  position bigint not null
);

-- What a gateway holds: granted from both quotas at once, not yet counted or given back. Only the owner of the journal changes
-- its rows. `held` may be below zero for a moment when a database was restored from a backup; giving back puts it right.
create table leases (
  journal_id text not null references journals,
  activation_id text not null references activations,
  cycle_id text not null references cycles,
  day date not null,
  held integer not null,
  primary key (journal_id, activation_id, cycle_id, day)
);
create index leases_activation on leases (activation_id);

-- Calls that were answered: what every page, header and call reports.
create table usage_counts (
  activation_id text not null references activations,
  cycle_id text not null references cycles,
  key_id text not null references api_keys,
  day date not null,
  -- First digit of the answer's status.
  status_class smallint not null check (status_class between 1 and 5),
  -- Did it take one from the quotas?
  counted boolean not null,
  -- A call that is taken back (its answer broke off) is counted with -1 later.
  calls integer not null,
  last_at timestamptz not null,
  primary key (activation_id, day, key_id, cycle_id, status_class, counted)
);
create index usage_counts_cycle on usage_counts (cycle_id);

-- Numbers the barriers by which the portal knows that every gateway has heard of a change of access (database/access.ts).
create sequence access_version;

-- Locks are always taken in the order usage_counts, quota_days, quota_cycles, leases, so that these functions never deadlock.

-- Takes up to `wanted` units of both quotas on lease. Answers no row when the cycle does not give access on that day. When fewer than
-- `needed` were left, asks the living gateways that hold some (`holders`) to give back what they do not use.
create function take_quota(
  p_journal text, p_activation text, p_cycle text, p_day date, p_wanted integer, p_needed integer, p_recall text
) returns table (granted integer, day_left integer, cycle_left integer, holders text[]) language plpgsql as $$
declare
  v_daily integer;
  v_monthly integer;
begin
  select daily_quota, monthly_quota into v_daily, v_monthly from cycles
    where id = p_cycle and activation_id = p_activation and status in ('PAID', 'NO_PAYMENT_REQUIRED')
      and from_date <= p_day and p_day < to_date;
  if not found then return; end if;
  insert into quota_days (activation_id, day) values (p_activation, p_day) on conflict do nothing;
  insert into quota_cycles (cycle_id) values (p_cycle) on conflict do nothing;
  select greatest(v_daily - taken, 0) into day_left from quota_days
    where activation_id = p_activation and day = p_day for update;
  select greatest(v_monthly - taken, 0) into cycle_left from quota_cycles where cycle_id = p_cycle for update;
  granted := least(p_wanted, day_left, cycle_left);
  if granted > 0 then
    update quota_days set taken = taken + granted where activation_id = p_activation and day = p_day;
    update quota_cycles set taken = taken + granted where cycle_id = p_cycle;
    insert into leases as l (journal_id, activation_id, cycle_id, day, held)
      values (p_journal, p_activation, p_cycle, p_day, granted)
      on conflict (journal_id, activation_id, cycle_id, day) do update set held = l.held + granted;
    day_left := day_left - granted;
    cycle_left := cycle_left - granted;
  end if;
  holders := '{}';
  if granted < p_needed then
    select coalesce(array_agg(distinct l.journal_id), '{}') into holders
      from leases l join gateways g on g.journal_id = l.journal_id
      where l.activation_id = p_activation and l.journal_id <> p_journal and l.held > 0
        and (l.day = p_day or l.cycle_id = p_cycle) and g.lease_until > clock_timestamp();
    if holders <> '{}' then perform pg_notify('quota', 'recall ' || p_recall || ' ' || p_activation); end if;
  end if;
  return next;
end $$;

-- Counts the calls of a journal from one position to another, once: the second time, nothing happens.
create function count_calls(p_journal text, p_from bigint, p_to bigint, p_calls jsonb) returns void language plpgsql as $$
declare
  v_position bigint;
begin
  select position into v_position from journals where id = p_journal for update;
  if v_position = p_to then return; end if;
  if v_position is distinct from p_from then
    raise exception 'journal % stands at %, not at %', p_journal, v_position, p_from;
  end if;
  update journals set position = p_to where id = p_journal;
  insert into usage_counts as u (activation_id, day, key_id, cycle_id, status_class, counted, calls, last_at)
    select c.activation, c.day, c.key, c.cycle, c.class, c.counted, c.calls, c.last
    from jsonb_to_recordset(p_calls) as c
      (activation text, day date, key text, cycle text, class smallint, counted boolean, calls integer, last timestamptz)
    order by 1, 2, 3, 4, 5, 6
    on conflict (activation_id, day, key_id, cycle_id, status_class, counted)
      do update set calls = u.calls + excluded.calls, last_at = greatest(u.last_at, excluded.last_at);
  insert into leases as l (journal_id, activation_id, cycle_id, day, held)
    select p_journal, c.activation, c.cycle, c.day, -sum(c.calls)
    from jsonb_to_recordset(p_calls) as c (activation text, day date, cycle text, counted boolean, calls integer)
    where c.counted group by 2, 3, 4
    on conflict (journal_id, activation_id, cycle_id, day) do update set held = l.held + excluded.held;
end $$;

-- Makes each named lease hold exactly `keep` and gives the rest back to both quotas. Naming what is kept, not what is given back, also
-- puts right a lease whose grant never reached the gateway. Then tells those who asked for units.
create function release_quota(p_journal text, p_releases jsonb, p_answers text[])
returns table (activation_id text, cycle_id text, day date, day_left integer, cycle_left integer) language plpgsql as $$
#variable_conflict use_column
declare
  r record;
  v_excess integer;
  v_answer text;
begin
  perform 1 from quota_days q
    where (q.activation_id, q.day) in
      (select x.activation, x.day from jsonb_to_recordset(p_releases) as x (activation text, day date))
    order by q.activation_id, q.day for update;
  perform 1 from quota_cycles q
    where q.cycle_id in (select x.cycle from jsonb_to_recordset(p_releases) as x (cycle text))
    order by q.cycle_id for update;
  for r in
    select x.*, coalesce(l.held, 0) as held, c.daily_quota, c.monthly_quota
    from jsonb_to_recordset(p_releases) as x (activation text, cycle text, day date, keep integer)
    join cycles c on c.id = x.cycle
    left join leases l on l.journal_id = p_journal and l.activation_id = x.activation and l.cycle_id = x.cycle and l.day = x.day
  loop
    v_excess := r.held - r.keep;
    update quota_days q set taken = q.taken - v_excess where q.activation_id = r.activation and q.day = r.day
      returning greatest(r.daily_quota - q.taken, 0) into day_left;
    update quota_cycles q set taken = q.taken - v_excess where q.cycle_id = r.cycle
      returning greatest(r.monthly_quota - q.taken, 0) into cycle_left;
    if r.keep = 0 then
      delete from leases l where l.journal_id = p_journal and l.activation_id = r.activation and l.cycle_id = r.cycle and l.day = r.day;
    else
      insert into leases as l (journal_id, activation_id, cycle_id, day, held)
        values (p_journal, r.activation, r.cycle, r.day, r.keep)
        on conflict (journal_id, activation_id, cycle_id, day) do update set held = r.keep;
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
