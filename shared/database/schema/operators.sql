-- Who operates the installation in the console and over HTTP: people, their sessions, passkeys and tokens (decision 067).

-- A person. The row stays when the person is removed, so that nobody comes back through a domain, and the audit log has whom it names.
create table operators (
  id text primary key check (id like 'OPR-%'),
  -- The actor in the audit log, so it never changes; two of them, and the name of a token, fit into one actor.
  email text not null unique check (email = lower(email) and email ~ '^[^[:space:]@<>,;"]+@[^[:space:]@<>,;"]+$' and length(email) <= 95),
  -- Google's identity, from the first sign-in on: whoever gets the address later is somebody else.
  google_sub text,
  name text not null check (length(name) <= 200),
  role text not null check (role in ('owner', 'support', 'finance', 'read-only')),
  added_at timestamptz not null,
  signed_in_at timestamptz,
  removed_at timestamptz
);

-- Whoever was removed may be added with another address.
create unique index operators_identity on operators (google_sub) where removed_at is null;

-- Everybody with an account of this Google Workspace may sign in, and has this role at first.
create table operator_domains (
  domain text primary key check (domain = lower(domain) and domain ~ '^[a-z0-9-]+(\.[a-z0-9-]+)+$' and length(domain) <= 200),
  role text not null check (role in ('support', 'finance', 'read-only')),
  added_at timestamptz not null
);

create table operator_sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  operator_id text not null references operators,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  -- What a passkey must sign next, once.
  challenge text,
  challenge_until timestamptz,
  -- When a passkey last confirmed who sits there.
  proven_at timestamptz,
  check ((challenge is null) = (challenge_until is null))
);
create index operator_sessions_operator on operator_sessions (operator_id);

-- An operator sees the portal as a customer does, and changes nothing (decision 068): for 30 minutes, in the session that asked for it.
create table operator_views (
  token_hash bytea primary key check (length(token_hash) = 32),
  session_hash bytea not null references operator_sessions on delete cascade,
  customer_id text not null references customers,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at and expires_at <= created_at + interval '30 minutes')
);
create index operator_views_session on operator_views (session_hash);
create index operator_views_customer on operator_views (customer_id);

create table operator_passkeys (
  id text primary key check (id like 'PSK-%'),
  operator_id text not null references operators,
  credential_id text not null unique,
  public_key bytea not null,
  -- How often the authenticator says it signed; one that goes back is a copy.
  counter bigint not null check (counter >= 0),
  name text not null check (length(name) between 1 and 60),
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- The host of PORTAL_URL when it was added: browsers offer it nowhere else.
  host text not null check (host <> '')
);
create index operator_passkeys_operator on operator_passkeys (operator_id);

