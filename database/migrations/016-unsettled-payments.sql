-- Captured payments that could not be settled: the money is with the provider, and neither a plan nor a refund has come of it yet.
-- A row is there from the first failure until the payment is settled.
create table unsettled_payments (
  payment_id text primary key,
  order_id text not null references payment_orders,
  amount_paise bigint not null,
  since timestamptz not null,
  tries integer not null check (tries > 0),
  fault text not null
);
