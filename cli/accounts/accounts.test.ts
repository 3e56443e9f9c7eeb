import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { transaction } from '#shared/database/transaction.ts';
import { addDays, type Day, dayOf, startOfDay } from '#shared/domain/day.ts';
import { firstDayOf, type Month, monthOf, nextMonth } from '#shared/domain/month.ts';
import { placeIn } from '#shared/domain/test-place.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { readTrialBalance } from '#server/features/bookkeeping/bookkeeping.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { lockMonth } from '#server/features/period-locks/period-locks.ts';

let portal: TestPortal;
let sold: Month;
const folder = mkdtempSync(join(tmpdir(), 'octroi-books-'));
const terminal = captureTerminal();
const today = (): Day => dayOf(portal.portal.clock());

beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  await portal.behave({ webhooks: { enabled: false } });
  vi.stubEnv('DATABASE_URL', portal.portal.settings.databaseUrl);
  const [one, two, abroad] = [
    await newBuyer(portal, { gstin: '29ZZZCA0001A1Z0', legalName: '=HYPERLINK("http://x")' }),
    await newBuyer(portal, placeIn('27')),
    await newBuyer(portal, { stateCode: '96', country: 'SG', pin: '018956', city: 'Singapore' }),
  ];
  sold = monthOf(today());
  for (const buyer of [one, two, abroad]) await buyer.buy(0);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await portal.close();
  rmSync(folder, { recursive: true });
});
const because = ['--reason', 'GSTR-1 filed', '--actor', 'asha'];
/** No settlement was read here, and no check has run. */
const despite = ['--despite', 'SETTLEMENT_CHECK', 'BOOKS_CHECK'];

