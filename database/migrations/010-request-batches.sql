-- The request log, in batches: calls of one key that ended close together lie in one row, so that a call costs a hundredth of a row.
-- It decides nothing: quotas and usage are counted elsewhere. Without foreign keys, so that it neither holds up nor waits for what
-- changes keys.
create table request_batches (
  -- Chosen by the gateway: a batch whose fate it does not know is sent again and stands once.
  id uuid primary key,
  activation_id text not null,
  key_id text not null,
  -- The IST day on which all of its calls came.
  day date not null,
  -- Calls of a test key that reached the sandbox.
  test boolean not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  calls integer not null check (calls > 0),
  counted integer not null check (counted between 0 and calls),
  -- Every status that an answer in it has.
  statuses smallint[] not null check (cardinality(statuses) > 0),
  -- A line for each call: request id, epoch milliseconds, method, path, status, latency in ms, 1 when counted, why. Paths are without a
  -- query, and without a GSTIN or what could be one.
  lines text not null,
  constraint request_batches_lines check (
    octet_length(lines) <= calls * 460 and strpos(lines, '?') = 0 and strpos(lines, '#') = 0
    and lines !~* '[0-9]{2}[a-z]{5}[0-9]{4}[a-z][0-9a-z]{3}'
  ),
  check (from_at <= to_at and to_at <= from_at + interval '10 minutes'),
  check (
    day = (from_at at time zone 'Asia/Kolkata')::date and day = (to_at at time zone 'Asia/Kolkata')::date
  )
);
-- Packing it would cost more than all the rest of writing it.
alter table request_batches alter lines set storage external;
create index request_batches_activation on request_batches (activation_id, to_at desc, id desc);
create index request_batches_tests on request_batches (key_id, to_at desc) where test;
create index request_batches_day on request_batches using brin (day);

insert into request_batches
select gen_random_uuid(), activation_id, key_id, (at at time zone 'Asia/Kolkata')::date, reason = 'test', min(at), max(at), count(*),
  count(*) filter (where counted), array_agg(distinct status),
  string_agg(
    concat_ws(' ', request_id, (extract(epoch from at) * 1000)::bigint, method, path, status, latency_ms, counted::int, reason) || e'\n',
    '' order by at
  )
from request_log
group by activation_id, key_id, (at at time zone 'Asia/Kolkata')::date, reason = 'test', date_bin('5 minutes', at, 'epoch');

drop table request_log;
