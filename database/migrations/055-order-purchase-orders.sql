-- The purchase order that a buyer names for one payment, in place of the one in the business details. Empty: none, on purpose.
alter table payment_orders
  add column purchase_order text check (purchase_order ~ '^[0-9A-Za-z/-]{0,16}$'),
  add column purchase_order_date date,
  add check (purchase_order_date is null or purchase_order <> '');
