import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { readAccount } from '#shared/contract/account.ts';
import { listActivations } from '#shared/contract/activations.ts';
import { addDays } from '#shared/domain/day.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
const terminal = captureTerminal();
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  vi.stubEnv('DATABASE_URL', portal.portal.settings.databaseUrl);
  await portal.behave({ webhooks: { enabled: false } });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await portal.close();
});

const extend = (cycleId: string, days: string, ...more: string[]) =>
  run(['extend', cycleId, '--days', days, '--reason', 'The outage', '--actor', 'asha', ...more]);
const extended = z.object({ extended: z.literal(true), extensionId: z.string(), effectiveBy: z.null() });

test('a plan goes on for some days at no price, with its terms as sold and their quota, and every book agrees', async () => {
  const buyer = await newBuyer(portal);
  const cycleId = await buyer.buy(0);
  const documents = (await buyer.documents()).length;
  const plans = async () => {
    const [activation] = (await portal.ask(listActivations, {}, buyer.token)).activations;
    return activation?.billingCycles.filter(({ planId }) => planId === 'growth') ?? [];
  };
  const [sold] = await plans();
  const end = sold?.toDate ?? '';
  expect(await extend(cycleId, '3', '--dry-run')).toBe(exitCodes.done);
  expect(terminal.out).toContain('goes on');
  expect(await plans()).toHaveLength(1);
  expect(await extend(cycleId, '3')).toBe(exitCodes.usage);
  terminal.out = '';
  expect(await extend(cycleId, '3', '--yes', '--json')).toBe(exitCodes.done);
  const { extensionId } = extended.parse(JSON.parse(terminal.out));
  expect(await plans()).toMatchObject([
    { id: cycleId, toDate: end, price: sold?.price },
    {
      id: extensionId,
      fromDate: end,
      toDate: addDays(end, 3),
      price: 0,
      monthlyQuota: sold?.monthlyQuota,
      granted: 'The outage',
      dailyQuota: sold?.dailyQuota,
    },
  ]);
  expect(await buyer.documents()).toHaveLength(documents);
  const { providerActions } = await portal.ask(readAccount, {}, buyer.token);
  expect(providerActions).toMatchObject([{ action: 'plans.extend', target: extensionId, reason: 'The outage' }]);
  expect((await verifyLedgerOf(portal.portal.db)).faults).toEqual([]);
});

test('a plan is not extended that is over or unpaid, or that another one follows, which is named; nor one that does not exist', async () => {
  const buyer = await newBuyer(portal);
  const [first, second] = [await buyer.buy(0), await buyer.buy(30)];
  for (const how of ['--dry-run', '--yes']) {
    terminal.errors = '';
    expect(await extend(first, '3', how)).toBe(exitCodes.failed);
    expect(terminal.errors).toContain(`Extend that one: octroi extend ${second}`);
  }
  expect(await extend(second, '3', '--yes')).toBe(exitCodes.done);
  expect(await extend('CYC-nobody', '3', '--yes')).toBe(exitCodes.failed);
  expect(await extend(second, '0', '--yes')).toBe(exitCodes.usage);
  expect(await extend(second, '367', '--yes')).toBe(exitCodes.failed);
  expect(await run(['refund', second, '--reason', 'By mistake', '--yes'])).toBe(exitCodes.done);
  expect(await extend(second, '3', '--yes')).toBe(exitCodes.failed);
  expect(terminal.errors).toContain(`${second} has ended`);
  expect((await verifyLedgerOf(portal.portal.db)).faults).toEqual([]);
});
