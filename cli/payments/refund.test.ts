import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { buyPack } from '#shared/contract/cycles.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { formatRupees } from '#shared/domain/money.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
const terminal = captureTerminal();

beforeAll(async () => {
  const packs = '[{ id: more, name: More, units: 1000, price: 99 }]';
  const catalogDir = changedCatalog({
    'tax-lookup-api': { onDeactivate: 'refund-unused', 'plans.growth.packs': packs },
    'invoicing-system': { onDeactivate: 'lose', 'plans.growth.packs': packs },
  });
  portal = await startTestPortal({ jobs: false, catalogDir });
  vi.stubEnv('DATABASE_URL', portal.portal.settings.databaseUrl);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await portal.close();
});

const because = ['--reason', 'The API was down', '--actor', 'asha'];

test('a refund is shown, confirmed and made once by command', async () => {
  const buyer = await newBuyer(portal);
  const cycleId = await buyer.buy(0);
  const words = ['refund', cycleId, '--amount', '250.50', ...because];
  expect(await run([...words, '--dry-run'])).toBe(exitCodes.done);
  expect(terminal.out).toContain('₹250.50 with a credit note');
  expect(terminal.out).toContain('the plan goes on');
  expect(await run(words)).toBe(exitCodes.usage);
  expect(terminal.errors).toContain('Nothing was changed. Add --yes');
  expect(await portal.portal.db.selectFrom('refunds').select('id').execute()).toEqual([]);
  terminal.out = '';
  expect(await run([...words, '--yes', '--json'])).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({
    refunded: true,
    already: false,
    amount: 250.5,
    cycles: [{ effect: 'goes on' }],
  });
  terminal.out = '';
  expect(await run([...words, '--yes'])).toBe(exitCodes.done);
  expect(terminal.out).toContain('was refunded for this reason before');
  expect(await portal.portal.db.selectFrom('refunds').select('amount_paise').execute()).toEqual([
    { amount_paise: 25_050 },
  ]);
});

test('what is no amount, no payment or has no reason is refused', async () => {
  for (const amount of ['ten', '-5', '1.234', '1e3', '', '0', '0.00'])
    expect(await run(['refund', 'CYC-1', `--amount=${amount}`, ...because, '--yes'])).toBe(exitCodes.usage);
  expect(terminal.errors).toContain('0.00 is not an amount in rupees, such as 250 or 249.50.');
  expect(await run(['refund', 'CYC-1', '--yes'])).toBe(exitCodes.usage);
  expect(await run(['refund', 'CYC-1', ...because, '--yes'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('No payment is known as CYC-1');
});

/** A customer with a plan and a pack of it, both paid for. */
async function withPack(productId: string) {
  const token = await portal.newCustomer();
  const plan = { params: { id: productId, planId: 'growth' } };
  const { activationId, billingCycleId: cycleId = '' } = await portal.ask(activatePlan, plan, token);
  await portal.buy(token, cycleId);
  const { billingCycleId: packId } = await portal.ask(buyPack, { params: { activationId, packId: 'more' } }, token);
  await portal.buy(token, packId);
  const { db } = portal.portal;
  const cycle = db.selectFrom('cycles').select('price_paise').where('id', '=', cycleId);
  const refunded = async () => {
    const rows = await db
      .selectFrom('refunds')
      .select('amount_paise')
      .where('cycle_id', 'in', [cycleId, packId])
      .execute();
    return rows.reduce((sum, { amount_paise: paise }) => sum + paise, 0);
  };
  return { cycleId, packId, pricePaise: (await cycle.executeTakeFirstOrThrow()).price_paise, refunded };
}

test.each([
  ['gives back', 'tax-lookup-api', 9900, 'ends with it: ₹99 of the total is for it'],
  ['loses', 'invoicing-system', 0, 'ends with it, and ₹99 of it is not refunded. To refund it too: octroi refund'],
])(
  'a refund of a whole plan says before, after and in the audit log what a pack of it %s, and the true total',
  async (_, productId, backPaise, sentence) => {
    const { cycleId, packId, pricePaise, refunded } = await withPack(productId);
    const totalPaise = pricePaise + backPaise;
    const words = ['refund', cycleId, ...because];
    terminal.out = '';
    expect(await run([...words, '--dry-run'])).toBe(exitCodes.done);
    expect(terminal.out).toContain(`${formatRupees(totalPaise)} will be refunded`);
    expect(terminal.out).toContain(`Its pack More (${packId}) ${sentence}`);
    terminal.out = '';
    expect(await run([...words, '--yes', '--json'])).toBe(exitCodes.done);
    const packs = [{ cycleId: packId, amount: backPaise / 100, lost: (9900 - backPaise) / 100 }];
    expect(JSON.parse(terminal.out)).toMatchObject({ amount: totalPaise / 100, cycles: [{ cycleId, packs }] });
    expect(await refunded()).toBe(totalPaise);
    const kept = [{ cycleId: packId, amountPaise: backPaise, lostPaise: 9900 - backPaise }];
    expect(await listActions(portal.portal.db, { limit: 1 })).toMatchObject([
      { effect: { amountPaise: totalPaise, packs: kept } },
    ]);
  },
);
