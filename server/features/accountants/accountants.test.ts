import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as calls from '#shared/contract/accountants.ts';
import { confirmMs, maxRequests } from '#shared/domain/accountant.ts';
import { countWaiting } from '#shared/database/test-database.ts';
import { dayOf, startOfDay } from '#shared/domain/day.ts';
import { firstDayOf, monthBefore, monthOf, nextMonth } from '#shared/domain/month.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { packLink } from '#server/features/month-pack/month-pack.ts';
import { startMailServer } from '#server/features/mail/test-mail-server.ts';
import { runRounds } from '#server/start-rounds.ts';
import { createMailer } from '#server/smtp/mailer.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

const hourMs = 3_600_000;
const provider = 'own.accountant@provider.example';
let portal: TestPortal;
let server: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  server = await startMailServer();
  const mailer = createMailer(`smtp://127.0.0.1:${server.port}`, 'Octroi <billing@octroi.example>');
  portal = await startTestPortal({ mailer, rounds: true, env: { ACCOUNTANT_EMAIL: provider } });
  await portal.behave({ webhooks: { enabled: false } });
});
afterAll(async () => {
  await portal.close();
  await server.close();
});

type Buyer = Awaited<ReturnType<typeof newBuyer>>;
let addresses = 0;
const newAddress = () => `ca${(addresses += 1)}@books.example`;
const month = () => monthOf(dayOf(portal.portal.clock()));

async function payer(): Promise<Buyer> {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  return buyer;
}

const ask = (buyer: Buyer, email: string) => portal.send(calls.askAccountant, { body: { email } }, buyer.token);
const read = async (buyer: Buyer) => (await portal.ask(calls.readAccountant, {}, buyer.token)).accountant;

/** The link in a mail: the id and the signature. */
function linkIn(text: string) {
  const found = /\/accountant\/(ACN-\w+)\?signature=(\w+)/.exec(text);
  return { params: { accountantId: found?.[1] ?? '' }, query: { signature: found?.[2] ?? '' } };
}

const requestTo = async (email: string) => linkIn((await server.next(email, /^Confirm/)).text);
const answer = (link: ReturnType<typeof linkIn>, wanted: boolean) =>
  portal.send(calls.answerAccountantRequest, { ...link, body: { wanted } });

/** Moves the clock to an hour on the 1st of the next month. */
function moveToFirst(hours: number): void {
  portal.moveClock(startOfDay(firstDayOf(nextMonth(month()))) + hours * hourMs - portal.portal.clock());
}

test('after confirming, an accountant gets the ZIP of the month on the 1st, once, and can stop it by the link in the mail', async () => {
  const [buyer, email] = [await payer(), newAddress()];
  const customerName = 'Kaveri Traders';
  expect((await ask(buyer, ` ${email.toUpperCase()} `)).body).toMatchObject({
    accountant: { email, confirmedOn: null },
  });
  const link = await requestTo(email);
  expect(await portal.ask(calls.readAccountantRequest, link)).toEqual({ customerName, email, status: 'ASKED' });
  expect((await answer(link, true)).body).toEqual({ customerName, email, status: 'ON' });
  expect(await read(buyer)).toMatchObject({ confirmedOn: buyer.today() });
  const sold = month();

  moveToFirst(5.9);
  await runRounds(portal.portal);
  expect(server.received(email)).toHaveLength(1);
  portal.moveClock(hourMs);
  await Promise.all([runRounds(portal.portal), runRounds(portal.portal)]);
  const mail = await server.next(email, /: papers of Kaveri Traders/);
  expect(mail).toMatchObject({
    attachmentName: `documents-${sold}.zip`,
    stopUrl: expect.stringContaining('/accountant/ACN-'),
  });
  const [invoice] = await buyer.documents();
  const files = unzipSync(mail.attachment ?? Buffer.of());
  const pdf = `documents/tax-invoice-${invoice?.number.replaceAll('/', '-')}.pdf`;
  expect(Object.keys(files)).toEqual([pdf, `purchase-register-${sold}.csv`, `usage-${sold}.csv`]);
  expect(Buffer.from(files[pdf] ?? []).equals(await buyer.download(invoice?.id ?? ''))).toBe(true);
  const [download = ''] = /http\S+\/packs\S+/.exec(mail.text) ?? [];
  expect(Buffer.from(await (await fetch(download)).arrayBuffer()).equals(mail.attachment ?? Buffer.of())).toBe(true);
  expect((await fetch(download.replace(sold, month()))).status).toBe(404);

  // A month without documents has no mail, and nothing is sent twice.
  moveToFirst(7);
  await runRounds(portal.portal);
  await runRounds(portal.portal);
  expect(server.received(email)).toHaveLength(2);
  expect((await answer(linkIn(mail.stopUrl), false)).body).toMatchObject({ status: 'ENDED' });
  expect(await read(buyer)).toBeNull();
  expect((await fetch(download)).status, 'a link after its accountant has stopped').toBe(404);
  const { email: own } = await portal.portal.db
    .selectFrom('customers')
    .select('email')
    .orderBy('created_at')
    .executeTakeFirstOrThrow();
  expect((await server.next(own, /no longer gets/)).text).toContain(email);
  await buyer.buy(0).catch(() => buyer.buy(60));
  moveToFirst(7);
  await runRounds(portal.portal);
  expect(server.received(email)).toHaveLength(2);
});

