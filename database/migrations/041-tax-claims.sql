-- Claims that decide the tax: a unit of an SEZ, a recipient outside India. Each is declared on a day with a letter, and kept: documents rely on it.
create table tax_claims (
  id text primary key check (id like 'CLM-%'),
  customer_id text not null references customers,
  kind text not null check (kind in ('SEZ', 'EXPORT')),
  -- The GSTIN of the SEZ, or the country.
  about text not null check (case kind when 'SEZ' then about ~ '^[0-9A-Z]{15}$' else about ~ '^[A-Z]{2}$' and about <> 'IN' end),
  declared_on date not null,
  declared_at timestamptz not null,
  letter_name text not null check (length(letter_name) between 1 and 120 and letter_name !~ '[[:cntrl:]/\\]'),
  letter_type text not null check (letter_type in ('application/pdf', 'image/jpeg', 'image/png')),
  letter_bytes integer not null,
  letter bytea not null,
  letter_sha256 bytea not null,
  withdrawn_at timestamptz,
  check (letter_bytes = octet_length(letter) and letter_bytes between 1 and 1000000),
  check (letter_sha256 = sha256(letter)),
  -- By its content, not by its name.
  check (case letter_type
    when 'application/pdf' then substring(letter for 5) = '\x255044462d'
    when 'image/jpeg' then substring(letter for 3) = '\xffd8ff'
    when 'image/png' then substring(letter for 8) = '\x89504e470d0a1a0a'
    else false end),
  check (declared_on = (declared_at at time zone 'Asia/Kolkata')::date and withdrawn_at >= declared_at)
);
create unique index tax_claims_current on tax_claims (customer_id, kind, about) where withdrawn_at is null;

create function tax_claims_stand() returns trigger language plpgsql as $$
begin
  if old.withdrawn_at is not null or to_jsonb(new) - 'withdrawn_at' is distinct from to_jsonb(old) - 'withdrawn_at' then
    raise exception 'declaration % can only be withdrawn', old.id;
  end if;
  return new;
end $$;
create trigger tax_claims_stand before update on tax_claims for each row execute function tax_claims_stand();
create trigger never_deleted before delete on tax_claims for each row execute function never_change();
create trigger never_emptied before truncate on tax_claims execute function refuse_truncate();

-- A supply to an SEZ, and an export without tax, need the declaration of the buyer.
create function claims_are_declared() returns trigger language plpgsql as $$
declare
  is_sez boolean := new.content ->> 'supplyType' in ('SEZWP', 'SEZWOP');
begin
  if not exists (select from tax_claims where customer_id = new.customer_id and withdrawn_at is null
    and kind = case when is_sez then 'SEZ' else 'EXPORT' end
    and about = case when is_sez then new.content #>> '{recipient,gstin}' else new.content #>> '{recipient,country}' end) then
    raise exception 'document % is %, which its buyer has not declared', new.number, new.content ->> 'supplyType';
  end if;
  return new;
end $$;
create trigger claims_are_declared before insert on documents
  for each row when (new.kind in ('INVOICE', 'RECEIPT_VOUCHER') and new.content ->> 'supplyType' in ('SEZWP', 'SEZWOP', 'EXPWOP'))
  execute function claims_are_declared();
