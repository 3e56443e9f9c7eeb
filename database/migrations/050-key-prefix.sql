-- The beginning of a key, by which an operator finds one that leaked; null for keys from before this column. The rest is secret still: 30 characters.
alter table api_keys add column prefix text check (prefix ~ '^gstk_(live|test)_[0-9A-Za-z]{6}$');
create index api_keys_prefix on api_keys (prefix text_pattern_ops) where prefix is not null;

create or replace function api_keys_stay_revoked() returns trigger language plpgsql as $$
begin
  if old.revoked_at is not null and new is distinct from old then
    raise exception 'key % is revoked for good', old.id;
  end if;
  if (new.id, new.activation_id, new.customer_id, new.name, new.key_hash, new.hint, new.created_at, new.test, new.prefix)
     is distinct from (old.id, old.activation_id, old.customer_id, old.name, old.key_hash, old.hint, old.created_at, old.test, old.prefix) then
    raise exception 'key % stays what it is', old.id;
  end if;
  if old.replaced_by is not null and (new.replaced_by is distinct from old.replaced_by
     or (new.expires_at is null and new.revoked_at is null) or new.expires_at > old.expires_at) then
    raise exception 'key % was replaced and ends as it was said', old.id;
  end if;
  return new;
end $$;
