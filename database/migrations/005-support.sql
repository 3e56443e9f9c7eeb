-- What customers write to the provider. Kept here and mailed; never changed.
create table support_messages (
  id text primary key check (id like 'SUP-%'),
  customer_id text not null references customers,
  activation_id text references activations,
  subject text not null check (length(subject) between 1 and 120),
  message text not null check (length(message) between 1 and 5000),
  created_at timestamptz not null
);
create index support_messages_customer on support_messages (customer_id, created_at);
create trigger support_messages_never_change before update or delete on support_messages
  for each row execute function never_change();
