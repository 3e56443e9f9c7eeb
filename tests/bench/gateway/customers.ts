import { createHash } from 'node:crypto';
import { openClient } from '#shared/database/clients.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';

const batch = 10_000;

/** Creates a customer for every key, with a paid plan of `perDay` calls per day. */
export async function createCustomers(databaseUrl: string, keys: readonly string[], dailyQuota: number): Promise<void> {
  const client = openClient({ connectionString: databaseUrl });
  await client.connect();
  const today = dayOf(Date.now());
  for (let first = 0; first < keys.length; first += batch) {
    const some = keys.slice(first, first + batch);
    const hashes = some.map((key) => createHash('sha256').update(key).digest());
    const ids = hashes.map((hash) => hash.toString('hex', 0, 10));
    await client.query(
      `with customer as (
         insert into customers (id, email, name, given_name, family_name, picture, created_at)
         select 'CUS-' || id, id || '@b.example', 'A', 'A', 'A', '', now() from unnest($1::text[]) id),
       member as (
         insert into members (id, customer_id, google_sub, email, name, given_name, family_name, picture, role, joined_at, opened_at)
         select 'MEM-' || id, 'CUS-' || id, id, id || '@b.example', 'A', 'A', 'A', '', 'owner', now(), now() from unnest($1::text[]) id),
       activation as (
         insert into activations (id, customer_id, service_id, created_at)
         select 'ACT-' || id, 'CUS-' || id, 'tax-lookup-api', now() from unnest($1::text[]) id),
       cycle as (
         insert into cycles (id, activation_id, customer_id, service_id, status, from_date, to_date, plan, tenure, price_paise,
           daily_quota, monthly_quota, rps, created_at, paid_at)
         select 'CYC-' || id, 'ACT-' || id, 'CUS-' || id, 'tax-lookup-api', 'PAID', $3, $4, '{"planId":"growth","name":"Growth"}',
           'MONTHLY', 100, $5, 1000000000, 100000, now(), now() from unnest($1::text[]) id)
       insert into api_keys (id, activation_id, customer_id, name, key_hash, hint, created_at)
       select 'KEY-' || id, 'ACT-' || id, 'CUS-' || id, 'main', hash, '0000', now() from unnest($1::text[], $2::bytea[]) k (id, hash)`,
      [ids, hashes, today, addDays(today, 30), dailyQuota],
    );
  }
  await client.query('analyze');
  await client.end();
}
