import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { startTestPortal, type TestPortal } from '#server/test-portal.ts';

let portal: TestPortal;
const terminal = captureTerminal();

beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
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
  for (const amount of ['ten', '-5', '1.234', '1e3', ''])
    expect(await run(['refund', 'CYC-1', `--amount=${amount}`, ...because, '--yes'])).toBe(exitCodes.usage);
  expect(await run(['refund', 'CYC-1', '--yes'])).toBe(exitCodes.usage);
  expect(await run(['refund', 'CYC-1', ...because, '--yes'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('No payment is known as CYC-1');
});
