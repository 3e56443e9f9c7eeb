-- The bounds of registrations are those of a customer; rows from before have none, and are deleted after two days.
alter table products.sandbox_registrations add column customer text;
create index sandbox_registrations_customer on products.sandbox_registrations (customer, registered_at);
create index numbers_of_test_keys on products.numbers (given_at) where caller like '%/test';