test('nothing is sent before the accountant confirms, after 7 days, or after the customer has switched it off', async () => {
  const [silent, late, off] = [await payer(), await payer(), await payer()];
  const emails = [newAddress(), newAddress(), newAddress()] as const;
  await ask(silent, emails[0]);
  await ask(late, emails[1]);
  await ask(off, emails[2]);
  const [lateLink, offLink] = [await requestTo(emails[1]), await requestTo(emails[2])];
  await answer(offLink, true);
  await portal.ask(calls.removeAccountant, {}, off.token);
  expect((await answer(offLink, true)).body).toMatchObject({ status: 'ENDED' });
  portal.moveClock(confirmMs);
  expect(await portal.ask(calls.readAccountantRequest, lateLink)).toMatchObject({ status: 'EXPIRED' });
  expect((await answer(lateLink, true)).body).toMatchObject({ code: 'link_expired' });
  moveToFirst(7);
  await runRounds(portal.portal);
  for (const email of emails)
    expect(server.received(email).map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Confirm/)]);
});

test('a link to a month’s papers works for an accountant who has confirmed, and for no other', async () => {
  const [buyer, email] = [await payer(), newAddress()];
  await ask(buyer, email);
  const link = await requestTo(email);
  const address = `${portal.portalUrl}${packLink(portal.portal, link.params.accountantId, month())}`;
  expect((await fetch(address)).status).toBe(404);
  await answer(link, true);
  expect((await fetch(address)).status).toBe(200);
});

test('the provider’s accountant gets the month of the whole portal, once', async () => {
  await payer();
  const sold = month();
  moveToFirst(7);
  await Promise.all([runRounds(portal.portal), runRounds(portal.portal)]);
  await runRounds(portal.portal);
  const name = `documents-${sold}.zip`;
  await expect.poll(() => server.received(provider).filter((mail) => mail.attachmentName === name).length).toBe(1);
  const mail = server.received(provider).find((each) => each.attachmentName === name);
  expect(Object.keys(unzipSync(mail?.attachment ?? Buffer.of()))).toContain('accounts/trial-balance.csv');
  const written = await portal.portal.db
    .selectFrom('mails')
    .select('customer_id')
    .where('dedupe_key', '=', `provider-pack:${monthBefore(month())}`)
    .execute();
  expect(written).toEqual([{ customer_id: null }]);
});

