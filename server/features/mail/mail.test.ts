import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import { updateProfile } from '#shared/contract/account.ts';
import { addCycle, endCycle } from '#shared/contract/cycles.ts';
import { correctInvoice } from '#shared/contract/documents.ts';
import { createOrder, createOrderOfPeriods, verifyPayment } from '#shared/contract/payments.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { documentFileName } from '#shared/domain/document.ts';
import { selectHappened } from '#server/features/events/events.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { createMailer } from '#server/smtp/mailer.ts';
import { useUnits } from '#server/features/usage/test-units.ts';
import { runRounds } from '#server/start-rounds.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { startMailServer } from './test-mail-server.ts';

const dayMs = 86_400_000;
let portal: TestPortal;
let server: Awaited<ReturnType<typeof startMailServer>>;

beforeAll(async () => {
  server = await startMailServer();
  const mailer = createMailer(`smtp://127.0.0.1:${server.port}`, 'Octroi <billing@octroi.example>');
  portal = await startTestPortal({ mailer, rounds: true });
});
afterAll(async () => {
  await portal.close();
  await server.close();
});
beforeEach(() => portal.behave({}));

type Buyer = Awaited<ReturnType<typeof newBuyer>>;

async function customerOf(buyer: Buyer): Promise<string> {
  const row = await portal.portal.db
    .selectFrom('activations')
    .select('customer_id')
    .where('id', '=', buyer.activationId)
    .executeTakeFirstOrThrow();
  return row.customer_id;
}

/** The subjects of the mails to a customer, oldest first. */
async function subjectsTo(buyer: Buyer): Promise<string[]> {
  const rows = await portal.portal.db
    .selectFrom('mails')
    .select('subject')
    .where('customer_id', '=', await customerOf(buyer))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => row.subject);
}

async function addressOf(buyer: Buyer): Promise<string> {
  const id = await customerOf(buyer);
  const row = await portal.portal.db
    .selectFrom('customers')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.email;
}

test('a payment mail has the invoice attached, with the same bytes as the download', async () => {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const mail = await server.next(await addressOf(buyer), /Payment received/);
  expect(mail.subject).toBe('Payment received: ₹1,499 for Invoicing System, Growth plan');
  expect(mail.text).toContain('Hello Kaveri Traders,');
  expect(mail.text).toContain('Amount: ₹1,499');
  const [invoice] = await buyer.documents();
  expect(mail.attachmentName).toBe(`tax-invoice-${invoice?.number.replaceAll('/', '-')}.pdf`);
  expect(mail.attachment?.equals(await buyer.download(invoice?.id ?? ''))).toBe(true);
});

test('the mail about a payment for several periods attaches the document of each', async () => {
  const buyer = await newBuyer(portal);
  const { activationId, token } = buyer;
  const body = { startDate: buyer.today(), periods: 3 };
  const added = await portal.ask(addCycle, { params: { activationId, planId: 'growth' }, body }, token);
  const { billingCycleIds = [] } = added;
  const { orderId } = await portal.ask(
    createOrderOfPeriods,
    { params: { activationId }, body: { billingCycleIds } },
    token,
  );
  await portal.ask(verifyPayment, { body: await portal.checkOut(orderId) }, token);
  const to = await addressOf(buyer);
  const mail = await server.next(to, /Payment received/);
  const documents = await buyer.documents();
  expect(documents.map(({ kind }) => kind).toSorted()).toEqual(['INVOICE', 'RECEIPT_VOUCHER', 'RECEIPT_VOUCHER']);
  expect(mail.attachmentNames.toSorted()).toEqual(documents.map(documentFileName).toSorted());
  expect(mail.attachmentNames[0]).toMatch(/^tax-invoice-/);
  expect(server.received(to).filter(({ subject }) => subject.startsWith('Payment received'))).toHaveLength(1);
});

test('an advance, its start and a correction each send a mail with their document', async () => {
  const buyer = await newBuyer(portal);
  await buyer.buy(3);
  const to = await addressOf(buyer);
  expect((await server.next(to, /Payment received/)).attachmentName).toMatch(/^receipt-voucher-/);
  portal.moveClock(3 * dayMs);
  await runRounds(portal.portal);
  expect((await server.next(to, /Your plan has started/)).attachmentName).toMatch(/^tax-invoice-/);
  await portal.ask(updateProfile, { body: { ...sampleProfile, gstin: '29ZZZCA0001A1Z0' } }, buyer.token);
  const invoice = (await buyer.documents()).find((document) => document.kind === 'INVOICE');
  await portal.ask(correctInvoice, { params: { documentId: invoice?.id ?? '' } }, buyer.token);
  const corrected = await server.next(to, /Corrected invoice/);
  expect(corrected.text).toContain(`Tax invoice ${invoice?.number} of`);
  expect(corrected.attachment).toBeDefined();
});

test('a failed payment sends one mail with the bank’s reason and a link to pay again', async () => {
  const buyer = await newBuyer(portal);
  const { billingCycleId: id = '' } = await portal.ask(
    addCycle,
    { params: { activationId: buyer.activationId, planId: 'growth' }, body: { startDate: buyer.today() } },
    buyer.token,
  );
  const { orderId } = await portal.ask(createOrder, { params: { id } }, buyer.token);
  await portal.pay(orderId, { method: 'card', outcome: 'card_declined' });
  const mail = await server.next(await addressOf(buyer), /Payment not completed/);
  expect(mail.text).toContain('did not go through');
  expect(mail.text).toContain('You have not been charged.');
  expect(mail.text).toMatch(new RegExp(String.raw`/pay#${id}\.0\.[0-9a-f]{64}`));
  expect(mail.text).toContain('No account is needed');
});

