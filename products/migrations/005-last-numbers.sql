-- The newest number of a customer's series. Its activations have the numbers, and one of them may be deleted.
alter table products.series add column last_number text;
