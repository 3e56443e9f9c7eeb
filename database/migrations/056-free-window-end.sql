-- The end of the window of free quota in which a free cycle starts (decision 24); null for every other cycle.
create function free_window_end(c cycles) returns date stable language sql as $$
  select w.to_date from free_quota_windows w
  where is_free_cycle(c) and w.customer_id = c.customer_id and w.service_id = c.service_id
    and w.from_date < c.from_date and c.from_date < w.to_date
$$;