-- A program that acts for an operator, with fewer rights: the calls in `scopes`, as long as the operator may make them.
create table operator_tokens (
  id text primary key check (id like 'OTK-%'),
  operator_id text not null references operators,
  -- Part of an actor, who is nobody else.
  name text not null check (length(name) between 1 and 60 and name !~ '[(),@]'),
  token_hash bytea not null unique check (length(token_hash) = 32),
  -- Its last characters, by which people know it.
  hint text not null check (length(hint) = 4),
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index operator_tokens_operator on operator_tokens (operator_id);

-- With one key nothing is done, or asked for, twice within a week.
create table idempotency_keys (
  operator_id text not null references operators,
  idempotency_key text not null check (length(idempotency_key) between 1 and 200),
  -- The hash of the call and its input: the same key for something else is a mistake.
  asked bytea not null check (length(asked) = 32),
  request_id text not null,
  made_at timestamptz not null,
  primary key (operator_id, idempotency_key)
);

-- What was done over HTTP, beside its entry in the audit log: how much money one person moved is known.
create table operator_requests (
  request_id text primary key,
  operator_id text not null references operators,
  -- Of the entry.
  position bigint not null,
  amount_paise bigint check (amount_paise >= 0),
  made_at timestamptz not null
);
create index operator_requests_amounts on operator_requests (made_at) where amount_paise is not null;

-- An action with an amount above what one person may decide. It is performed, or declined, once; never by the one who asked for it alone.
create table approvals (
  id text primary key check (id like 'APR-%'),
  call text not null,
  input jsonb not null check (jsonb_typeof(input) = 'object'),
  customer_id text not null references customers,
  amount_paise bigint not null check (amount_paise > 0),
  reason text not null check (length(btrim(reason)) between 1 and 1000),
  requested_by text not null references operators,
  -- With which a program asked.
  token_id text references operator_tokens,
  requested_at timestamptz not null,
  state text not null check (state in ('WAITING', 'DONE', 'DECLINED')),
  approved_by text references operators,
  declined_by text references operators,
  decided_at timestamptz,
  check (approved_by <> requested_by),
  check ((approved_by is not null) = (state = 'DONE')),
  -- A restore declines too, without a person.
  check (declined_by is null or state = 'DECLINED'),
  check ((decided_at is null) = (state = 'WAITING')),
  check (decided_at >= requested_at)
);
create index approvals_waiting on approvals (requested_at) where state = 'WAITING';
create index approvals_requested on approvals (requested_at);
create index approvals_customer on approvals (customer_id);

create or replace function operators_stay() returns trigger language plpgsql as $$
begin
  if (new.id, new.email, new.added_at) is distinct from (old.id, old.email, old.added_at) then
    raise exception 'operator % stays who it is', old.id;
  end if;
  -- Whoever is added again signs in again.
  if old.google_sub is not null and new.google_sub is distinct from old.google_sub
      and not (old.removed_at is not null and new.removed_at is null and new.google_sub is null) then
    raise exception 'the identity of operator % never changes', old.id;
  end if;
  return new;
end $$;
create trigger operators_stay before update on operators for each row execute function operators_stay();

-- Two owners who remove each other wait for each other here.
create or replace function an_owner_stays() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('operators_owners'));
  if not exists (select from operators where role = 'owner' and removed_at is null) then
    raise exception 'operator % is the last owner', old.id using errcode = 'check_violation', constraint = 'operators_last_owner';
  end if;
  return null;
end $$;
create trigger an_owner_stays after update on operators for each row
  when (old.role = 'owner' and old.removed_at is null and (new.role <> 'owner' or new.removed_at is not null)) execute function an_owner_stays();

create or replace function operators_are_recorded() returns trigger language plpgsql as $$
begin
  if not exists (select from operator_actions a where a.target = new.id and is_recorded_now(a) and a.action = any (
      case when tg_op = 'INSERT' then array['operators.add', 'operators.join']
        when new.removed_at is not null then array['operators.remove']
        when old.removed_at is not null then array['operators.add']
        else array['operators.role'] end)) then
    raise exception 'the change of operator % is not in the audit log', new.id;
  end if;
  if new.removed_at is not null and (exists (select from operator_sessions where operator_id = new.id)
      or exists (select from operator_passkeys where operator_id = new.id)
      or exists (select from operator_tokens where operator_id = new.id and revoked_at is null)) then
    raise exception 'something is open to the removed operator %', new.id;
  end if;
  return null;
end $$;
create constraint trigger operators_are_recorded after insert on operators deferrable initially deferred
  for each row execute function operators_are_recorded();
create constraint trigger changes_are_recorded after update on operators deferrable initially deferred
  for each row when ((new.role, new.removed_at) is distinct from (old.role, old.removed_at)) execute function operators_are_recorded();

create or replace function operator_domains_are_recorded() returns trigger language plpgsql as $$
declare
  named text := case when tg_op = 'DELETE' then old.domain else new.domain end;
begin
  if not exists (select from operator_actions a where a.target = named and is_recorded_now(a)
      and a.action = case when tg_op = 'DELETE' then 'operator-domains.remove' else 'operator-domains.add' end) then
    raise exception 'the change of the domain % is not in the audit log', named;
  end if;
  return null;
end $$;
create constraint trigger operator_domains_are_recorded after insert or update or delete on operator_domains deferrable initially deferred
  for each row execute function operator_domains_are_recorded();

-- The lock waits for a removal under way, and a removal for what is made meanwhile. The argument is the column of the operator.
create or replace function removed_get_nothing() returns trigger language plpgsql as $$
declare
  named text := to_jsonb(new) ->> tg_argv[0];
begin
  perform from operators where id = named and removed_at is null for share;
  if not found then
    raise exception '% is not an operator', named using errcode = 'check_violation', constraint = 'operators_removed';
  end if;
  return new;
end $$;
create trigger removed_get_nothing before insert on operator_sessions for each row execute function removed_get_nothing('operator_id');
create trigger removed_get_nothing before insert on operator_passkeys for each row execute function removed_get_nothing('operator_id');
create trigger removed_get_nothing before insert on operator_tokens for each row execute function removed_get_nothing('operator_id');

