import { buffer } from 'node:stream/consumers';
import { strFromU8, unzipSync } from 'fflate';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { readAccount } from '#shared/contract/account.ts';
import { requestCsvMaxRows } from '#shared/contract/request-log.ts';
import { readChanges } from '#shared/database/migrate.ts';
import { addDays, dayOf, startOfDay } from '#shared/domain/day.ts';
import { nextId, withLog, writeBatch } from '#server/features/request-log/test-log.ts';
import { askErasure, readDataExport, readErasure, withdrawErasure } from '#shared/contract/privacy.ts';
import { listWebhooks } from '#shared/contract/webhooks.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { finishDocument } from '#server/features/documents/documents.ts';
import { listErasureRequests } from '#server/features/privacy/operator-erasure.ts';
import { ownEverything } from '#server/test/owned.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { exportCustomer } from './privacy.ts';
import { productTables } from './product-tables.ts';
import { recordOfProcessing } from './record.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
});
afterAll(() => portal.close());

const tablesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => String(match[1]));

test('every table of the products has a rule about personal data', () => {
  const products = readChanges(projectFolder('products', 'migrations')).map(({ sql: text }) => text);
  expect(Object.keys(productTables).toSorted()).toEqual(
    tablesIn(products.join('\n'), /create table (?:if not exists )?products\.(\w+)/g).toSorted(),
  );
});

test('the page about privacy is the record of processing', async () => {
  await expect(recordOfProcessing()).toMatchFileSnapshot(projectFolder('docs', 'privacy.md'));
});

test('a customer downloads everything that is kept about them and nothing about others, without secrets', async () => {
  const token = await portal.newCustomer();
  const own = await ownEverything(portal, token, 'tax-lookup-api');
  const strangerToken = await portal.newCustomer();
  const foreign = await ownEverything(portal, strangerToken, 'tax-lookup-api');
  await finishDocument(portal.portal, own.document);
  const stranger = (await portal.ask(readAccount, {}, strangerToken)).user;
  const { user } = await portal.ask(readAccount, {}, token);

  const { downloadUrl } = await portal.ask(readDataExport, {}, token);
  const response = await fetch(downloadUrl);
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${user.id}.zip"`);
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  const textOf = (name: string) => strFromU8(files[name] ?? new Uint8Array());
  const rowsOf = (name: string) => z.array(z.record(z.string(), z.unknown())).parse(JSON.parse(textOf(name)));
  expect(rowsOf('data/account/customers.json')).toMatchObject([{ id: user.id, email: user.email }]);
  for (const [name, id] of [
    ['data/purchases/activations.json', own.activation],
    ['data/purchases/cycles.json', own.cycle],
    ['data/documents/documents.json', own.document],
    ['data/keys/api_keys.json', own.key],
    ['data/support/support_threads.json', own.thread],
    ['data/webhooks/webhooks.json', own.webhook],
  ] as const)
    expect(rowsOf(name), name).toMatchObject([{ id }]);
  expect(rowsOf('data/ledger/ledger_lines.json').length).toBeGreaterThan(0);
  expect(textOf(`documents/${own.document}.pdf`).slice(0, 5)).toBe('%PDF-');
  expect(textOf('support-files/help.pdf').slice(0, 5)).toBe('%PDF-');
  expect(textOf(`requests/${own.activation}.csv`)).toContain('request_id');

  const everything = Object.entries(files)
    .map(([name, bytes]) => `${name}\n${strFromU8(bytes, true)}`)
    .join('\n');
  for (const id of [stranger.id, stranger.email, ...Object.values(foreign)]) expect(everything).not.toContain(id);
  const { db } = portal.portal;
  const key = await db.selectFrom('api_keys').select('key_hash').where('id', '=', own.key).executeTakeFirstOrThrow();
  const hook = await db.selectFrom('webhooks').select('secret').where('id', '=', own.webhook).executeTakeFirstOrThrow();
  const thread = await db
    .selectFrom('support_threads')
    .selectAll()
    .where('id', '=', own.thread)
    .executeTakeFirstOrThrow();
  for (const secret of [
    key.key_hash.toString('hex'),
    hook.secret.toString('hex'),
    thread.customer_token,
    thread.provider_token,
    token,
  ])
    expect(everything).not.toContain(secret);
});

test('a download link of somebody else, changed or expired, is not found', async () => {
  const token = await portal.newCustomer();
  const { downloadUrl } = await portal.ask(readDataExport, {}, token);
  const stranger = (await portal.ask(readAccount, {}, await portal.newCustomer())).user.id;
  for (const url of [
    downloadUrl.replace(/CUS-\w+/, stranger),
    downloadUrl.replace(/signature=./, 'signature='),
    downloadUrl.replace(/expires=\d/, 'expires=9'),
  ])
    expect((await fetch(url)).status).toBe(404);
});

test('one link that is downloaded many times at once leaves connections to the database for the other calls', async () => {
  const token = await portal.newCustomer();
  const { downloadUrl } = await portal.ask(readDataExport, {}, token);
  const downloads = await portal.portal.db.transaction().execute(async (tx) => {
    // No export ends as long as it can't read this table.
    await sql`lock table support_messages in access exclusive mode`.execute(tx);
    let refused = 0;
    const begun = Array.from({ length: 30 }, async () => {
      const { status } = await fetch(downloadUrl);
      if (status === 429) refused += 1;
      return status;
    });
    // One is being made, and four wait.
    await expect.poll(() => refused).toBe(25);
    expect((await portal.send(listWebhooks, {}, token)).status).toBe(200);
    return { begun };
  });
  const statuses = await Promise.all(downloads.begun);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(statuses.filter((status) => status === 200)).toHaveLength(5);
});

