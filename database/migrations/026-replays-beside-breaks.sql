-- A response that was given again for nothing stays counted when the call that it counted for breaks off: its replay has it whole.
alter table counted_responses add column given_again boolean not null default false;

create or replace function count_repeatable(p_journal text, p_calls jsonb) returns table (id text) language plpgsql as $$
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

  insert into usage_counts as u (activation_id, day, key_id, cycle_id, status_class, counted, calls, last_at)
    select c.activation, c.day, c.key, c.cycle, c.class, true, sum(case when c.broken then -1 else 1 end), clock_timestamp()
    from jsonb_to_recordset(p_calls) as c
      (id text, activation text, day date, key text, cycle text, class smallint, broken boolean)
    where c.id = any (case when c.broken then v_broken else v_new end)
    group by 1, 2, 3, 4, 5
    order by 1, 2, 3, 4, 5
    on conflict (activation_id, day, key_id, cycle_id, status_class, counted)
      do update set calls = u.calls + excluded.calls, last_at = greatest(u.last_at, excluded.last_at);
  if v_broken <> '{}' then
    -- The gateway holds no unit for these any more: they go back to the quotas. With the days locked, nobody else changes these leases.
    perform 1 from quota_days q where (q.activation_id, q.day) in
      (select c.activation, c.day from jsonb_to_recordset(p_calls) as c (id text, activation text, day date, broken boolean)
        where c.broken and c.id = any (v_broken))
      order by q.activation_id, q.day for update;
    perform release_quota(p_journal, (
      select jsonb_agg(jsonb_build_object('activation', b.activation, 'cycle', b.cycle, 'day', b.day, 'key', b.lease,
        'keep', coalesce(l.held, 0) - b.calls))
      from (
        select c.activation, c.cycle, c.day, coalesce(c.lease, '') as lease, count(*) as calls
        from jsonb_to_recordset(p_calls) as c (id text, activation text, cycle text, day date, lease text, broken boolean)
        where c.broken and c.id = any (v_broken) group by 1, 2, 3, 4
      ) b
      left join leases l on l.journal_id = p_journal and l.activation_id = b.activation and l.cycle_id = b.cycle and l.day = b.day
        and l.key_id = b.lease
    ), '{}');
  end if;
  -- What was given back just now was not held: with it the leases stand where they stood.
  insert into leases as l (journal_id, activation_id, cycle_id, day, key_id, held)
    select p_journal, c.activation, c.cycle, c.day, coalesce(c.lease, ''), sum(case when c.broken then 1 else -1 end)
    from jsonb_to_recordset(p_calls) as c (id text, activation text, day date, cycle text, lease text, broken boolean)
    where c.id = any (case when c.broken then v_broken else v_new end) group by 2, 3, 4, 5
    on conflict (journal_id, activation_id, cycle_id, day, key_id) do update set held = l.held + excluded.held;
end $$;
alter function count_repeatable(text, jsonb) set enable_seqscan = off;
