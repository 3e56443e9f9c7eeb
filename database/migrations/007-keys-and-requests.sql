-- Keys that fit real use: for tests, with an end, with the addresses that may use them, with a cap a day, with a successor.
alter table api_keys
  -- A test key reaches the sandbox and no quota.
  add column test boolean not null default false,
  add column expires_at timestamptz check (expires_at > created_at),
  -- Empty: from anywhere.
  add column allowed_ips inet[] not null default '{}' check (cardinality(allowed_ips) <= 50),
  add column daily_cap integer check (daily_cap > 0),
  add column replaced_by text,
  add unique (id, activation_id),
  add foreign key (replaced_by, activation_id) references api_keys (id, activation_id) deferrable initially deferred,
  add check (not test or daily_cap is null),
  -- A key with a successor ends.
  add check (replaced_by is null or expires_at is not null or revoked_at is not null);

-- A key that was replaced shares its name with its successor until it ends.
drop index api_keys_one_name;
create unique index api_keys_one_name on api_keys (activation_id, name) where revoked_at is null and replaced_by is null;

create or replace function api_keys_stay_revoked() returns trigger language plpgsql as $$
begin
  if old.revoked_at is not null and new is distinct from old then
    raise exception 'key % is revoked for good', old.id;
  end if;
  if (new.id, new.activation_id, new.customer_id, new.name, new.key_hash, new.hint, new.created_at, new.test)
     is distinct from (old.id, old.activation_id, old.customer_id, old.name, old.key_hash, old.hint, old.created_at, old.test) then
    raise exception 'key % stays what it is', old.id;
  end if;
  if old.replaced_by is not null and (new.replaced_by is distinct from old.replaced_by
     or (new.expires_at is null and new.revoked_at is null) or new.expires_at > old.expires_at) then
    raise exception 'key % was replaced and ends as it was said', old.id;
  end if;
  return new;
end $$;

-- What a key with a cap may use is held on leases of its own; '' stands for all keys without one. The cap is exact like the quotas: what
-- a key has used is what was counted plus what gateways hold for it, read in one statement under the lock on the day's quota.
alter table leases
  add column key_id text not null default '',
  drop constraint leases_pkey,
  add primary key (journal_id, activation_id, cycle_id, day, key_id);

drop function take_quota(text, text, text, date, integer, integer, text);
create function take_quota(
  p_journal text, p_activation text, p_cycle text, p_day date, p_key text, p_wanted integer, p_needed integer, p_recall text
) returns table (granted integer, day_left integer, cycle_left integer, key_left integer, holders text[]) language plpgsql as $$
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
    insert into leases as l (journal_id, activation_id, cycle_id, day, key_id, held)
      values (p_journal, p_activation, p_cycle, p_day, p_key, granted)
      on conflict (journal_id, activation_id, cycle_id, day, key_id) do update set held = l.held + granted;
    day_left := day_left - granted;
    cycle_left := cycle_left - granted;
    key_left := key_left - granted;
  end if;
  holders := '{}';
  if granted < p_needed then
    -- Where the cap alone is what stops, only those help who hold units of the same key.
    select coalesce(array_agg(distinct l.journal_id), '{}') into holders
      from leases l join gateways g on g.journal_id = l.journal_id
      where l.activation_id = p_activation and l.journal_id <> p_journal and l.held > 0
        and (l.day = p_day or l.cycle_id = p_cycle) and (key_left is distinct from 0 or l.key_id = p_key)
        and g.lease_until > clock_timestamp();
    if holders <> '{}' then perform pg_notify('quota', 'recall ' || p_recall || ' ' || p_activation); end if;
  end if;
  return next;
end $$;

-- As before; a call is taken from the lease that it was admitted under.
create or replace function count_calls(p_journal text, p_from bigint, p_to bigint, p_calls jsonb) returns void language plpgsql as $$
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
    select c.activation, c.day, c.key, c.cycle, c.class, c.counted, sum(c.calls), max(c.last)
    from jsonb_to_recordset(p_calls) as c
      (activation text, day date, key text, cycle text, class smallint, counted boolean, calls integer, last timestamptz)
    group by 1, 2, 3, 4, 5, 6
    order by 1, 2, 3, 4, 5, 6
    on conflict (activation_id, day, key_id, cycle_id, status_class, counted)
      do update set calls = u.calls + excluded.calls, last_at = greatest(u.last_at, excluded.last_at);
  insert into leases as l (journal_id, activation_id, cycle_id, day, key_id, held)
    select p_journal, c.activation, c.cycle, c.day, coalesce(c.lease, ''), -sum(c.calls)
    from jsonb_to_recordset(p_calls) as c
      (activation text, day date, cycle text, lease text, counted boolean, calls integer)
    where c.counted group by 2, 3, 4, 5
    on conflict (journal_id, activation_id, cycle_id, day, key_id) do update set held = l.held + excluded.held;
end $$;

create or replace function release_quota(p_journal text, p_releases jsonb, p_answers text[])
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
    select x.activation, x.cycle, x.day, coalesce(x.key, '') as key, x.keep, coalesce(l.held, 0) as held, c.daily_quota, c.monthly_quota
    from jsonb_to_recordset(p_releases) as x (activation text, cycle text, day date, key text, keep integer)
    join cycles c on c.id = x.cycle
    left join leases l on l.journal_id = p_journal and l.activation_id = x.activation and l.cycle_id = x.cycle and l.day = x.day
      and l.key_id = coalesce(x.key, '')
  loop
    v_excess := r.held - r.keep;
    update quota_days q set taken = q.taken - v_excess where q.activation_id = r.activation and q.day = r.day
      returning greatest(r.daily_quota - q.taken, 0) into day_left;
    update quota_cycles q set taken = q.taken - v_excess where q.cycle_id = r.cycle
      returning greatest(r.monthly_quota - q.taken, 0) into cycle_left;
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

-- What became of each call, for the customer to read, for 30 days. It decides nothing: quotas and usage are counted elsewhere. Without
-- foreign keys, so that it neither holds up nor waits for what changes keys.
create table request_log (
  request_id text primary key,
  activation_id text not null,
  key_id text not null,
  at timestamptz not null,
  method text not null check (length(method) <= 20),
  -- Without a query, and without a GSTIN or what could be one.
  path text not null check (length(path) <= 300 and path !~ '[?#]' and path !~* '[0-9]{2}[a-z]{5}[0-9]{4}[a-z][0-9a-z]{3}'),
  status smallint not null,
  latency_ms integer not null check (latency_ms >= 0),
  counted boolean not null,
  -- Why it counted or did not, in one word of the gateway.
  reason text not null
);
create index request_log_activation on request_log (activation_id, at desc, request_id desc);
create index request_log_key on request_log (key_id, at desc);
create index request_log_at on request_log using brin (at);