test('a customer asks to be erased once, the provider gets a mail, and the customer takes it back', async () => {
  const token = await portal.newCustomer();
  const { user } = await portal.ask(readAccount, {}, token);
  const { db } = portal.portal;
  expect(await portal.ask(readErasure, {}, token)).toEqual({ askedAt: null, keptUntil: null });
  await portal.ask(askErasure, {}, token);
  await Promise.all([portal.ask(askErasure, {}, token), portal.ask(askErasure, {}, token)]);
  const { askedAt } = await portal.ask(readErasure, {}, token);
  expect(askedAt).not.toBeNull();
  expect(await listErasureRequests(db)).toMatchObject([{ customerId: user.id, email: user.email }]);
  await portal.ask(withdrawErasure, {}, token);
  await portal.ask(withdrawErasure, {}, token);
  expect(await portal.ask(readErasure, {}, token)).toMatchObject({ askedAt: null });
  expect(await listErasureRequests(db)).toEqual([]);
  const mails = await db
    .selectFrom('mails')
    .select(['recipient', 'subject'])
    .where('customer_id', '=', user.id)
    .orderBy('created_at')
    .execute();
  expect(mails.map(({ subject }) => subject.replace(/^ERQ-\w+: /, ''))).toEqual([
    `${user.name} asks to be erased`,
    `${user.name} no longer asks to be erased`,
  ]);
  expect(new Set(mails.map(({ recipient }) => recipient))).toEqual(new Set([portal.portal.settings.supportEmail]));
});

test('an export is of one moment: what is written while it is read is not in it', async () => {
  const token = await portal.newCustomer();
  const { user } = await portal.ask(readAccount, {}, token);
  const { db } = portal.portal;
  const zip = await exportCustomer(portal.portal, { customerId: user.id });
  await portal.ask(askErasure, {}, token);
  const files = unzipSync(new Uint8Array(await buffer(zip)));
  for (const name of ['data/account/erasure_requests.json', 'data/mails/mails.json'])
    expect(JSON.parse(strFromU8(files[name] ?? new Uint8Array())), name).toEqual([]);
  // An export that is given up gives its connection back.
  const idle = async () =>
    (
      await db
        .selectFrom(sql<{ state: string }>`pg_stat_activity`.as('activity'))
        .select('state')
        .where('state', '=', 'idle in transaction')
        .where(sql<boolean>`datname = current_database()`)
        .execute()
    ).length;
  (await exportCustomer(portal.portal, { customerId: user.id })).destroy();
  await expect.poll(idle).toBe(0);
});

test('an export has all rows of a long table', async () => {
  const token = await portal.newCustomer();
  const { user } = await portal.ask(readAccount, {}, token);
  const { db } = portal.portal;
  const made = Array.from({ length: 1201 }, (_, index) => ({
    dedupe_key: `long:${user.id}:${index}`,
    customer_id: user.id,
    happened_at: new Date(),
  }));
  await db.insertInto('event_keys').values(made).execute();
  const files = unzipSync(new Uint8Array(await buffer(await exportCustomer(portal.portal, { customerId: user.id }))));
  const rows = z
    .array(z.object({ dedupe_key: z.string() }))
    .parse(JSON.parse(strFromU8(files['data/mails/event_keys.json'] ?? new Uint8Array())));
  const keys = new Set(rows.map(({ dedupe_key: key }) => key));
  expect(made.filter((each) => !keys.has(each.dedupe_key))).toEqual([]);
});

test('an export has the whole request log, beyond the most rows that its page downloads', async () => {
  const { token, activationId, live } = await withLog(portal);
  const { user } = await portal.ask(readAccount, {}, token);
  const yesterday = startOfDay(addDays(dayOf(portal.portal.clock()), -1));
  const perBatch = 1000;
  for (let batch = 0; batch * perBatch <= requestCsvMaxRows; batch += 1)
    await writeBatch(
      portal,
      Array.from({ length: perBatch }, (_, call) => ({
        requestId: nextId(),
        at: yesterday + batch * 600_000 + call,
        status: 200,
        reason: 'answered' as const,
      })),
      activationId,
      live.id,
    );
  const files = unzipSync(new Uint8Array(await buffer(await exportCustomer(portal.portal, { customerId: user.id }))));
  const lines = strFromU8(files[`requests/${activationId}.csv`] ?? new Uint8Array())
    .trimEnd()
    .split('\r\n');
  expect(lines.length).toBe(1 + requestCsvMaxRows + perBatch);
  expect(new Set(lines).size).toBe(lines.length);
});

test('an export names each part as its turn comes', async () => {
  const { user } = await portal.ask(readAccount, {}, await portal.newCustomer());
  const parts: string[] = [];
  const zip = await exportCustomer(portal.portal, { customerId: user.id }, (part) => parts.push(part));
  const names = Object.keys(unzipSync(new Uint8Array(await buffer(zip))));
  expect(names[0]).toBe('README.txt');
  expect(parts).toEqual(names.slice(1));
});
