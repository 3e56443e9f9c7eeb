-- A customer's accountant: asked once, confirmed by them, stopped by either.

-- The accountant who gets a customer's papers of each month by mail, after following the link of the first mail. One row per request; the rule about
-- how often may be asked is that of shared/domain/accountant.ts.
create table accountants (
  id text primary key check (id like 'ACN-%'),
  customer_id text not null references customers,
  email text not null check (email = lower(email) and email ~ '^[^[:space:]@<>,;"]+@[^[:space:]@<>,;"]+$' and length(email) <= 254),
  asked_at timestamptz not null,
  confirmed_at timestamptz,
  -- The first month whose papers were neither sent nor missing.
  next_month text check (next_month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  ended_at timestamptz,
  ended_by text check (ended_by in ('CUSTOMER', 'ACCOUNTANT')),
  check ((confirmed_at is null) = (next_month is null)),
  check ((ended_at is null) = (ended_by is null)),
  check (confirmed_at >= asked_at and ended_at >= asked_at)
);
create unique index accountants_current on accountants (customer_id) where ended_at is null;
create index accountants_due on accountants (next_month) where ended_at is null and next_month is not null;
create index accountants_by_customer on accountants (customer_id, asked_at);
create index accountants_by_email on accountants (email, asked_at);

-- A request that the accountant confirmed was welcome: an accountant of many customers is asked by each of them.
create or replace function accountants_are_asked() returns trigger language plpgsql as $$
begin
  -- Requests to one address, and those of one customer, wait for each other.
  perform pg_advisory_xact_lock(hashtextextended('accountant ' || each, 0))
    from unnest(array[least(new.email, new.customer_id), greatest(new.email, new.customer_id)]) as each;
  if new.confirmed_at is not null or new.ended_at is not null then
    raise exception 'a request to an accountant is neither confirmed nor ended when it is made';
  end if;
  if exists (select from accountants where customer_id = new.customer_id and email = new.email and ended_by = 'ACCOUNTANT'
    and ended_at > new.asked_at - interval '365 days') then
    raise exception 'the accountant declined' using constraint = 'accountants_declined';
  end if;
  if (select count(*) from accountants where customer_id = new.customer_id and confirmed_at is null
      and asked_at > new.asked_at - interval '30 days') >= 3
    or (select count(*) from accountants where email = new.email and confirmed_at is null
      and asked_at > new.asked_at - interval '30 days') >= 3 then
    raise exception 'accountants were asked too often' using constraint = 'accountants_asked_too_often';
  end if;
  return new;
end $$;
create trigger accountants_are_asked before insert on accountants for each row execute function accountants_are_asked();

create or replace function accountants_stand() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - array['confirmed_at', 'next_month', 'ended_at', 'ended_by'] is distinct from
      to_jsonb(old) - array['confirmed_at', 'next_month', 'ended_at', 'ended_by']
    or old.ended_at is not null
    or (old.confirmed_at is not null and new.confirmed_at is distinct from old.confirmed_at)
    or new.next_month < old.next_month then
    raise exception 'accountant % can only be confirmed once, sent the next month, and ended', old.id;
  end if;
  return new;
end $$;
create trigger accountants_stand before update on accountants for each row execute function accountants_stand();

create trigger erased_get_nothing before insert on accountants for each row execute function erased_get_nothing();
create trigger sealed after insert or update or delete on accountants for each row execute function seal_record('id');
create trigger noted_for_ledger after insert or update or delete on accountants for each row execute function note_ledger_change('customer');
alter table accountants enable always trigger noted_for_ledger;