test('nobody can have strangers mailed again and again: portal and database refuse', async () => {
  const [buyer, other] = [await payer(), await payer()];
  const consumer = await newBuyer(portal);
  expect((await ask(consumer, newAddress())).body).toMatchObject({ status: 409, code: 'no_documents_yet' });
  const stranger = newAddress();
  const replies = await Promise.all(Array.from({ length: 4 }, () => ask(buyer, stranger)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(maxRequests);
  expect(replies.find(({ status }) => status !== 200)?.body).toMatchObject({ code: 'accountant_asked_too_often' });
  // The address is full for everyone, and the customer for every address.
  expect((await ask(other, stranger)).body).toMatchObject({ code: 'accountant_asked_too_often' });
  portal.moveClock(30 * 24 * hourMs);
  const link = async (email: string) => {
    await ask(buyer, email);
    return requestTo(email);
  };
  const declining = newAddress();
  expect((await answer(await link(declining), false)).body).toMatchObject({ status: 'ENDED' });
  expect((await ask(buyer, declining)).body).toMatchObject({ code: 'accountant_declined' });
  expect((await ask(other, declining)).status).toBe(200);
  const { db } = portal.portal;
  const row = await db
    .selectFrom('accountants')
    .selectAll()
    .where('email', '=', declining)
    .where('ended_by', '=', 'ACCOUNTANT')
    .executeTakeFirstOrThrow();
  const again = { ...row, id: 'ACN-AGAIN', confirmed_at: null, next_month: null, ended_at: null, ended_by: null };
  await expect(db.insertInto('accountants').values(again).execute()).rejects.toThrow('the accountant declined');
  await expect(
    db.updateTable('accountants').set({ ended_at: null, ended_by: null }).where('id', '=', row.id).execute(),
  ).rejects.toThrow('can only be confirmed once');
});

test('an accountant who confirms is asked by any number of customers', async () => {
  const email = newAddress();
  for (let customers = 0; customers < maxRequests + 2; customers += 1) {
    expect((await ask(await payer(), email)).status).toBe(200);
    await expect.poll(() => server.received(email)).toHaveLength(customers + 1);
    const link = linkIn(server.received(email).at(-1)?.text ?? '');
    expect((await answer(link, true)).body).toMatchObject({ status: 'ON' });
  }
});

test('a customer whose accountants confirm asks any number of them, and the database takes three who don’t', async () => {
  const { db } = portal.portal;
  const buyer = await payer();
  for (let asked = 0; asked < maxRequests + 1; asked += 1) {
    const email = newAddress();
    expect((await ask(buyer, email)).status).toBe(200);
    expect((await answer(await requestTo(email), true)).body).toMatchObject({ status: 'ON' });
  }
  for (let asked = 0; asked < maxRequests; asked += 1) expect((await ask(buyer, newAddress())).status).toBe(200);
  const newest = db.selectFrom('accountants').selectAll().orderBy('asked_at', 'desc').limit(1);
  const row = await newest.executeTakeFirstOrThrow();
  await db
    .updateTable('accountants')
    .set({ ended_at: row.asked_at, ended_by: 'CUSTOMER' })
    .where('id', '=', row.id)
    .execute();
  const fourth = { ...row, id: 'ACN-FOURTH', email: newAddress() };
  await expect(db.insertInto('accountants').values(fourth).execute()).rejects.toThrow('asked too often');
});

test('a customer who removes or replaces the accountant while the accountant stops gets what one gets afterwards', async () => {
  const { db } = portal.portal;
  /** Has the accountant stop, and the customer do something before that is committed. */
  const whileStopping = async (doing: (buyer: Buyer) => ReturnType<typeof ask>) => {
    const [buyer, email] = [await payer(), newAddress()];
    await ask(buyer, email);
    const link = await requestTo(email);
    const id = link.params.accountantId;
    const tx = await db.startTransaction().execute();
    await tx.selectFrom('accountants').select('id').where('id', '=', id).forUpdate().execute();
    const stopping = answer(link, false);
    await expect.poll(() => countWaiting(db)).toBe(1);
    const done = doing(buyer);
    await expect.poll(() => countWaiting(db)).toBe(2);
    await tx.commit().execute();
    expect((await stopping).status).toBe(200);
    const ended = await db.selectFrom('accountants').select('ended_by').where('id', '=', id).execute();
    expect(ended).toEqual([{ ended_by: 'ACCOUNTANT' }]);
    return { buyer, response: await done };
  };
  const removed = await whileStopping((buyer) => portal.send(calls.removeAccountant, {}, buyer.token));
  expect(removed.response.status).toBeLessThan(300);
  expect(await read(removed.buyer)).toBeNull();
  const next = newAddress();
  const replaced = await whileStopping((buyer) => ask(buyer, next));
  expect(replaced.response.status).toBe(200);
  expect(await read(replaced.buyer)).toMatchObject({ email: next });
});

test('a link with another signature is not found', async () => {
  const [buyer, email] = [await payer(), newAddress()];
  await ask(buyer, email);
  const link = await requestTo(email);
  const forged = {
    ...link,
    query: { signature: link.query.signature.replace(/^./, (first) => (first === '0' ? '1' : '0')) },
  };
  expect((await portal.send(calls.readAccountantRequest, forged)).body).toMatchObject({ status: 404 });
  expect((await answer(forged, false)).status).toBe(404);
  expect(await read(buyer)).toMatchObject({ email });
});
