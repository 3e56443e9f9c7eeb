import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { updateProfile } from '#shared/contract/account.ts';
import { correctInvoice } from '#shared/contract/documents.ts';
import { addDays, type Day, dayOf, startOfDay } from '#shared/domain/day.ts';
import { monthOf } from '#shared/domain/month.ts';
import { transaction } from '#shared/database/transaction.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { documentRefund } from './documents.ts';
import { readGstReturn } from './gstr1.ts';
import { newBuyer } from './test-buyer.ts';

let portal: TestPortal;
const lastDay: Day = `${Number(dayOf(Date.now()).slice(0, 4)) + 1}-10-31`;
beforeAll(async () => {
  const catalogDir = changedCatalog({
    'invoicing-system': { onDeactivate: 'refund-unused', 'plans.growth.maxDays': '366' },
  });
  portal = await startTestPortal({ jobs: false, catalogDir });
  await portal.behave({ webhooks: { enabled: false } });
});
afterAll(() => portal.close());

test('portal and database refuse to correct an invoice more than three times', async () => {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const outcomes: unknown[] = [];
  for (let time = 0; time < 4; time += 1) {
    // A consumer becomes a business and back: more than a detail, so each correction is a credit note and a new invoice.
    const gstin = time % 2 === 0 ? '29ZZZCA0001A1Z0' : null;
    await portal.ask(updateProfile, { body: { ...sampleProfile, gstin } }, buyer.token);
    const invoice = (await buyer.documents()).findLast(({ kind }) => kind === 'INVOICE');
    const response = await portal.send(correctInvoice, { params: { documentId: invoice?.id ?? '' } }, buyer.token);
    outcomes.push(response.status === 200 ? 200 : response.body);
  }
  expect(outcomes.slice(0, 3)).toEqual([200, 200, 200]);
  expect(outcomes[3]).toMatchObject({
    code: 'corrected_too_often',
    message: expect.stringContaining('contact support'),
  });
  expect(await buyer.documents()).toHaveLength(7);
  const current = await portal.portal.db
    .selectFrom('documents')
    .selectAll()
    .where('id', '=', (await buyer.documents()).findLast(({ kind }) => kind === 'INVOICE')?.id ?? '')
    .executeTakeFirstOrThrow();
  const series = await portal.portal.db
    .selectFrom('document_series')
    .selectAll()
    .where('series', '=', current.series)
    .executeTakeFirstOrThrow();
  const sequence = series.last_number + 1;
  const insert = portal.portal.db.transaction().execute(async (tx) => {
    await tx
      .updateTable('document_series')
      .set({ last_number: sequence })
      .where('series', '=', current.series)
      .execute();
    const number = current.number.replace(/\d{6}$/, String(sequence).padStart(6, '0'));
    const content = JSON.stringify(current.content);
    // The database computes the days of the plan by itself.
    const { from_date: _from, to_date: _to, ...written } = current;
    const next = {
      ...written,
      id: 'DOC-FOURTH',
      number,
      sequence,
      issued_at: series.last_issued_at,
      refers_to: current.id,
      content,
    };
    await tx.insertInto('documents').values(next).execute();
  });
  await expect(insert).rejects.toThrow('has been corrected three times');
});

test('on every path, credit notes reduce tax until 31 October and not from 1 November', async () => {
  const buyers = [await newBuyer(portal), await newBuyer(portal), await newBuyer(portal), await newBuyer(portal)];
  const [first, second, third, fourth] = buyers;
  if (!first || !second || !third || !fourth) throw new Error('four buyers');
  const refund = (buyer: typeof first, cycleId: string) =>
    transaction(portal.portal.db, async (tx) => {
      const { customer_id: customerId } = await tx
        .selectFrom('cycles')
        .select('customer_id')
        .where('id', '=', cycleId)
        .executeTakeFirstOrThrow();
      return documentRefund(portal.portal, { customerId }, tx, { cycleId, amountPaise: 10_000, reason: 'Agreed' });
    }).then(async () => (await buyer.documents())[1]);
  portal.moveClock(startOfDay(`${lastDay.slice(0, 4)}-03-20`) - Date.now());
  const [one, two, three, four] = [await first.buy(0), await second.buy(0), await third.buy(0), await fourth.buy(0)];
  // Two minutes before midnight of 31 October in India, then 1 November.
  portal.moveClock(startOfDay(addDays(lastDay, 1)) - 120_000 - portal.portal.clock());
  await first.end(one);
  expect((await first.documents())[1]).toMatchObject({ kind: 'CREDIT_NOTE', total: 573.39, igst: 87.47 });
  expect(await refund(third, three)).toMatchObject({
    kind: 'CREDIT_NOTE',
    total: 100,
    taxableValue: 84.75,
    igst: 15.26,
  });
  expect((await third.documents())[0]).toMatchObject({ kind: 'INVOICE' });
  portal.moveClock(startOfDay(addDays(lastDay, 1)) - portal.portal.clock());
  await second.end(two);
  const late = (await second.documents())[1];
  expect(late).toMatchObject({ kind: 'CREDIT_NOTE', igst: 0, roundOff: 0 });
  expect(late?.taxableValue).toBe(late?.total);
  expect(await refund(fourth, four)).toMatchObject({ kind: 'CREDIT_NOTE', total: 100, taxableValue: 100, igst: 0 });
  const [invoiceOfTwo] = await second.documents();
  const corrected = await portal.send(correctInvoice, { params: { documentId: invoiceOfTwo?.id ?? '' } }, second.token);
  expect(corrected.status).toBe(409);
  // November's return lists the notes in the summary of documents and deducts nothing for them.
  const november = await readGstReturn(portal.portal.db, monthOf(addDays(lastDay, 1)));
  expect([november.b2cs, november.cdnr, november.cdnur, november.hsn]).toEqual([[], [], [], []]);
  expect(november.docs).toMatchObject([{ kind: 'CREDIT_NOTE', count: 2 }]);
});

test('a provider who may still name a note in the return of November has until 30 November, and no longer in the database', async () => {
  const other = await startTestPortal({ jobs: false, env: { LAST_NOTE_DAY: '11-30' } });
  onTestFinished(() => other.close());
  await other.behave({ webhooks: { enabled: false } });
  const [first, second] = [await newBuyer(other), await newBuyer(other)];
  other.moveClock(startOfDay(`${lastDay.slice(0, 4)}-03-20`) - Date.now());
  for (const buyer of [first, second]) await buyer.buy(0);
  const refund = async (buyer: typeof first) => {
    const { customer_id: customerId, cycle_id: cycleId } = await other.portal.db
      .selectFrom('documents')
      .select(['customer_id', 'cycle_id'])
      .where('id', '=', (await buyer.documents())[0]?.id ?? '')
      .executeTakeFirstOrThrow();
    const wanted = { cycleId, amountPaise: 10_000, reason: 'Agreed' };
    await transaction(other.portal.db, (tx) => documentRefund(other.portal, { customerId }, tx, wanted));
    return (await buyer.documents())[1];
  };
  other.moveClock(startOfDay(`${lastDay.slice(0, 4)}-11-30`) - other.portal.clock());
  expect(await refund(first)).toMatchObject({ kind: 'CREDIT_NOTE', taxableValue: 84.75, igst: 15.26 });
  other.moveClock(86_400_000);
  expect(await refund(second)).toMatchObject({ kind: 'CREDIT_NOTE', taxableValue: 100, igst: 0 });
});
