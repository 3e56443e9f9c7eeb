import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCycle } from '#shared/contract/cycles.ts';
import { createOrder } from '#shared/contract/payments.ts';
import type { DocumentKind } from '#shared/domain/document.ts';
import { seriesOfKind } from '#shared/domain/document-series.ts';
import { addDays } from '#shared/domain/day.ts';
import { financialYearOf } from '#shared/domain/financial-year.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { newBuyer } from './test-buyer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
  await portal.behave({ webhooks: { enabled: false } });
});
afterAll(() => portal.close());

const health = async () => (await fetch(`${portal.portalUrl}/backend/health`)).json();
const logged = (level: 'info' | 'error', text: string) =>
  portal.logLines.filter((line) => line.includes(`"level":"${level}"`) && line.includes(text));

/** Sets a series and its last number for this year. The triggers are off: the documents themselves don't matter here. */
async function given(series: string, lastNumber: number): Promise<void> {
  const buyer = await newBuyer(portal);
  await portal.owner.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`insert into document_series
      select f.name, ${financialYearOf(buyer.today())}, case f.name when ${series} then ${lastNumber} else f.last end, now() - interval '1 hour'
      from document_series_forms f join document_series_forms g on g.kind = f.kind and f.place <= g.place where g.name = ${series}
      on conflict (series, financial_year) do update set last_number = excluded.last_number`.execute(tx);
  });
}

const lastOf = (kind: DocumentKind) => seriesOfKind[kind].at(-1)?.name ?? '';

test('database and domain have the same series', async () => {
  const rows = await portal.portal.db.selectFrom('document_series_forms').selectAll().orderBy('place').execute();
  for (const [kind, all] of Object.entries(seriesOfKind)) {
    expect(rows.filter((row) => row.kind === kind)).toEqual(
      all.map(({ name, letter: letters, digits, last }, place) => ({ name, kind, place, letters, digits, last })),
    );
  }
});

test('a payment settles when the series of invoices or receipt vouchers is full: its document is in the next series', async () => {
  await given('INVOICE', 999_999);
  // More digits than the series has today: existing numbers stay valid.
  await given('RECEIPT_VOUCHER', 12_345);
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  await buyer.end(await buyer.buy(40));
  expect((await buyer.documents()).map(({ kind, number }) => `${kind} ${number.slice(10)}`)).toEqual([
    'INVOICE A00001',
    'RECEIPT_VOUCHER S00001',
    'REFUND_VOUCHER V0001',
  ]);
});

test('a series that is 80 % used is logged as information, and health stays ok', async () => {
  await given('INVOICE A', 79_999);
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  expect(logged('info', '80 % used')).toEqual([expect.stringContaining('/A80000')]);
  expect(await health()).toMatchObject({ documentNumbers: { enough: true } });
});

test('80 % of the last series is logged as an error, and health reports that numbers run out', async () => {
  await given(lastOf('INVOICE'), 7_999);
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  expect(logged('error', 'running out')).toEqual([expect.stringContaining('/LZ8000')]);
  expect(await health()).toMatchObject({ documentNumbers: { enough: false } });
});

test.each(['INVOICE', 'RECEIPT_VOUCHER', 'CREDIT_NOTE', 'REFUND_VOUCHER'] as const)(
  'no order is created while no number for a %s is left, and no money moves; existing orders stay valid',
  async (kind) => {
    const { rows } = await sql<{ waiting: number }>`select (
      (select count(*) from payment_orders where status in ('CREATING', 'OPEN')) +
      (select count(*) from documents v where kind = 'RECEIPT_VOUCHER' and not exists (select from documents f where f.refers_to = v.id))
    )::int as waiting`.execute(portal.portal.db);
    const buyer = await newBuyer(portal);
    const add = async (inDays: number) => {
      const body = { startDate: addDays(buyer.today(), inDays) };
      const params = { activationId: buyer.activationId, planId: 'growth' };
      return (await portal.ask(addCycle, { params, body }, buyer.token)).billingCycleId ?? '';
    };
    const first = await add(0);
    const second = await add(31);
    const all = seriesOfKind[kind].at(-1)?.last ?? 0;
    // Leaves one number besides those that earlier orders and advances of these tests still need.
    await given(lastOf(kind), all - 1 - (rows[0]?.waiting ?? 0));
    const order = await portal.ask(createOrder, { params: { id: first } }, buyer.token);
    const refused = await portal.send(createOrder, { params: { id: second } }, buyer.token);
    expect([refused.status, refused.body]).toMatchObject([503, { code: 'no_document_number' }]);
    expect(logged('error', 'orders are refused').at(-1)).toContain(kind);
    const orders = await portal.portal.db
      .selectFrom('payment_orders')
      .selectAll()
      .where('cycle_id', '=', second)
      .execute();
    expect(orders).toEqual([]);
    // A second request for the first order returns the same order.
    expect((await portal.ask(createOrder, { params: { id: first } }, buyer.token)).orderId).toBe(order.orderId);
    await portal.owner.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql`delete from document_series where series <> ${kind} and series like ${`${kind}%`}`.execute(tx);
    });
  },
);
