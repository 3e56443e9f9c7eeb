-- What one customer creates is read in bounded parts: the keys that ended last, the keys made in a day, the messages written in a day, and
-- the replies to a customer.
create index api_keys_ended on api_keys (activation_id, revoked_at);
create index api_keys_made on api_keys (customer_id, created_at);
drop index api_keys_customer;
create index support_messages_customer on support_messages (customer_id, author, created_at);
