import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { listActivations } from '#shared/contract/activations.ts';
import { previewEndCycle } from '#shared/contract/cycles.ts';
import { listHistory } from '#shared/contract/invoices.ts';
import { daysLeft } from '#shared/domain/cycle.ts';
import { addDays, type Day, dayOf, daysBetween } from '#shared/domain/day.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

const dayMs = 86_400_000;
const yearly = {
  id: 'yearly',
  category: 'yearly',
  name: 'Yearly',
  description: 'A year at once.',
  price: 11_999,
  maxDays: 365,
  dailyQuota: 1000,
  monthlyQuota: 300_000,
  rps: 5,
};

let portal: TestPortal;
beforeAll(async () => {
  const catalogDir = changedCatalog({ 'invoicing-system': { 'plans.scale-90': JSON.stringify(yearly) } });
  portal = await startTestPortal({ catalogDir });
  // A year from here contains 29 February 2028.
  portal.moveClock(daysBetween(dayOf(Date.now()), '2027-12-01') * dayMs);
});
afterAll(() => portal.close());

const today = (): Day => dayOf(portal.portal.clock());

async function textOf(pdf: Buffer): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
  const { items } = await (await document.getPage(1)).getTextContent();
  return items.map((item) => ('str' in item ? item.str : '')).join(' ');
}

test('a plan of 365 days ends a day early in a leap year; screens, paper and days left say the same days', async () => {
  const buyer = await newBuyer(portal);
  const id = await buyer.buy(0, 'yearly');
  // What is bought next follows without a gap, through a year of 365 days.
  const next = await buyer.buy(365, 'yearly');
  const history = await portal.ask(listHistory, { params: { id: buyer.activationId } }, buyer.token);
  const entryOf = (cycleId: string) => history.find((entry) => entry.id === cycleId);
  expect(entryOf(id)).toMatchObject({
    fromDate: '2027-12-01',
    toDate: '2028-11-30',
    validFor: '365 days',
    amount: 11_999,
  });
  expect(entryOf(next)).toMatchObject({ fromDate: '2028-11-30', toDate: '2029-11-30', validFor: '365 days' });

  const [invoice, voucher] = await buyer.documents();
  expect([invoice?.kind, voucher?.kind]).toEqual(['INVOICE', 'RECEIPT_VOUCHER']);
  const paper = await textOf(await buyer.download(invoice?.id ?? ''));
  expect(paper).toContain('1 Dec 2027 – 29 Nov 2028 (365 days)');
  expect(paper).toContain('11,999.00');
  expect(await textOf(await buyer.download(voucher?.id ?? ''))).toContain('30 Nov 2028 – 29 Nov 2029 (365 days)');

  // On the leap day itself.
  portal.moveClock(daysBetween(today(), '2028-02-29') * dayMs);
  expect(today()).toBe('2028-02-29');
  const [activation] = (await portal.ask(listActivations, {}, buyer.token)).activations;
  const running = activation?.billingCycles.find((cycle) => cycle.id === id);
  expect(running && daysLeft(running, today())).toBe(274);
  const params = { activationId: buyer.activationId, billingCycleId: id };
  expect(await portal.ask(previewEndCycle, { params }, buyer.token)).toMatchObject({
    unusedDays: 274,
    unusedAmount: Math.round((1_199_900 * 274) / 365) / 100,
  });

  portal.moveClock(daysBetween(today(), addDays('2028-11-30', -1)) * dayMs);
  const phases = async () =>
    (await portal.ask(listActivations, {}, buyer.token)).activations[0]?.billingCycles
      .filter((cycle) => [id, next].includes(cycle.id))
      .map((cycle) => [cycle.id, cycle.phase]);
  expect(await phases()).toEqual(
    expect.arrayContaining([
      [id, 'running'],
      [next, 'upcoming'],
    ]),
  );
  portal.moveClock(dayMs);
  expect(await phases()).toEqual(
    expect.arrayContaining([
      [id, 'over'],
      [next, 'running'],
    ]),
  );
  expect((await verifyLedgerOf(portal.portal.db)).faults).toEqual([]);
});
