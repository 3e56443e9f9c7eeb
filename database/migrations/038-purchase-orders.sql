-- The buyer's purchase order, which invoices name: as long and written as the invoice portal takes it (INV-01, PORefr).
alter table profiles
  add column purchase_order text check (purchase_order ~ '^[0-9A-Za-z/-]{1,16}$'),
  add column purchase_order_date date,
  add check (purchase_order_date is null or purchase_order is not null);