create or replace function operator_views_are_recorded() returns trigger language plpgsql as $$
begin
  if not exists (select from operator_actions a where a.customer_id = new.customer_id and a.action = 'customers.see' and is_recorded_now(a)) then
    raise exception 'the view of customer % is not in the audit log', new.customer_id;
  end if;
  return null;
end $$;
create constraint trigger operator_views_are_recorded after insert on operator_views deferrable initially deferred
  for each row execute function operator_views_are_recorded();

create or replace function operator_tokens_stay() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - 'last_used_at' - 'revoked_at') is distinct from (to_jsonb(old) - 'last_used_at' - 'revoked_at')
      or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) then
    raise exception 'token % stays as it was made, and is revoked for good', old.id;
  end if;
  return new;
end $$;
create trigger operator_tokens_stay before update on operator_tokens for each row execute function operator_tokens_stay();

create or replace function approvals_stay() returns trigger language plpgsql as $$
begin
  if old.state <> 'WAITING' or (new.id, new.call, new.input, new.customer_id, new.amount_paise, new.reason, new.requested_by, new.token_id, new.requested_at)
      is distinct from (old.id, old.call, old.input, old.customer_id, old.amount_paise, old.reason, old.requested_by, old.token_id, old.requested_at) then
    raise exception 'the approval % stays as it was asked for, and is decided once', old.id;
  end if;
  return new;
end $$;
create trigger approvals_stay before update on approvals for each row execute function approvals_stay();

-- Somebody else than the one who asked, with an entry of the action in the audit log.
create or replace function approvals_are_recorded() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and new.state <> 'WAITING' then
    raise exception 'the approval % has not been asked for', new.id;
  end if;
  if new.state = 'DECLINED' and new.declined_by is null then
    if not exists (select from operator_actions a where a.target = new.id and a.action = 'approvals.decline' and is_recorded_now(a)) then
      raise exception 'the decline of the approval % is not in the audit log', new.id;
    end if;
    return new;
  end if;
  perform from operators where id = coalesce(new.approved_by, new.declined_by, new.requested_by) and removed_at is null for share;
  if not found then
    raise exception 'the approval % is of nobody who is an operator', new.id;
  end if;
  if new.state = 'DONE' and not exists (select from operator_actions a where a.customer_id = new.customer_id and is_recorded_now(a)) then
    raise exception 'the action of the approval % is not in the audit log', new.id;
  end if;
  return new;
end $$;
create trigger approvals_are_recorded before insert or update on approvals for each row execute function approvals_are_recorded();

create trigger never_deleted before delete on operators for each row execute function never_change();
create trigger never_emptied before truncate on operators execute function refuse_truncate();
create trigger never_deleted before delete on operator_tokens for each row execute function never_change();
create trigger goes_with_customer before delete on approvals for each row execute function goes_with_customer();
create trigger never_emptied before truncate on approvals execute function refuse_truncate();
create trigger erased_get_nothing before insert on approvals for each row execute function erased_get_nothing();
create trigger erased_get_nothing before insert on operator_views for each row execute function erased_get_nothing();

-- Each sign-in writes the operator again, mostly as it was.
create trigger sealed after insert or delete on operators for each row execute function seal_record('id');
create trigger sealed_again after update on operators for each row
  when ((new.id, new.email, new.google_sub, new.role, new.added_at, new.removed_at) is distinct from
    (old.id, old.email, old.google_sub, old.role, old.added_at, old.removed_at)) execute function seal_record('id');
-- A domain may be added again: only the audit log says that it went.
create trigger sealed after insert or update on operator_domains for each row execute function seal_record('domain');
create trigger sealed after insert or delete or update of id, operator_id, credential_id, public_key, name, created_at on operator_passkeys
  for each row execute function seal_record('id');
create trigger sealed after insert or delete on operator_tokens for each row execute function seal_record('id');
create trigger sealed_again after update on operator_tokens for each row
  when ((to_jsonb(new) - 'last_used_at') is distinct from (to_jsonb(old) - 'last_used_at')) execute function seal_record('id');
create trigger sealed after insert or update on operator_requests for each row execute function seal_record('request_id');
create trigger sealed after insert or update or delete on approvals for each row execute function seal_record('id');
