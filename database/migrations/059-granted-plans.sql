-- Plans that an operator granted, with the reason (product §4.25). A granted plan is a cycle without a price, an order or a document; unlike free
-- plans, whose quota belongs to customer and product, it has the quota of its terms for itself.
alter table cycles add column granted_reason text;
alter table cycles add constraint cycles_granted_check check (granted_reason is null or length(btrim(granted_reason)) between 1 and 1000
  and price_paise = 0 and status in ('NO_PAYMENT_REQUIRED', 'DEACTIVATED') and paid_at is null and adds_to is null and tenure <> 'TRIAL');
create trigger grants_stand before update on cycles
  for each row when (new.granted_reason is distinct from old.granted_reason) execute function never_change();

-- At the commit: it is in the audit log with its reason.
create function grants_are_recorded() returns trigger language plpgsql as $$
begin
  if not exists (select from operator_actions a where a.action = 'plans.grant' and a.target = new.id and a.customer_id = new.customer_id
      and a.reason = new.granted_reason) then
    raise exception 'the granted plan % is not in the audit log', new.id;
  end if;
  return null;
end $$;
create constraint trigger grants_are_recorded after insert on cycles deferrable initially deferred
  for each row when (new.granted_reason is not null) execute function grants_are_recorded();

create or replace function is_free_cycle(c cycles) returns boolean language sql immutable as $$
  select c.price_paise = 0 and c.tenure <> 'TRIAL' and c.granted_reason is null
$$;

create or replace function seal_of_cycles(r cycles) returns bytea language sql immutable as $$
  select sha256(convert_to((jsonb_build_array(r.id, r.activation_id, r.customer_id, r.service_id, r.status::text, seal_text(r.from_date),
    seal_text(r.to_date), r.plan, r.tenure, r.price_paise, r.daily_quota, r.monthly_quota, r.rps, seal_text(r.created_at), seal_text(r.paid_at),
    seal_text(r.ended_at)) || case when r.replaces is null then '[]'::jsonb else jsonb_build_array(r.replaces) end
    || case when r.adds_to is null then '[]'::jsonb else jsonb_build_array('adds to', r.adds_to) end
    || case when r.granted_reason is null then '[]'::jsonb else jsonb_build_array('granted', r.granted_reason) end)::text, 'UTF8'))
$$;
