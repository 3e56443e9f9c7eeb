-- Calls as they were counted: by day, key, cycle and class of status.
--
-- A gateway writes each call to its journal before the response is sent, and sends what it read from there (`count_journal`). The position of the journal moves
-- in the same transaction, so that nothing counts twice. Calls with an Idempotency-Key are decided one key at a time (`count_repeatable`): a response counts
-- once, whichever gateway gave it how often (decision 025). One call that can't be counted stops no other: it is returned, and kept in the journal's folder.

-- One call that can't be counted must not stop the counting of all others.
create or replace function is_request_id(p_text text) returns boolean language sql immutable as $$
  select p_text ~ '^req_[A-Za-z0-9_-]{10}-[A-Za-z0-9_-]{10}$'
$$;

-- Calls that were answered: what every page, header and call reports.
create table usage_counts (
  activation_id text not null references activations,
  cycle_id text not null references cycles,
  key_id text not null,
  day date not null,
  -- First digit of the answer's status.
  status_class smallint not null check (status_class between 1 and 5),
  -- Did it take one from the quotas?
  counted boolean not null,
  -- A call that is taken back (its answer broke off) is counted with -1 later.
  calls integer not null,
  last_at timestamptz not null,
  -- Quotas, leases and counts are in units; usage also says how many calls used them.
  units integer not null default 0,
  primary key (activation_id, day, key_id, cycle_id, status_class, counted),
  check (counted or units = 0)
);
create index usage_counts_cycle on usage_counts (cycle_id);
-- In the order of days, nearly.
create index usage_counts_day on usage_counts using brin (day);

-- Responses to calls with an Idempotency-Key that were counted, so that each counts once, whichever gateway it goes through and whatever
-- becomes of that gateway (decision 025). Kept for two days: twice as long as products keep responses for their replays.
create table counted_responses (
  activation_id text not null references activations,
  -- The request id of the call that the response was first given to; of the first replay where the product doesn't tell.
  response_id text not null check (is_request_id(response_id)),
  -- SHA-256 of the Idempotency-Key.
  key_hash bytea not null check (octet_length(key_hash) = 32),
  -- The request id of the call that was counted.
  counted_by text not null,
  counted_at timestamptz not null default clock_timestamp(),
  -- A replay was counted before the call that it repeats, whose response is not to count again.
  awaits_first boolean not null,
  -- A response that was given again for nothing stays counted when the call that it counted for breaks off: its replay has it whole.
  given_again boolean not null default false,
  primary key (activation_id, response_id)
);
create index counted_responses_key on counted_responses (activation_id, key_hash);
create index counted_responses_counted_at on counted_responses (counted_at);

-- Counts each of these calls unless its response was counted before, and answers the request ids of those that are counted. Sending the same
-- calls again changes nothing. Locks are taken in the order advisory locks, usage_counts, quota_counters, leases.
create or replace function count_repeatable(p_journal text, p_calls jsonb) returns table(id text) language plpgsql
 SET enable_seqscan TO 'off'
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
    select c.id, case when c.response = c.id or is_request_id(c.response) then c.response end as response, c.activation, c."startedAt",
      coalesce(c.broken, false) as broken, decode(c."keyHash", 'hex') as hash
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
    -- The gateway holds no unit for these any more: they go back to the quotas.
    perform lock_returned(array_agg(c.cycle), array_agg(c.day))
      from jsonb_to_recordset(p_calls) as c (id text, cycle text, day date, broken boolean) where c.broken and c.id = any (v_broken);
    perform book_units(array_agg(c.cycle), array_agg(c.day), array_agg(-coalesce(c.units, 1)))
      from jsonb_to_recordset(p_calls) as c (id text, cycle text, day date, units bigint, broken boolean)
      where c.broken and c.id = any (v_broken);
  end if;
  insert into leases as l (journal_id, activation_id, cycle_id, day, key_id, held)
    select p_journal, c.activation, c.cycle, c.day, coalesce(c.lease, ''), -sum(coalesce(c.units, 1))
    from jsonb_to_recordset(p_calls) as c (id text, activation text, day date, cycle text, lease text, units integer, broken boolean)
    where c.broken is not true and c.id = any (v_new) group by 2, 3, 4, 5
    on conflict (journal_id, activation_id, cycle_id, day, key_id) do update set held = l.held + excluded.held;
end $$;

-- Counts calls, and returns those on plans that the database does not have.
create or replace function count_tallies(p_journal text, p_calls jsonb)
 returns table(activation_id text, cycle_id text, calls bigint, units bigint, first_day date, last_day date)
 language plpgsql
 SET enable_seqscan TO 'off'
as $$
#variable_conflict use_column
begin
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

-- Returns what can't be counted; `fault`: why the database rejects these calls, null if it does not have their plan.
create or replace function count_journal(p_journal text, p_from bigint, p_to bigint, p_calls jsonb)
 returns table(activation_id text, cycle_id text, calls bigint, units bigint, first_day date, last_day date, fault text)
 language plpgsql
 SET enable_seqscan TO 'off'
as $$
declare
  v_position bigint;
  v_call jsonb;
  v_day date;
begin
  select position into v_position from journals where id = p_journal for update;
  if v_position = p_to then return; end if;
  if v_position is distinct from p_from then
    raise exception 'journal % stands at %, not at %', p_journal, v_position, p_from;
  end if;
  update journals set position = p_to where id = p_journal;
  begin
    return query select t.*, null::text from count_tallies(p_journal, p_calls) t;
    return;
  exception when data_exception or integrity_constraint_violation or program_limit_exceeded then
    -- The fault lies with some of these calls, so each is counted by itself.
  end;
  for v_call in
    select c from jsonb_array_elements(p_calls) c
    order by c ->> 'activation', c ->> 'day', c ->> 'key', c ->> 'cycle', c ->> 'class', c ->> 'counted'
  loop
    begin
      return query select t.*, null::text from count_tallies(p_journal, jsonb_build_array(v_call)) t;
    exception when data_exception or integrity_constraint_violation or program_limit_exceeded then
      v_day := case when pg_input_is_valid(v_call ->> 'day', 'date') then (v_call ->> 'day')::date end;
      return query select v_call ->> 'activation', v_call ->> 'cycle', (v_call ->> 'calls')::bigint,
        case when (v_call ->> 'counted')::boolean then (v_call ->> 'calls')::bigint * coalesce((v_call ->> 'units')::bigint, 1) else 0 end,
        v_day, v_day, sqlerrm;
    end;
  end loop;
end $$;
