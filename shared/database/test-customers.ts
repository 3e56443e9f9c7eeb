/**
 * SQL that inserts customers, each with an owner of the same number whom Google knows by the customer's id: `rows` gives id, email, name, given and
 * family name, picture and the time.
 */
export const customersSql = (rows: string): string => `
  with customer as (insert into customers (id, email, name, given_name, family_name, picture, created_at) ${rows} returning *)
  insert into members (id, customer_id, google_sub, email, name, given_name, family_name, picture, role, joined_at, opened_at)
  select 'MEM-' || substr(id, 5), id, id, email, name, given_name, family_name, picture, 'owner', created_at, created_at from customer`;