/** Changes a document behind the back of the product. */
const plant = (paise: number) =>
  transaction(portal.owner.db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update documents set taxable_paise = taxable_paise + ${paise}, total_paise = total_paise + ${paise}
      where id = (select min(id) from documents where kind = 'INVOICE' and refers_to is null)`.execute(tx);
  });

test('the trial balance of a day is printed as a table, JSON and CSV', async () => {
  const on = today();
  const { debitPaise, creditPaise } = await readTrialBalance(portal.portal.db, on);
  expect(await run(['accounts', 'trial-balance', '--on', on])).toBe(exitCodes.done);
  expect(terminal.out).toMatch(/^Payment gateway +₹/m);
  expect(terminal.out).toMatch(/^Total +₹/m);
  terminal.out = '';
  expect(await run(['accounts', 'trial-balance', '--json'])).toBe(exitCodes.done);
  const rows = z.array(z.object({ account: z.string() }));
  const balance = z.object({ on: z.string(), debit: z.number(), credit: z.number(), rows });
  expect(balance.parse(JSON.parse(terminal.out))).toMatchObject({
    on,
    debit: debitPaise / 100,
    credit: creditPaise / 100,
  });
  terminal.out = '';
  expect(await run(['accounts', 'trial-balance', '--on', on, '--csv'])).toBe(exitCodes.done);
  // As it can be redirected into a file for a spreadsheet.
  expect(terminal.out).toMatch(/^\ufeff\w/);
  expect(terminal.out.endsWith(`\r\nTotal,,${debitPaise / 100},${creditPaise / 100}\r\n`)).toBe(true);
});

test('books that differ from the ledger end the command with 3, and the ledger with them', async () => {
  expect(await run(['verify-ledger'])).toBe(exitCodes.done);
  expect(terminal.out).toMatch(
    /^\d+ entries, the last hash is [0-9a-f]{64}\n\d+ seals, the last one is \d+:[0-9a-f]{64}\nThe ledger is correct\.\n$/,
  );
  await plant(100);
  expect(await run(['accounts', 'trial-balance'])).toBe(exitCodes.faults);
  expect(terminal.errors).not.toBe('');
  terminal.out = '';
  expect(await run(['verify-ledger', '--json'])).toBe(exitCodes.faults);
  expect(JSON.parse(terminal.out)).toMatchObject({
    hash: expect.any(String),
    faults: expect.arrayContaining([expect.stringContaining('has been changed')]),
  });
  await plant(-100);
  expect(await run(['accounts', 'trial-balance'])).toBe(exitCodes.done);
});

test('a day or month that does not exist is a wrong command line; a day to come is refused', async () => {
  expect(await run(['accounts', 'trial-balance', '--on', '2026-02-30'])).toBe(exitCodes.usage);
  expect(terminal.errors).toContain('2026-02-30 is not a day');
  expect(await run(['accounts', 'trial-balance', '--on', '2999-01-01'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('is still to come');
  for (const command of [['accounts', 'export'], ['gstr1'], ['gstr3b'], ['month-pack'], ['settlements']]) {
    terminal.errors = '';
    expect(await run([...command, '2026-13'])).toBe(exitCodes.usage);
    expect(terminal.errors).toContain('2026-13 is not a month');
  }
});

test('the returns, the papers and the books of a month are written as files', async () => {
  const { supplierGstin: gstin } = portal.portal.settings;
  expect(await run(['gstr1', sold, join(folder, 'gstr1')])).toBe(exitCodes.done);
  expect(terminal.out).toContain('Checked: every column and total is consistent.');
  expect(readdirSync(join(folder, 'gstr1'))).toEqual([gstin]);
  const tableOf = (name: string): string => readFileSync(join(folder, 'gstr1', gstin, name), 'utf8');
  const period = `${sold.slice(5)}${sold.slice(0, 4)}`;
  for (const name of ['gstr1.json', 'gstr1-all.json'])
    expect(JSON.parse(tableOf(name))).toMatchObject({ gstin, fp: period });
  expect(tableOf('b2b.csv')).toContain(`"'=HYPERLINK`);
  expect(tableOf('hsn-b2b.csv')).toMatch(/998\d{3},/);
  terminal.out = '';
  expect(await run(['gstr3b', sold, join(folder, 'gstr3b'), '--json'])).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({ month: sold, returns: [{ gstin, negativeRows: [] }] });
  const gstr3b = JSON.parse(readFileSync(join(folder, 'gstr3b', gstin, 'gstr3b.json'), 'utf8'));
  expect(gstr3b).toMatchObject({ gstin, ret_period: period });
  expect(await run(['accounts', 'export', sold, join(folder, 'accounts')])).toBe(exitCodes.done);
  expect(readdirSync(join(folder, 'accounts'))).toEqual(
    expect.arrayContaining(['tally-masters.xml', 'tally-vouchers.xml', 'sales-register.csv']),
  );
  terminal.out = '';
  expect(await run(['month-pack', sold, join(folder, 'month.zip'), '--json'])).toBe(exitCodes.done);
  // No PDF is rendered here.
  expect(JSON.parse(terminal.out)).toMatchObject({
    documents: 0,
    missing: expect.arrayContaining([expect.any(String)]),
  });
  expect(readFileSync(join(folder, 'month.zip')).subarray(0, 2).toString()).toBe('PK');
});

