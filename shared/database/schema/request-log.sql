-- The request log: what became of each call, for the pages of customers. It decides nothing: quotas and usage are counted elsewhere (usage.sql).
--
-- Calls of one key that ended close together lie in one row, so that a call costs a hundredth of a row: a record of 24 bytes for each, and what calls have
-- in common (method, path, status, why) once for all of them (decision 018). There are no foreign keys, so that the log neither holds up nor
-- waits for what changes keys.
--
-- Each day of India has a table of its own (decision 051): who reads some days reads no others, and a day is deleted by dropping its table. A round of the
-- portal makes the tables of the next days and drops those past their age, as the owner, who alone may.
create schema partitions;

create table request_log (
  -- Chosen by the gateway: a batch whose fate it does not know is sent again and stands once.
  id uuid not null,
  activation_id text not null,
  key_id text not null,
  -- The IST day on which all of its calls came.
  day date not null,
  -- Calls of a test key that reached the sandbox.
  test boolean not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  calls integer not null check (calls > 0),
  counted integer not null,
  -- Every status that a response in it has.
  statuses smallint[] not null check (cardinality(statuses) > 0),
  -- Method, path, status, 1 when counted, why: an entry for each sort of calls, parted by line ends. Paths are without a query, and
  -- without a GSTIN or what could be one.
  dictionary text not null,
  -- The version of the format, a byte; then a record for each call: 15 bytes of its request id, 4 of the milliseconds since 00:00 IST, 3 of its latency in ms, 2 of the place of
  -- its sort in the dictionary.
  records bytea not null,
  -- Why calls failed. An entry of `dictionary` may end with the problem of its calls, such as `quota-exceeded;rule=second;limit=10`; this counts
  -- them and the unlisted ones by code and rule, so that nobody has to read the records for an overview.
  problems jsonb not null default '{}' check (jsonb_typeof(problems) = 'object'),
  -- Refused calls of the key that have no record: only so many get one, because they use no quota that would limit them.
  unlisted integer not null default 0 check (unlisted >= 0),
  primary key (id, day),
  check (counted >= 0 and counted <= calls),
  check (from_at <= to_at and to_at <= from_at + interval '10 minutes'),
  check (day = (from_at at time zone 'Asia/Kolkata')::date and day = (to_at at time zone 'Asia/Kolkata')::date),
  constraint request_log_dictionary check (
    octet_length(dictionary) <= calls * 1000 and strpos(dictionary, '?') = 0 and strpos(dictionary, '#') = 0
    and dictionary !~* '[0-9]{2}[a-z]{5}[0-9]{4}[a-z][0-9a-z]{3}'),
  constraint request_log_records check (octet_length(records) = 1 + calls * 24 and get_byte(records, 0) = 1)
) partition by range (day);
alter table request_log alter dictionary set storage external, alter records set storage external;
create index request_log_activation on request_log (activation_id, to_at desc, id desc);
create index request_log_tests on request_log (key_id, to_at desc) where test;

-- Days that have no table of their own, so that nothing is ever refused.
create table partitions.request_log_rest partition of request_log default;

-- Makes the missing tables of these days, and moves into them what was logged before; returns how many it made. Gateways wait for at most
-- a second: where a long transaction has the table, the rest is done the next time.
create or replace function add_request_log_days(p_from date, p_until date) returns integer
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
declare
  v_day date;
  v_name text;
  v_made integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('request_log', 65)) then return 0; end if;
  for v_day in select d::date from generate_series(p_from, p_until, interval '1 day') d loop
    v_name := 'request_log_' || to_char(v_day, 'YYYYMMDD');
    continue when to_regclass('partitions.' || v_name) is not null;
    lock table partitions.request_log_rest in access exclusive mode;
    execute format('create table partitions.%I (like request_log including defaults including constraints including storage)', v_name);
    execute format('insert into partitions.%I select * from partitions.request_log_rest where day = %L', v_name, v_day);
    delete from partitions.request_log_rest where day = v_day;
    execute format('alter table request_log attach partition partitions.%I for values from (%L) to (%L)', v_name, v_day, v_day + 1);
    v_made := v_made + 1;
  end loop;
  return v_made;
exception when lock_not_available then
  return 0;
end $$;

-- Drops the tables of the days before this one; returns how many. What is left because a long transaction reads it goes the next time.
create or replace function drop_request_log_days(p_before date) returns integer
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
declare
  v_name text;
  v_dropped integer := 0;
begin
  delete from partitions.request_log_rest where day < p_before;
  for v_name in
    select relname from pg_class where relnamespace = 'partitions'::regnamespace and relkind = 'r'
      and relname ~ '^request_log_\d{8}$' and to_date(right(relname, 8), 'YYYYMMDD') < p_before order by relname
  loop
    begin
      execute format('drop table partitions.%I', v_name);
      v_dropped := v_dropped + 1;
    exception when lock_not_available then
      return v_dropped;
    end;
  end loop;
  return v_dropped;
end $$;
