import { activatePlan } from '#shared/contract/marketplace.ts';
import { SoundFiles } from '#catalog/catalog-files.ts';
import { recordFirstCatalog } from '#shared/database/catalog-versions.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { irnOf } from '#shared/domain/irn.ts';
import { lastDayOf, monthOf } from '#shared/domain/month.ts';
import { sql } from 'kysely';
import { readTrialBalance } from '#server/features/bookkeeping/bookkeeping.ts';
import { addCycle, endCycle } from '#server/features/cycles/cycles.ts';
import { finishDocument } from '#server/features/documents/finish.ts';
import { declareClaim } from '#server/features/documents/test-buyer.ts';
import { createOrder } from '#server/features/payments/create-order.ts';
import { settlePayment } from '#server/features/payments/settle.ts';
import { lockMonth } from '#server/features/period-locks/period-locks.ts';
import { hourMs, type Money } from '#server/money-tests/test-money.ts';
import { testOperators } from '#server/test/operators.ts';
import { sampleProfile } from '#server/test/portal.ts';

/** At least one row of each sealed table. */
export async function tradeToPlantIn(money: Money): Promise<void> {
  await trade(money);
  await prepare(money);
  await register(money);
  await hire(money);
}

/** A running plan, a refunded one, a deleted activation, and their documents. */
async function trade(money: Money): Promise<void> {
  const { portal } = money;
  const customer = await money.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { activationId, billingCycleId = '' } = await money.ask(activatePlan, plan, customer.token);
  const pay = async (cycleId: string) => {
    const { orderId } = await createOrder(portal, customer, cycleId);
    await settlePayment(portal, (await money.checkOut(orderId)).paymentId);
  };
  await pay(billingCycleId);
  const later = addDays(dayOf(portal.clock()), 60);
  const upcoming = await addCycle(portal, customer, activationId, 'starter', later);
  await pay(upcoming.billingCycleId);
  await endCycle(portal, customer, activationId, upcoming.billingCycleId);
  await sellAbroad(money);
  await money.work();
  for (const { id } of await portal.db.selectFrom('documents').select('id').execute()) await finishDocument(portal, id);
}

const letter = `'\\x255044462d00'::bytea`;

/** One row of each other table, as the portal writes it. */
async function prepare(money: Money): Promise<void> {
  const { db } = money.portal;
  const month = monthOf(addDays(dayOf(Date.now()), -40));
  await lockMonth(db, month, { actor: 'asha', reason: 'Returns are filed' }, () =>
    readTrialBalance(db, lastDayOf(month)),
  );
  const files = await SoundFiles.in(money.portal.settings.catalogDir);
  await recordFirstCatalog(db, files, { author: 'test', reason: 'First' });
  const one = `(select id from customers order by created_at limit 1)`;
  const invoice = `(select id from documents where kind = 'INVOICE' order by sequence limit 1)`;
  for (const statement of [
    `insert into tax_claims (id, customer_id, kind, about, declared_on, declared_at, letter_name, letter_type, letter_bytes, letter, letter_sha256)
      values ('CLM-X', ${one}, 'EXPORT', 'SG', '2026-11-02', '2026-11-02T12:00:00+05:30', 'letter.pdf', 'application/pdf', 6, ${letter}, sha256(${letter}))`,
    `insert into sez_checks (customer_id, gstin, checked_at, outcome, type_text, answer, answer_sha256)
      values (${one}, '29ZZZCA0001A1Z0', now(), 'OTHER', 'Regular', 'Regular', sha256('Regular'))`,
    `insert into letters_of_undertaking values ('AD270426000001X', '2026-04-01', '2026-09-30')`,
    `insert into settlements values ('setl_X', 100, 'processed', 'UTR1', now(), now())`,
    `insert into settlement_items (entity_id, settlement_id, type, debit_paise, credit_paise, amount_paise, fee_paise, tax_paise, currency, on_hold,
      settled_at, created_at) values ('adj_X', 'setl_X', 'adjustment', 0, 100, 100, 0, 0, 'INR', false, now(), now())`,
    `insert into closed_series select name, '2020-21', now(), 'Full' from document_series_forms order by place desc, name limit 1`,
    `insert into accountants values ('ACN-X', ${one}, 'books@example.com', now(), null, null, null, null)`,
    `insert into activations values ('ACT-X', ${one}, 'invoicing-system', now(), now())`,
    `insert into api_keys (id, activation_id, customer_id, name, key_hash, hint, created_at, revoked_at)
      select 'KEY-X', id, customer_id, 'x', sha256('x'), 'abcd', now(), now() from activations where deleted_at is null limit 1`,
    `insert into e_invoice_waits (document_id, since) values (${invoice}, now())`,
    `insert into e_invoice_waits (document_id, since) select id, now() from documents where content ->> 'tax' = 'NONE' order by sequence offset 1 limit 1`,
    `insert into amendments select id, customer_id, now(), (now() at time zone 'Asia/Kolkata')::date, content from documents where id = ${invoice}`,
    `insert into installation_secrets values ('download-links', sha256('secret'))`,
    `insert into event_keys values ('two', ${one}, now())`,
    `insert into mails (id, dedupe_key, customer_id, recipient, subject, body_text, body_html, document_id, created_at)
      values ('MSG-X', 'two', ${one}, 'kaveri@example.com', 'Papers', '', '', ${invoice}, now())`,
    `insert into mail_documents values ('MSG-X', 2, (select min(id) from documents))`,
  ])
    await sql.raw(statement).execute(money.owner.db);
}

