-- Why a sale bears no tax, and what proves it: declarations of SEZs and buyers abroad, what the GST portal says of them, the provider's letters of undertaking,
-- and proof that exports were paid.

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
create index tax_claims_of_customer on tax_claims (customer_id, declared_at);

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
  -- A seal names its record by one column.
  id bigint generated always as identity,
  check (answer_sha256 = sha256(convert_to(answer, 'UTF8'))),
  -- By the answer, not by the word beside it.
  check (outcome not in ('UNIT', 'DEVELOPER') or position('SEZ' in upper(answer)) > 0 and position(gstin in upper(answer)) > 0),
  primary key (customer_id, gstin, checked_at)
);

-- The provider's letters of undertaking under which documents were issued without tax (IGST Act s.16, Rule 96A): one financial year each.
create table letters_of_undertaking (
  arn text primary key,
  from_date date not null,
  last_date date not null,
  check (from_date <= last_date),
  check (extract(year from from_date - interval '3 months') = extract(year from last_date - interval '3 months'))
);

-- Proof that an export was paid for from abroad (IGST Act s.2(6), Rule 96A), one per payment; one paper may prove several payments.
create table remittance_proofs (
  payment_id text primary key references payments,
  kind text not null check (kind in ('FIRC', 'FIRA', 'BRC', 'OTHER')),
  reference text not null check (reference ~ '^\S(.{0,98}\S)?$'),
  received_on date not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- In its currency, which may have up to three decimals.
  amount text not null check (amount ~ '^\d{1,15}(\.\d{1,3})?$' and amount::numeric > 0),
  recorded_at timestamptz not null,
  check (received_on <= (recorded_at at time zone 'Asia/Kolkata')::date)
);

create or replace function proofs_are_of_exports() returns trigger language plpgsql as $$
begin
  if not exists (select from documents where payment_id = new.payment_id and kind in ('INVOICE', 'RECEIPT_VOUCHER')
    and content ->> 'supplyType' in ('EXPWP', 'EXPWOP')) then
    raise exception 'payment % is not for an export', new.payment_id;
  end if;
  return new;
end $$;
create trigger proofs_are_of_exports before insert or update on remittance_proofs for each row execute function proofs_are_of_exports();

create or replace function tax_claims_stand() returns trigger language plpgsql as $$
begin
  if old.withdrawn_at is not null or to_jsonb(new) - 'withdrawn_at' is distinct from to_jsonb(old) - 'withdrawn_at' then
    raise exception 'declaration % can only be withdrawn', old.id;
  end if;
  return new;
end $$;
create trigger tax_claims_stand before update on tax_claims for each row execute function tax_claims_stand();

-- Letters are kept for good, so a customer can store only so many: at most 5 in 30 days and 10 in 365 days.
create or replace function has_too_many_letters(p_customer text, p_at timestamptz) returns boolean language sql stable as $$
  select count(*) filter (where declared_at > p_at - interval '30 days') >= 5 or count(*) >= 10
  from tax_claims where customer_id = p_customer and declared_at > p_at - interval '365 days'
$$;

create or replace function letters_are_few() returns trigger language plpgsql as $$
begin
  -- Declarations of one customer wait for each other.
  perform from customers where id = new.customer_id for no key update;
  if has_too_many_letters(new.customer_id, new.declared_at) then
    raise exception 'too many letters were stored';
  end if;
  return new;
end $$;
create trigger letters_are_few before insert on tax_claims for each row execute function letters_are_few();

create trigger never_deleted before delete on tax_claims for each row execute function never_change();
create trigger never_emptied before truncate on tax_claims execute function refuse_truncate();
create trigger erased_get_nothing before insert on tax_claims for each row execute function erased_get_nothing();
create trigger sealed after insert or update or delete on tax_claims for each row execute function seal_record('id');
-- For the check of each minute.
create trigger noted_for_ledger after insert or update or delete on tax_claims for each row execute function note_ledger_change('customer');
alter table tax_claims enable always trigger noted_for_ledger;
create trigger never_changed before update or delete on sez_checks for each row execute function never_change();
create trigger never_emptied before truncate on sez_checks execute function refuse_truncate();
create trigger sealed after insert or update or delete on sez_checks for each row execute function seal_record('id');
create trigger noted_for_ledger after insert or update or delete on sez_checks for each row execute function note_ledger_change('customer');
alter table sez_checks enable always trigger noted_for_ledger;
create trigger erased_get_nothing before insert on sez_checks for each row execute function erased_get_nothing();
create trigger sealed after insert or update or delete on letters_of_undertaking for each row execute function seal_record('arn');
create trigger never_deleted before delete on remittance_proofs for each row execute function never_change();
create trigger never_emptied before truncate on remittance_proofs execute function refuse_truncate();
create trigger sealed after insert or update or delete on remittance_proofs for each row execute function seal_record('payment_id');
