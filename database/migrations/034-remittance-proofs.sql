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

create function proofs_are_of_exports() returns trigger language plpgsql as $$
begin
  if not exists (select from documents where payment_id = new.payment_id and kind in ('INVOICE', 'RECEIPT_VOUCHER')
    and content ->> 'supplyType' in ('EXPWP', 'EXPWOP')) then
    raise exception 'payment % is not for an export', new.payment_id;
  end if;
  return new;
end $$;
create trigger proofs_are_of_exports before insert or update on remittance_proofs for each row execute function proofs_are_of_exports();
create trigger never_deleted before delete on remittance_proofs for each row execute function never_change();
create trigger never_emptied before truncate on remittance_proofs execute function refuse_truncate();
