-- What the GST portal's search of taxpayers said of a GSTIN that claims to belong to an SEZ: the evidence for the tax of the documents that rely on it.
create table sez_checks (
  customer_id text not null references customers,
  gstin text not null check (gstin ~ '^[0-9A-Z]{15}$'),
  checked_at timestamptz not null,
  -- OTHER: an active registration of another kind. UNKNOWN: no such registration.
  outcome text not null check (outcome in ('UNIT', 'DEVELOPER', 'OTHER', 'INACTIVE', 'UNKNOWN')),
  type_text text not null,
  answer text not null check (length(answer) <= 100000),
  answer_sha256 bytea not null,
  check (answer_sha256 = sha256(convert_to(answer, 'UTF8'))),
  -- By the answer, not by the word beside it.
  check (outcome not in ('UNIT', 'DEVELOPER') or position('SEZ' in upper(answer)) > 0 and position(gstin in upper(answer)) > 0),
  primary key (customer_id, gstin, checked_at)
);
create trigger never_changed before update or delete on sez_checks for each row execute function never_change();
create trigger never_emptied before truncate on sez_checks execute function refuse_truncate();

-- A supply to an SEZ needs the portal's last word, or without one the declaration of the buyer; an export without tax needs the declaration.
create or replace function claims_are_declared() returns trigger language plpgsql as $$
declare
  is_sez boolean := new.content ->> 'supplyType' in ('SEZWP', 'SEZWOP');
  portal_says text;
begin
  if is_sez then
    select outcome into portal_says from sez_checks
      where customer_id = new.customer_id and gstin = new.content #>> '{recipient,gstin}' order by checked_at desc limit 1;
    if portal_says in ('UNIT', 'DEVELOPER') then
      return new;
    end if;
    if portal_says is not null then
      raise exception 'document % is %, which the GST portal contradicts', new.number, new.content ->> 'supplyType';
    end if;
  end if;
  if not exists (select from tax_claims where customer_id = new.customer_id and withdrawn_at is null
    and kind = case when is_sez then 'SEZ' else 'EXPORT' end
    and about = case when is_sez then new.content #>> '{recipient,gstin}' else new.content #>> '{recipient,country}' end) then
    raise exception 'document % is %, which its buyer has not declared', new.number, new.content ->> 'supplyType';
  end if;
  return new;
end $$;
