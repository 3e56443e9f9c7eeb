import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { startTestPortal, type TestPortal } from '#server/test-portal.ts';

let portal: TestPortal;
let out = '';
let errors = '';

beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  vi.stubEnv('DATABASE_URL', portal.portal.settings.databaseUrl);
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    errors += String(text);
    return true;
  });
});
beforeEach(() => {
  out = '';
  errors = '';
});
afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await portal.close();
});

const because = ['--reason', 'The API was down', '--actor', 'asha'];

test('a refund is shown, confirmed and made once by command', async () => {
  const buyer = await newBuyer(portal);
  const cycleId = await buyer.buy(0);
  const words = ['refund', cycleId, '--amount', '250.50', ...because];
  expect(await run([...words, '--dry-run'])).toBe(exitCodes.done);
  expect(out).toContain('₹250.50 with a credit note');
  expect(out).toContain('the plan goes on');
  expect(await run(words)).toBe(exitCodes.usage);
  expect(errors).toContain('Nothing was changed. Add --yes');
  expect(await portal.portal.db.selectFrom('refunds').select('id').execute()).toEqual([]);
  out = '';
  expect(await run([...words, '--yes', '--json'])).toBe(exitCodes.done);
  expect(JSON.parse(out)).toMatchObject({
    refunded: true,
    already: false,
    amount: 250.5,
    cycles: [{ effect: 'goes on' }],
  });
  out = '';
  expect(await run([...words, '--yes'])).toBe(exitCodes.done);
  expect(out).toContain('was refunded for this reason before');
  expect(await portal.portal.db.selectFrom('refunds').select('amount_paise').execute()).toEqual([
    { amount_paise: 25_050 },
  ]);
});

test('what is no amount, no payment or has no reason is refused', async () => {
  for (const amount of ['ten', '-5', '1.234', '1e3', ''])
    expect(await run(['refund', 'CYC-1', `--amount=${amount}`, ...because, '--yes'])).toBe(exitCodes.usage);
  expect(await run(['refund', 'CYC-1', '--yes'])).toBe(exitCodes.usage);
  expect(await run(['refund', 'CYC-1', ...because, '--yes'])).toBe(exitCodes.failed);
  expect(errors).toContain('No payment is known as CYC-1');
});
