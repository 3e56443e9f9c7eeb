-- Who acts for a customer: people, known by Google's `sub`, each with a role, and their sessions (decision 079).
--
-- A customer that is not erased has exactly one owner, whose address and name are those of the customer: the index below allows no second one, and
-- `one_owner` is asked at the commit. A person is in a customer once, and may be in several. Whoever was removed gets nothing more: the removal deletes the
-- sessions and passkeys, and `removed_members_get_nothing` waits for one under way.

create table members (
  id text primary key check (id like 'MEM-%'),
  customer_id text not null references customers,
  -- The identity is Google's `sub`, never the e-mail address.
  google_sub text not null,
  email text not null,
  name text not null,
  given_name text not null,
  family_name text not null,
  picture text not null,
  -- The Google Workspace of the account; personal accounts have none.
  domain text,
  role text not null check (role in ('owner', 'developer', 'accountant', 'viewer')),
  joined_at timestamptz not null,
  -- When the person last chose this customer: a sign-in leads to the one of the last choice.
  opened_at timestamptz not null,
  removed_at timestamptz,
  -- Kinds of mails that the member does without, and those that it wants beyond what its role gets. Which it may have its role says, at each mail
  -- (shared/policies/members/mails.ts).
  mails_off text[] not null default '{}' check (mails_off <@ array['cycle.ending', 'quota.reached', 'payment.failed', 'refund.completed', 'webhook.disabled',
    'support.answered', 'papers', 'bills', 'renewals', 'service', 'keys']),
  mails_on text[] not null default '{}' check (mails_on <@ array['cycle.ending', 'quota.reached', 'payment.failed', 'refund.completed', 'webhook.disabled',
    'support.answered', 'papers', 'bills', 'renewals', 'service', 'keys']),
  -- The most that calls with all keys that the member made may use in a day, in every activation (decision 012); null for no limit. It stays with the keys
  -- of a member who was removed: a removal must not let them use more.
  daily_limit integer check (daily_limit > 0)
);
create unique index members_person on members (google_sub, customer_id) where removed_at is null;
create unique index members_owner on members (customer_id) where role = 'owner' and removed_at is null;
create index members_customer on members (customer_id);

create table sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  member_id text not null references members,
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
create index sessions_member on sessions (member_id);

-- Of a member, for one customer: what is removed there stays elsewhere. As those of operators (operators.sql).
create table member_passkeys (
  id text primary key check (id like 'PSK-%'),
  customer_id text not null references customers,
  member_id text not null references members,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null check (counter >= 0),
  name text not null check (length(name) between 1 and 60),
  created_at timestamptz not null,
  last_used_at timestamptz,
  host text not null check (host <> '')
);
create index member_passkeys_member on member_passkeys (member_id);
create index member_passkeys_customer on member_passkeys (customer_id);

-- At the commit, so that ownership can pass on in two steps.
create or replace function one_owner() returns trigger language plpgsql as $$
declare
  named text := coalesce(to_jsonb(new) ->> 'customer_id', new.id);
begin
  if not is_erased(named) and not exists (select from members m join customers c on c.id = m.customer_id
      where m.customer_id = named and m.role = 'owner' and m.removed_at is null
        and (c.email, c.name, c.given_name, c.family_name, c.picture) = (m.email, m.name, m.given_name, m.family_name, m.picture)) then
    raise exception 'customer % has no owner, or shows another person', named using errcode = 'check_violation', constraint = 'customers_owner';
  end if;
  return null;
end $$;
create constraint trigger one_owner after insert on customers deferrable initially deferred for each row execute function one_owner();
create constraint trigger one_owner_shown after update on customers deferrable initially deferred
  for each row when ((new.email, new.name, new.given_name, new.family_name, new.picture) is distinct from
    (old.email, old.name, old.given_name, old.family_name, old.picture)) execute function one_owner();
create constraint trigger one_owner after update on members deferrable initially deferred
  for each row when (old.role = 'owner' and old.removed_at is null) execute function one_owner();

