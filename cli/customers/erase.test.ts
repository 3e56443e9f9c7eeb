import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { readAccount } from '#shared/contract/account.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { addCycle } from '#shared/contract/cycles.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { createOrder } from '#shared/contract/payments.ts';
import { dayOf } from '#shared/domain/day.ts';
import { monthOf } from '#shared/domain/month.ts';
import { finishDocument, readGstReturns } from '#server/features/documents/documents.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { sweepErased } from '#server/features/privacy/privacy.ts';
import { personalTables } from '#shared/database/table-facts.ts';
import { listeningPort, spawnTestGateway, type TestGateway } from '#server/test/gateway.ts';
import { ownEverything } from '#server/test/owned.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
let gateways: TestGateway[];
const api = createServer((_req, res) => void res.end('{}'));
const dataDir = mkdtempSync(join(tmpdir(), 'octroi-erase-'));
let out = '';
let errors = '';

beforeAll(async () => {
  portal = await startTestPortal();
  const port = await listeningPort(api);
  gateways = await Promise.all(
    ['first', 'second'].map((name) =>
      spawnTestGateway({
        DATABASE_URL: portal.portal.settings.databaseUrl,
        DATA_DIR: join(dataDir, name),
        UPSTREAM_TAX_LOOKUP_API: `http://127.0.0.1:${port}`,
      }),
    ),
  );
  vi.stubEnv('DATABASE_URL', portal.portal.settings.databaseUrl);
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    errors += String(text);
    return true;
  });
});
beforeEach(() => {
  out = '';
  errors = '';
});
afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await Promise.all(gateways.map(({ stop }) => stop()));
  api.closeAllConnections();
  await once(api.close(), 'close');
  await portal.close();
  rmSync(dataDir, { recursive: true });
});

async function everywhere(key: string): Promise<number[]> {
  return Promise.all(
    gateways.map(async ({ url }) => {
      const { statusCode, body } = await request(`${url}/tax-lookup/v1/ok`, { headers: { 'x-api-key': key } });
      await body.dump();
      return statusCode;
    }),
  );
}

