import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { endCycle } from '#shared/contract/cycles.ts';
import { dayOf } from '#shared/domain/day.ts';
import { carryOutRefund } from '#server/features/refunds/refunds.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
const terminal = captureTerminal();

beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  vi.stubEnv('DATABASE_URL', portal.portal.settings.databaseUrl);
  await portal.behave({ refunds: 'insufficient-balance' });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await portal.close();
});

const because = ['--reason', 'Paid by NEFT', '--actor', 'asha'];
const today = () => dayOf(portal.portal.clock());

/** A refund that Razorpay refuses. */
async function refused(): Promise<string> {
  const buyer = await newBuyer(portal);
  const billingCycleId = await buyer.buy(30);
  await portal.ask(endCycle, { params: { activationId: buyer.activationId, billingCycleId } }, buyer.token);
  const find = portal.portal.db.selectFrom('refunds').select('id').where('cycle_id', '=', billingCycleId);
  const { id } = await find.executeTakeFirstOrThrow();
  await carryOutRefund(portal.portal, id);
  return id;
}

test('refunds that Razorpay refuses are listed, turned into a transfer, and completed with its number', async () => {
  expect(await run(['refunds', 'list'])).toBe(exitCodes.done);
  expect(terminal.out).toContain('No refund waits for a transfer, is refused, was returned or is late.');
  const id = await refused();
  terminal.out = '';
  expect(await run(['refunds', 'list'])).toBe(exitCodes.done);
  expect(terminal.out).toContain(`${id}  refused by Razorpay  ₹1,499`);
  expect(terminal.out).toContain('does not have enough balance');

  const transferred = ['refunds', 'transferred', id, '--utr', 'sbin 3260 1512 3456', '--on', today(), ...because];
  expect(await run([...transferred, '--yes'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain(`octroi refunds by-transfer ${id}`);
  const turn = ['refunds', 'by-transfer', id, ...because];
  expect(await run([...turn, '--dry-run'])).toBe(exitCodes.done);
  expect(await run([...turn, '--yes'])).toBe(exitCodes.done);
  terminal.out = '';
  expect(await run(['refunds', 'list', '--json'])).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject([{ id, payout: 'TRANSFER', amount: 1499 }]);

  expect(await run([...transferred, '--dry-run'])).toBe(exitCodes.done);
  expect(await run(transferred)).toBe(exitCodes.usage);
  terminal.out = '';
  expect(await run([...transferred, '--yes', '--json'])).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({ recorded: true, id, utr: 'SBIN326015123456', amount: 1499 });
  terminal.out = '';
  expect(await run(['payments', 'show', id])).toBe(exitCodes.done);
  expect(terminal.out).toContain('by transfer SBIN326015123456');
});

test('a transfer without a number, and an unknown refund, are refused', async () => {
  const words = ['refunds', 'transferred', 'RFD-NONE', '--on', today(), ...because, '--yes'];
  expect(await run(words)).toBe(exitCodes.usage);
  expect(await run([...words, '--utr', '12'])).toBe(exitCodes.usage);
  expect(terminal.errors).toContain('is not the number of a transfer');
  expect(await run([...words, '--utr', 'SBIN326015123457'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('There is no refund RFD-NONE');
});
