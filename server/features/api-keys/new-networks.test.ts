import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKey, listApiKeys, revokeApiKey } from '#shared/contract/api-keys.ts';
import { activateProduct } from '#shared/contract/marketplace.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { announceNewNetworks } from './api-keys.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
});
afterAll(() => portal.close());

async function newKey(isTest = false) {
  const token = await portal.newCustomer();
  const params = await portal.ask(activateProduct, { params: { id: 'tax-lookup-api' } }, token);
  const made = await portal.ask(createApiKey, { params, body: { keyName: 'prod1', isTest } }, token);
  const use = (address: string, agoSeconds = 0, client = 'curl/8.5.0') =>
    sql`insert into key_clients (key_id, network, address, client, first_at, last_at)
      values (${made.id}, network_of(${address}::inet), ${address}, ${client}, now() - make_interval(secs => ${agoSeconds}), now() - make_interval(secs => ${agoSeconds}))`.execute(
      portal.portal.db,
    );
  const mails = async () => {
    await announceNewNetworks(portal.portal);
    const found = await portal.portal.db
      .selectFrom('mails')
      .select(['subject', 'body_text'])
      .where('dedupe_key', 'like', `key-network:${made.id}:%`)
      .execute();
    return found.map(({ subject, body_text: text }) => ({ subject, text }));
  };
  return { token, params: { activationId: params.activationId }, keyId: made.id, use, mails };
}

test('the first use of a key from a new network is mailed, its first network is not', async () => {
  const { use, mails } = await newKey();
  await use('203.0.113.7', 60);
  expect(await mails()).toEqual([]);
  await use('198.51.100.1', 30, '');
  const [mail] = await mails();
  expect(mail?.subject).toBe('API key prod1: first use from a new network');
  expect(mail?.text).toContain('198.51.100.1');
  await use('192.0.2.1');
  expect(await mails()).toHaveLength(1);
});

test('a revoked key, a test key and a key of many networks are not mailed about', async () => {
  const revoked = await newKey();
  await revoked.use('203.0.113.7', 60);
  await portal.ask(revokeApiKey, { params: { ...revoked.params, keyId: revoked.keyId } }, revoked.token);
  await revoked.use('198.51.100.1');
  expect(await revoked.mails()).toEqual([]);

  const trial = await newKey(true);
  for (const address of ['203.0.113.7', '198.51.100.1']) await trial.use(address);
  expect(await trial.mails()).toEqual([]);

  const many = await newKey();
  for (let network = 0; network < 11; network += 1) await many.use(`10.0.${network}.1`, 100 - network);
  await sql`update key_clients set announced = true where key_id = ${many.keyId}`.execute(portal.portal.db);
  await many.use('198.51.100.1');
  expect(await many.mails()).toEqual([]);
});

test('each key has the address and client of its last use', async () => {
  const { token, params, use } = await newKey();
  const lastClient = async () => (await portal.ask(listApiKeys, { params }, token))[0]?.lastClient;
  expect(await lastClient()).toBeNull();
  await use('203.0.113.7', 60, 'old/1');
  await use('2001:db8::1', 10, 'python-requests/2.32');
  expect(await lastClient()).toMatchObject({ address: '2001:db8::1', client: 'python-requests/2.32' });
});

test('a customer whose key is used from thousands of networks does not keep another’s mail waiting', async () => {
  const [many, other] = [await newKey(), await newKey()];
  await sql`insert into key_clients (key_id, network, address, client, first_at, last_at)
    select ${many.keyId}, network_of(a), a, 'curl', now() - interval '1 hour', now() - interval '1 hour'
    from (select ('10.' || n / 250 || '.' || n % 250 || '.1')::inet as a from generate_series(1, 2000) n) as s`.execute(
    portal.portal.db,
  );
  await other.use('203.0.113.7', 60);
  await other.use('198.51.100.1');
  expect(await other.mails()).toHaveLength(1);
});
