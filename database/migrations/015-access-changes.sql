-- Changes of access, numbered in the order of their commits. A gateway that has not heard of one in time can't renew its lease
-- (gateway/membership.ts), so that a change takes effect everywhere by a known moment even where notifications do not arrive.
create table access_changes (
  version bigint primary key,
  changed_at timestamptz not null
);

-- How often this gateway kept its lease and did not confirm a change of access in time.
alter table gateways add column unconfirmed_changes bigint not null default 0;

-- Numbers a change and tells every gateway of it. Called last in its transaction: the lock is held until the commit.
create function announce_access_change(p_activations text[]) returns void language plpgsql as $$
declare
  v_activation text;
  v_version bigint;
begin
  perform pg_advisory_xact_lock(hashtext('access_changes'));
  insert into access_changes (version, changed_at) values (nextval('access_version'), clock_timestamp())
    returning version into v_version;
  -- Gateways look back over seconds; thousands of changes are more than enough.
  delete from access_changes where version <= v_version - 10000;
  foreach v_activation in array p_activations loop
    perform pg_notify('access', 'activation ' || v_activation);
  end loop;
  perform pg_notify('access', 'barrier ' || v_version);
end $$;