/** The tables with a text somewhere in their rows. */
async function tablesWith(text: string): Promise<string[]> {
  const { db } = portal.portal;
  const { rows: tables } = await sql<{
    name: string;
  }>`select table_schema || '.' || table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(db);
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } =
      await sql`select 1 from ${sql.table(name)} t where strpos(to_jsonb(t)::text, ${text}) > 0 limit 1`.execute(db);
    if (rows.length > 0) found.push(name.replace(/^public\./, ''));
  }
  return found.toSorted();
}

const because = ['--reason', 'Asked by the customer', '--actor', 'asha', '--within-year'];
const legalName = 'Zyxwa Traders';

test('an erased customer is refused by every gateway at once, only what the law keeps names the customer, and the books are the same', async () => {
  const { db } = portal.portal;
  const token = await portal.newCustomer({ ...sampleProfile, legalName, phone: '+919812345678' });
  const { user } = await portal.ask(readAccount, {}, token);
  const own = await ownEverything(portal, token, 'tax-lookup-api');
  await finishDocument(portal.portal, own.document);
  const { apiKey } = await portal.ask(
    createApiKey,
    { params: { activationId: own.activation }, body: { keyName: 'erase' } },
    token,
  );
  const stranger = await portal.newCustomer({ ...sampleProfile, legalName: 'Others' });
  expect(await everywhere(apiKey)).toEqual([200, 200]);
  await expect.poll(() => tablesWith(own.activation)).toContain('request_log');
  // Razorpay's messages are processed in the background.
  await expect
    .poll(
      async () =>
        (await db.selectFrom('webhook_inbox').select('event').where('processed_at', 'is', null).execute()).length,
    )
    .toBe(0);
  const month = monthOf(dayOf(portal.portal.clock()));
  const before = {
    gstr1: await readGstReturns(db, month),
    documents: await db.selectFrom('documents').selectAll().orderBy('id').execute(),
    lines: await db.selectFrom('ledger_lines').selectAll().orderBy('entry_id').orderBy('account').execute(),
  };

  expect(await run(['customers', 'erase', user.id, ...because, '--dry-run'])).toBe(exitCodes.done);
  expect(out).toMatch(/sessions \(.*\): \d+ deleted/);
  expect(out).toMatch(/documents \(.*\): \d+ kept/);
  expect(out).toMatch(/Paid until 20\d\d-\d\d-\d\d: /);
  expect(out).toMatch(/stay until 20\d\d-12-31 at least \(CGST Act s\. 36\)/);
  expect(await run(['customers', 'erase', user.id, ...because, '--yes'])).toBe(exitCodes.failed);
  expect(errors).toContain('has paid plans: ');
  expect(await everywhere(apiKey)).toEqual([200, 200]);

  out = '';
  expect(await run(['customers', 'erase', user.id, ...because, '--end-plans', '--yes', '--json'])).toBe(exitCodes.done);
  expect(JSON.parse(out)).toMatchObject({ changed: true, customerId: user.id, effectiveBy: null });
  expect(await everywhere(apiKey)).toEqual([401, 401]);
  expect((await portal.send(readAccount, {}, token)).status).toBe(401);
  expect((await portal.ask(readAccount, {}, stranger)).user.name).not.toBe('Erased customer');

  const keeping = personalTables.flatMap(({ table, rule }) =>
    rule.erasure.does === 'keep' && rule.erasure.why === 'LAW' ? [table] : [],
  );
  // The last mail goes to the address that was, and is deleted soon after.
  expect(await tablesWith(user.email)).toEqual(['mails']);
  expect(
    await db.selectFrom('mails').select(['subject', 'recipient']).where('customer_id', '=', user.id).execute(),
  ).toEqual([{ subject: 'We erased your account', recipient: user.email }]);
  // Gateways may bring the last calls after it; the nightly round looks for them.
  await expect
    .poll(async () => {
      await sweepErased(portal.portal, new Date(Date.now() + 8 * 86_400_000));
      return tablesWith(own.activation);
    })
    .not.toContain('request_log');
  for (const text of [
    user.email,
    user.name,
    legalName,
    '+919812345678',
    own.thread,
    own.webhook,
    'https://1.1.1.1/tax-lookup-api',
  ])
    expect(keeping, text).toEqual(expect.arrayContaining(await tablesWith(text)));
  expect(await tablesWith(legalName)).toContain('documents');

  expect(await readGstReturns(db, month)).toEqual(before.gstr1);
  expect(await db.selectFrom('documents').selectAll().orderBy('id').execute()).toEqual(before.documents);
  expect(await db.selectFrom('ledger_lines').selectAll().orderBy('entry_id').orderBy('account').execute()).toEqual(
    before.lines,
  );
  expect((await verifyLedgerOf(db)).faults).toEqual([]);

  expect(await run(['customers', 'erase', user.id, ...because, '--yes'])).toBe(exitCodes.failed);
  expect(errors).toContain('is erased already');
  expect(await run(['customers', 'block', user.id, '--reason', 'Again', '--yes'])).toBe(exitCodes.failed);
  out = '';
  expect(await run(['customers', 'show', user.id])).toBe(exitCodes.done);
  expect(out).toMatch(/Erased on /);
  expect(out).toContain('customers.erase');
});

test('nothing is erased while money is open, and a payment that arrives after an erasure is refunded without a mail', async () => {
  const { db } = portal.portal;
  const token = await portal.newCustomer();
  const { user } = await portal.ask(readAccount, {}, token);
  const plan = { params: { id: 'tax-lookup-api', planId: 'free' } };
  const { activationId } = await portal.ask(activatePlan, plan, token);
  const buy = async (inDays: number) => {
    const startDate = dayOf(portal.portal.clock() + inDays * 86_400_000);
    const { billingCycleId: id = '' } = await portal.ask(
      addCycle,
      { params: { activationId, planId: 'growth' }, body: { startDate } },
      token,
    );
    return portal.ask(createOrder, { params: { id } }, token);
  };
  const first = await buy(40);
  const settle = async ({ orderId }: { orderId: string }) => {
    await portal.pay(orderId);
    await expect
      .poll(async () => {
        const found = await db
          .selectFrom('payments')
          .select('use')
          .innerJoin('payment_orders as o', 'o.id', 'order_id')
          .where('provider_order_id', '=', orderId)
          .execute();
        return found.length;
      })
      .toBe(1);
  };
  await settle(first);
  expect(await run(['customers', 'erase', user.id, ...because, '--end-plans', '--yes'])).toBe(exitCodes.failed);
  expect(errors).toContain('plans are paid in advance and have not started');
  expect((await portal.ask(readAccount, {}, token)).user.id).toBe(user.id);

  const other = await portal.newCustomer();
  const late = (await portal.ask(readAccount, {}, other)).user;
  const { billingCycleId = '' } = await portal.ask(
    activatePlan,
    { params: { id: 'tax-lookup-api', planId: 'growth' } },
    other,
  );
  const order = await portal.ask(createOrder, { params: { id: billingCycleId } }, other);
  expect(await run(['customers', 'erase', late.id, ...because, '--yes'])).toBe(exitCodes.done);
  await sweepErased(portal.portal, new Date(Date.now() + 8 * 86_400_000));
  await settle(order);
  expect(await db.selectFrom('refunds').select('status').where('customer_id', '=', late.id).execute()).toHaveLength(1);
  expect(await db.selectFrom('mails').select('subject').where('customer_id', '=', late.id).execute()).toEqual([]);
  expect((await verifyLedgerOf(db)).faults).toEqual([]);
});