test('an export without proof of its payment is listed until the proof is recorded, which the customer reads', async () => {
  expect(await run(['remittances', 'list', '--json'])).toBe(exitCodes.done);
  const [due] = z.array(z.object({ paymentId: z.string(), state: z.string() })).parse(JSON.parse(terminal.out));
  const paymentId = due?.paymentId ?? '';
  const words = ['remittances', 'record', paymentId, 'FIRA', '2611AB0001', today(), '17.90', 'USD', ...because];
  expect(await run([...words, '--dry-run'])).toBe(exitCodes.done);
  // What --yes would refuse, --dry-run refuses too.
  expect(await run([...words.with(2, 'pay_unknown'), '--dry-run'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('There is no document about the payment pay_unknown.');
  expect(await run([...words.with(5, addDays(today(), 1)), '--dry-run'])).toBe(exitCodes.failed);
  expect(await run(words)).toBe(exitCodes.usage);
  expect(await run([...words.with(6, '17,90'), '--yes'])).toBe(exitCodes.usage);
  expect(terminal.errors).toContain('17,90 is not an amount');
  expect(await run([...words, '--yes'])).toBe(exitCodes.done);
  terminal.out = '';
  expect(await run(['remittances', 'list'])).toBe(exitCodes.done);
  expect(terminal.out).toBe('No export lacks the proof of its payment.\n');
  expect(await run(['remittances', 'list', '--all'])).toBe(exitCodes.done);
  expect(terminal.out).toContain('FIRA 2611AB0001');
  const [action] = await listActions(portal.portal.db, { limit: 1 });
  expect(action).toMatchObject({ action: 'remittances.record', target: paymentId, effect: { amount: '17.90' } });
  expect(action?.customerId).toEqual(expect.any(String));
});

test('a month is locked, listed and unlocked, and a locked one whose figures changed is found', async () => {
  expect(await run(['accounts', 'lock', sold, ...because, '--yes'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain(`${sold} isn't over`);
  const { db, clock } = portal.portal;
  const over = addDays(firstDayOf(nextMonth(sold)), 1);
  portal.moveClock(startOfDay(over) - clock());
  await sql`update clock set reached_day = ${over}`.execute(db);
  // Books are locked without the settings of papers and mails, which another command needs.
  vi.stubEnv('SUPPLIER_GSTIN', 'unknown here');
  expect(await run(['documents', 'send', 'OCT/1', ...because, '--dry-run'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('SUPPLIER_GSTIN');
  expect(await run(['accounts', 'lock', sold])).toBe(exitCodes.usage);
  expect(await run(['accounts', 'lock', sold, ...because, '--dry-run'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain(`${sold} isn't ready: SETTLEMENT_CHECK`);
  expect(await run(['month-end', sold])).toBe(exitCodes.faults);
  expect(terminal.out).toMatch(/^not yet {2}SETTLEMENT_CHECK: .+\n +octroi settlements \d{4}-\d{2}$/m);
  expect(await run(['accounts', 'lock', sold, ...because, ...despite, '--dry-run'])).toBe(exitCodes.done);
  expect(terminal.out).toContain('Left undone: SETTLEMENT_CHECK: ');
  expect(await run(['accounts', 'locks'])).toBe(exitCodes.done);
  expect(terminal.out).toContain('No month has been locked.');
  expect(await run(['accounts', 'lock', sold, ...because, ...despite, '--yes'])).toBe(exitCodes.done);
  expect(await run(['accounts', 'locks'])).toBe(exitCodes.done);
  expect(terminal.out).toMatch(new RegExp(`^${sold} locked on .+ by asha: GSTR-1 filed$`, 'm'));
  await plant(100);
  expect(await run(['accounts', 'locks'])).toBe(exitCodes.faults);
  expect(terminal.errors).toContain(`The figures of ${sold} have changed since it was locked.`);
  await plant(-100);
  expect(await run(['accounts', 'unlock', sold, '--reason', 'A wrong GSTIN', '--yes'])).toBe(exitCodes.done);
  vi.stubEnv('SUPPLIER_GSTIN', undefined);
  const actions = await listActions(db, { limit: 2 });
  expect(actions.map(({ action, target }) => [action, target])).toEqual([
    ['months.unlock', sold],
    ['months.lock', sold],
  ]);
});

test('a month whose lock was cut off before its figures were stored is found, until it is locked again', async () => {
  const { db } = portal.portal;
  const cause = { actor: 'asha', reason: 'GSTR-1 filed' };
  await expect(lockMonth(db, sold, cause, () => Promise.reject(new Error('cut off')))).rejects.toThrow('cut off');
  expect(await run(['accounts', 'locks'])).toBe(exitCodes.faults);
  expect(terminal.errors).toContain(
    `The figures of ${sold} were not stored when it was locked. If no command locks it just now, unlock it`,
  );
  expect(await run(['accounts', 'unlock', sold, ...because, '--yes'])).toBe(exitCodes.done);
  expect(await run(['accounts', 'lock', sold, ...because, ...despite, '--yes'])).toBe(exitCodes.done);
  expect(await run(['accounts', 'locks'])).toBe(exitCodes.done);
  expect(await run(['accounts', 'unlock', sold, ...because, '--yes'])).toBe(exitCodes.done);
});

test('without a database nothing is created, and the settings to name it are told', async () => {
  vi.stubEnv('DATABASE_URL', '');
  vi.stubEnv('DATA_DIR', join(folder, 'nothing'));
  expect(await run(['verify-ledger'])).toBe(exitCodes.failed);
  expect(terminal.errors).toMatch(/There is no database in .*nothing\. Set DATABASE_URL, or DATA_DIR/);
  expect(readdirSync(folder)).not.toContain('nothing');
});
