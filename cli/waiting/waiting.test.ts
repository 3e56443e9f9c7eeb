import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { readAccount } from '#shared/contract/account.ts';
import { endCycle } from '#shared/contract/cycles.ts';
import { askErasure } from '#shared/contract/privacy.ts';
import { createSupportThread } from '#shared/contract/support.ts';
import { dayOf } from '#shared/domain/day.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { carryOutRefund } from '#server/features/refunds/refunds.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
const terminal = captureTerminal();
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  await portal.behave({ refunds: 'insufficient-balance' });
  vi.stubEnv('DATABASE_URL', portal.portal.settings.databaseUrl);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await portal.close();
});

const waiting = async (): Promise<string> => {
  terminal.out = '';
  expect(await run(['waiting'])).toBe(exitCodes.done);
  return terminal.out;
};
const because = ['--reason', 'A test', '--actor', 'asha', '--yes'];

test('what waits for an operator is listed with the command for it, until it is done', async () => {
  expect(await waiting()).toBe('Nothing waits for you.\n');
  const token = await portal.newCustomer();
  const { user } = await portal.ask(readAccount, {}, token);
  const body = { subject: 'A question', message: 'How do I search?', activationId: null };
  const { id: threadId } = await portal.ask(createSupportThread, { body }, token);
  await portal.ask(askErasure, {}, token);
  const buyer = await newBuyer(portal);
  const billingCycleId = await buyer.buy(30);
  await portal.ask(endCycle, { params: { activationId: buyer.activationId, billingCycleId } }, buyer.token);
  const { db } = portal.portal;
  const { id: refundId } = await db.selectFrom('refunds').select('id').executeTakeFirstOrThrow();
  await carryOutRefund(portal.portal, refundId);
  await db.updateTable('settlement_reading').set({ differences: 3, compared_at: new Date() }).execute();
  const listed = await waiting();
  const next = [
    `refunds by-transfer ${refundId}`,
    `support show ${threadId}`,
    `customers erase ${user.id} --dry-run`,
    'settlements',
  ];
  expect([...listed.matchAll(/^ {4}octroi (.*)$/gm)].map(([, command]) => command)).toEqual(next);
  expect(listed).toContain('  3 differences between');

  expect(await run(['refunds', 'by-transfer', refundId, ...because])).toBe(exitCodes.done);
  expect(await waiting()).toContain(`octroi refunds transferred ${refundId}\n`);
  const on = dayOf(portal.portal.clock());
  const transfer = ['refunds', 'transferred', refundId, '--utr', 'SBIN326015123456', '--on', on];
  expect(await run([...transfer, ...because])).toBe(exitCodes.done);
  expect(await run(['support', 'close', threadId, ...because])).toBe(exitCodes.done);
  expect(await run(['customers', 'erase', user.id, ...because])).toBe(exitCodes.done);
  await db.updateTable('settlement_reading').set({ differences: 0 }).execute();
  expect(await waiting()).toBe('Nothing waits for you.\n');
});