create or replace function customers_show_owner() returns trigger language plpgsql as $$
begin
  update customers set email = new.email, name = new.name, given_name = new.given_name, family_name = new.family_name, picture = new.picture
    where id = new.customer_id and erased_at is null and (email, name, given_name, family_name, picture)
      is distinct from (new.email, new.name, new.given_name, new.family_name, new.picture);
  return null;
end $$;
create trigger customers_show_owner after insert or update on members for each row
  when (new.role = 'owner' and new.removed_at is null) execute function customers_show_owner();

create or replace function members_stay() returns trigger language plpgsql as $$
begin
  if (new.id, new.customer_id, new.joined_at) is distinct from (old.id, old.customer_id, old.joined_at) then
    raise exception 'member % stays who it is', old.id;
  end if;
  if new.google_sub <> old.google_sub and (new.google_sub, new.email) is distinct from ('erased:' || new.id, new.id || '@erased.invalid') then
    raise exception 'the identity of member % never changes', old.id;
  end if;
  if old.removed_at is not null and (new.removed_at is distinct from old.removed_at or new.role <> old.role) then
    raise exception 'member % was removed for good', old.id;
  end if;
  if new.google_sub like 'erased:%' and new.removed_at is null then
    raise exception 'member % is erased and not removed', old.id;
  end if;
  return new;
end $$;
create trigger members_stay before update on members for each row execute function members_stay();

create or replace function sessions_end_with_member() returns trigger language plpgsql as $$
begin
  delete from sessions where member_id = new.id;
  delete from member_passkeys where member_id = new.id;
  return null;
end $$;
create trigger sessions_end_with_member after update on members for each row
  when (old.removed_at is null and new.removed_at is not null) execute function sessions_end_with_member();

-- The lock waits for a removal under way, and a removal for what is made meanwhile.
create or replace function removed_members_get_nothing() returns trigger language plpgsql as $$
begin
  perform from members where id = new.member_id and removed_at is null for share;
  if not found then
    raise exception '% is not a member', new.member_id using errcode = 'check_violation', constraint = 'members_removed';
  end if;
  return new;
end $$;
create trigger removed_members_get_nothing before insert on sessions for each row execute function removed_members_get_nothing();
create trigger removed_members_get_nothing before insert on member_passkeys for each row execute function removed_members_get_nothing();

create trigger erased_get_nothing before insert on members for each row execute function erased_get_nothing();
create trigger never_deleted before delete on members for each row execute function never_change();
create trigger never_emptied before truncate on members execute function refuse_truncate();

-- Each sign-in writes the member again, mostly as it was.
create trigger sealed after insert or delete on members for each row execute function seal_record('id');
create trigger sealed_again after update on members for each row
  when ((new.id, new.customer_id, new.google_sub, new.email, new.role, new.joined_at, new.removed_at, new.daily_limit) is distinct from
    (old.id, old.customer_id, old.google_sub, old.email, old.role, old.joined_at, old.removed_at, old.daily_limit)) execute function seal_record('id');
create trigger noted_for_ledger after update on members for each row
  when ((new.google_sub, new.email, new.role, new.removed_at, new.daily_limit) is distinct from
    (old.google_sub, old.email, old.role, old.removed_at, old.daily_limit))
  execute function note_ledger_change('customer');
alter table members enable always trigger noted_for_ledger;

create trigger erased_get_nothing before insert on member_passkeys for each row execute function erased_get_nothing();
create trigger sealed after insert or delete or update of id, customer_id, member_id, credential_id, public_key, name, created_at on member_passkeys
  for each row execute function seal_record('id');
create trigger noted_for_ledger after insert or delete or update of id, customer_id, member_id, credential_id, public_key, name, created_at on member_passkeys
  for each row execute function note_ledger_change('customer');
alter table member_passkeys enable always trigger noted_for_ledger;

