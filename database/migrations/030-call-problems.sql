-- Why calls failed. An entry of `dictionary` may end with the problem of its calls, such as `quota-exceeded;rule=second;limit=10`; this counts
-- them by code and rule, so that nobody has to read the records for an overview. {} in batches of earlier gateways.
alter table request_batches
  add column problems jsonb not null default '{}' check (jsonb_typeof(problems) = 'object');