/** Three operators, of whom one left, a domain, a passkey, a token, and a refund that waits for a second one. */
async function hire(money: Money): Promise<void> {
  const operators = testOperators(money);
  const owner = await operators.signedIn('asha@kaveri.example', 'owner');
  await operators.prove('asha@kaveri.example');
  const replies = [
    await operators.act(owner, 'addOperator', { email: 'meena@kaveri.example', role: 'support' }),
    await operators.act(owner, 'addOperator', { email: 'rohan@kaveri.example', role: 'support' }),
    await operators.act(owner, 'removeOperator', { email: 'rohan@kaveri.example' }),
    await operators.act(owner, 'addOperatorDomain', { domain: 'kaveri.example', role: 'support' }),
    await operators.act(owner, 'createToken', { name: 'CRM', scopes: ['refundPayment'], days: 90 }),
    await operators.act(owner, 'refundPayment', { of: await lastCycle(money) }),
  ];
  if (replies.some(({ status }) => status !== 200)) throw new Error(JSON.stringify(replies));
  await sql
    .raw(
      `with entry as (insert into operator_actions (actor, action, target, reason, effect)
         values ('asha@kaveri.example', 'passkeys.add', 'PSK-X', 'Laptop', '{}'))
       insert into operator_passkeys select 'PSK-X', id, 'credential', 'key', 0, 'Laptop', now(), null, 'localhost' from operators where role = 'owner'`,
    )
    .execute(money.owner.db);
}

async function lastCycle({ portal }: Money): Promise<string> {
  const paid = portal.db.selectFrom('cycles').select('id').where('status', '=', 'PAID').where('price_paise', '>', 100);
  return (await paid.orderBy('paid_at', 'desc').executeTakeFirstOrThrow()).id;
}

/** A buyer abroad, whose two invoices bear no tax under the letter of undertaking. */
async function sellAbroad(money: Money): Promise<void> {
  const { portal } = money;
  const abroad = { stateCode: '96', country: 'SG', pin: '018956', city: 'Singapore' };
  const buyer = await money.newCustomer({ ...sampleProfile, ...abroad });
  await declareClaim(money, buyer.token);
  money.moveClock(hourMs);
  for (const id of ['tax-lookup-api', 'invoicing-system']) {
    const { billingCycleId = '' } = await money.ask(activatePlan, { params: { id, planId: 'growth' } }, buyer.token);
    const { orderId } = await createOrder(portal, buyer, billingCycleId);
    await settlePayment(portal, (await money.checkOut(orderId)).paymentId);
  }
}

const part = (data: object): string => Buffer.from(JSON.stringify(data)).toString('base64url');

/** The first invoice abroad is registered, as the invoice portal does it. */
async function register({ portal, owner }: Money): Promise<void> {
  const row = await portal.db
    .selectFrom('documents')
    .selectAll()
    .where(sql<boolean>`content ->> 'tax' = 'NONE'`)
    .orderBy('sequence')
    .limit(1)
    .executeTakeFirstOrThrow();
  const { gstin } = row.content.supplier;
  const irn = irnOf({
    supplierGstin: gstin,
    financialYear: row.financial_year,
    documentType: 'INV',
    documentNumber: row.number,
  });
  const data = JSON.stringify({ SellerGstin: gstin, DocNo: row.number, Irn: irn });
  await owner.db
    .insertInto('e_invoices')
    .values({
      document_id: row.id,
      irn,
      ack_number: '1',
      ack_at: new Date(portal.clock()),
      signed_qr: `${part({ alg: 'RS256' })}.${part({ data, iss: 'NIC' })}.${part({})}`,
      signed_invoice: 'invoice',
      cancelled_at: null,
      cancel_reason: null,
    })
    .execute();
}