-- What members did, by the name of the call: the customer's own log, in the transaction of each effect where that is one. What operators did is in theirs.
create table member_actions (
  position bigint generated always as identity primary key,
  customer_id text not null references customers,
  member_id text not null references members,
  acted_at timestamptz not null,
  action text not null check (length(action) between 1 and 60),
  -- The id of what it was done to.
  target text check (length(target) <= 80)
);
create index member_actions_customer on member_actions (customer_id, acted_at);
create trigger removed_members_get_nothing before insert on member_actions for each row execute function removed_members_get_nothing();
create trigger erased_get_nothing before insert on member_actions for each row execute function erased_get_nothing();
create trigger never_changed before update on member_actions for each row execute function never_change();
create trigger goes_with_customer before delete on member_actions for each row execute function goes_with_customer();
create trigger never_emptied before truncate on member_actions execute function refuse_truncate();
create trigger sealed after insert or delete on member_actions for each row execute function seal_record('position');

-- Who may become a member, by the Google address. A colleague who asked waits until the owner invites; an invitation as owner offers the ownership, by the owner
-- or, when nobody reaches the owner, by the provider, and then is of use only after a week in which the owner may revoke it.
create table member_invitations (
  id text primary key check (id like 'INV-%'),
  customer_id text not null references customers,
  email text not null check (length(email) <= 254),
  -- As Google compares addresses (shared/domain/google-address.ts).
  address text not null,
  role text not null check (role in ('owner', 'developer', 'accountant', 'viewer')),
  -- What the owner becomes who offers the ownership.
  former_role text check (former_role in ('developer', 'accountant', 'viewer')),
  -- The name of the colleague who asked, and when.
  name text,
  asked_at timestamptz,
  invited_at timestamptz,
  -- Null: by the provider.
  invited_by text references members,
  starts_at timestamptz,
  ends_at timestamptz,
  ended_at timestamptz,
  -- SILENCED: declined by an address that wants no more of them, from anybody.
  outcome text check (outcome in ('ACCEPTED', 'DECLINED', 'SILENCED', 'REVOKED')),
  -- Who accepted.
  member_id text references members,
  check ((ended_at is null) = (outcome is null)),
  check ((member_id is not null) = (outcome is not distinct from 'ACCEPTED')),
  check ((role = 'owner') = (former_role is not null)),
  check ((name is null) = (asked_at is null)),
  check (coalesce(asked_at, invited_at) is not null),
  check ((invited_at is null) = (starts_at is null) and (invited_at is null) = (ends_at is null)),
  check (invited_by is not null or invited_at is null or role = 'owner'),
  check (invited_at is not null or outcome is distinct from 'ACCEPTED'),
  check (ends_at > starts_at and ends_at <= starts_at + interval '7 days'),
  check (invited_by is not null or starts_at is null or starts_at >= invited_at + interval '7 days')
);
create unique index member_invitations_open on member_invitations (customer_id, address) where ended_at is null and role <> 'owner';
create unique index member_invitations_owner on member_invitations (customer_id) where ended_at is null and role = 'owner';
create index member_invitations_address on member_invitations (address);
create index member_invitations_customer on member_invitations (customer_id);

create or replace function member_invitations_stay() returns trigger language plpgsql as $$
begin
  -- Who left or was removed takes the own address along.
  if old.ended_at is not null and new.email = new.id || '@erased.invalid'
    and (to_jsonb(new) - '{email,address,name}'::text[]) = (to_jsonb(old) - '{email,address,name}'::text[]) then
    return new;
  end if;
  if (new.id, new.customer_id, new.email, new.address, new.name, new.asked_at) is distinct from
      (old.id, old.customer_id, old.email, old.address, old.name, old.asked_at) or old.ended_at is not null
    or old.invited_at is not null and (new.role, new.former_role, new.invited_at, new.invited_by, new.starts_at, new.ends_at) is distinct from
      (old.role, old.former_role, old.invited_at, old.invited_by, old.starts_at, old.ends_at) then
    raise exception 'invitation % stays as it was made, and ends once', old.id;
  end if;
  return new;
end $$;
create trigger member_invitations_stay before update on member_invitations for each row execute function member_invitations_stay();
create trigger erased_get_nothing before insert on member_invitations for each row execute function erased_get_nothing();
create trigger goes_with_customer before delete on member_invitations for each row execute function goes_with_customer();
create trigger never_emptied before truncate on member_invitations execute function refuse_truncate();
create trigger sealed after insert or update or delete on member_invitations for each row execute function seal_record('id');