test('a refund sends a mail when it starts, with its document, and when it is done', async () => {
  const buyer = await newBuyer(portal);
  await buyer.end(await buyer.buy(4));
  const to = await addressOf(buyer);
  const started = await server.next(to, /Refund started/);
  expect(started.attachmentName).toMatch(/^refund-voucher-/);
  expect(started.text).toContain('Reason: Cancelled before it started');
  const done = await server.next(to, /Refund completed/);
  expect(done.text).toContain('₹1,499 has been paid out');
});

test('a reminder is sent 7, 3 and 1 days before a plan ends, once each, and not when a paid plan follows', async () => {
  const buyer = await newBuyer(portal);
  const followed = await newBuyer(portal);
  await buyer.buy(0);
  await followed.buy(0);
  await followed.buy(30);
  for (let day = 0; day < 31; day += 1) {
    portal.moveClock(dayMs);
    await Promise.all([runRounds(portal.portal), runRounds(portal.portal)]);
  }
  const ends = (await subjectsTo(buyer)).filter((subject) => / ends /.test(subject));
  expect(ends).toEqual([
    'Your plan ends in 7 days: Invoicing System, Growth plan',
    'Your plan ends in 3 days: Invoicing System, Growth plan',
    'Your plan ends tonight: Invoicing System, Growth plan',
  ]);
  expect((await subjectsTo(followed)).filter((subject) => / ends /.test(subject))).toEqual([]);
});

test('60, 80 and 100 % of a quota send one mail per window, daily and monthly', async () => {
  const buyer = await newBuyer(portal);
  const cycleId = await buyer.buy(0);
  const { db } = portal.portal;
  const cycle = await db.selectFrom('cycles').selectAll().where('id', '=', cycleId).executeTakeFirstOrThrow();
  const use = async (calls: number) => {
    await useUnits(portal.portal.db, cycleId, dayOf(portal.portal.clock()), calls);
    await Promise.all([runRounds(portal.portal), runRounds(portal.portal)]);
  };
  const quotas = async () =>
    (await subjectsTo(buyer)).filter((subject) => / quota /.test(subject)).map((subject) => subject.split(':')[0]);
  await use(Math.ceil(cycle.daily_quota * 0.6) - 1);
  expect(await quotas()).toEqual([]);
  await use(Math.ceil(cycle.daily_quota * 0.6));
  await use(Math.ceil(cycle.daily_quota * 0.7));
  expect(await quotas()).toEqual(['60% of your daily quota is used']);
  // A jump over 80 %.
  await use(cycle.daily_quota);
  expect(await quotas()).toEqual(['60% of your daily quota is used', 'Your daily quota is used up']);
  portal.moveClock(dayMs);
  await use(Math.ceil(cycle.daily_quota * 0.8));
  expect((await quotas()).slice(2)).toEqual(['80% of your daily quota is used']);
  portal.moveClock(dayMs);
  await use(cycle.monthly_quota);
  expect(new Set((await quotas()).slice(3))).toEqual(
    new Set(['Your daily quota is used up', 'Your monthly quota is used up']),
  );
});

test('any number of reminders can be due at the same time', async () => {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const { db } = portal.portal;
  const { dedupe_key: key } = await db.selectFrom('mails').select('dedupe_key').limit(1).executeTakeFirstOrThrow();
  const due = Array.from({ length: 70_000 }, (_, each) => `ends:CYC-${each}:7`);
  expect(await selectHappened(db, [...due, key])).toEqual(new Set([key]));
});

test('mails wait while the mail server refuses them; afterwards each arrives once', async () => {
  server.refuse(true);
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const to = await addressOf(buyer);
  await server.refused(to);
  server.refuse(false);
  await server.next(to, /Payment received/);
  expect(server.received(to)).toHaveLength(1);
});

test('the address that a mail server refuses is neither in the log nor in the queue', async () => {
  server.refuse(true);
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const to = await addressOf(buyer);
  await server.refused(to);
  const stored = async () => {
    const jobs = sql`select output from pgboss.job where name = 'send-mail' and output is not null`;
    return JSON.stringify((await jobs.execute(portal.portal.db)).rows);
  };
  await expect.poll(stored).toContain('try again later');
  server.refuse(false);
  const log = portal.logLines.join('');
  expect(log).toContain('try again later');
  for (const kept of [await stored(), log]) expect(kept).not.toContain(to);
});

test('a mail and its cause are written together, or neither', async () => {
  const buyer = await newBuyer(portal);
  const { db } = portal.owner;
  await sql`create function refuse_mails() returns trigger language plpgsql as $$ begin raise exception 'no mails today'; end $$`.execute(
    db,
  );
  await sql`create trigger refuse_mails before insert on mails for each row execute function refuse_mails()`.execute(
    db,
  );
  try {
    const startDate = addDays(buyer.today(), 0);
    const { billingCycleId: id = '' } = await portal.ask(
      addCycle,
      { params: { activationId: buyer.activationId, planId: 'growth' }, body: { startDate } },
      buyer.token,
    );
    const { orderId } = await portal.ask(createOrder, { params: { id } }, buyer.token);
    const body = await portal.checkOut(orderId);
    expect((await portal.send(verifyPayment, { body }, buyer.token)).status).toBe(500);
    expect(await buyer.documents()).toEqual([]);
    await sql`drop trigger refuse_mails on mails`.execute(db);
    await portal.ask(verifyPayment, { body }, buyer.token);
    expect(await buyer.documents()).toHaveLength(1);
    await portal.ask(endCycle, { params: { activationId: buyer.activationId, billingCycleId: id } }, buyer.token);
  } finally {
    await sql`drop trigger if exists refuse_mails on mails`.execute(db);
  }
});

test('in production there is no outbox page', async () => {
  expect((await fetch(`${portal.portalUrl}/backend/outbox`)).status).toBe(404);
});
