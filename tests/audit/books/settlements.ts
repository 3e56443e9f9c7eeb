import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { razorpayFee } from '#tests/audit/sums/arithmetic.ts';
import type { World } from '#tests/audit/world/world.ts';
import type { SettlementBook } from './books.ts';
import { fromRazorpay } from './standin.ts';

const dayMs = 86_400_000;
const withinMs = 60_000;

/**
 * Lets Razorpay settle whatever it holds, lets the portal read it on the next day, and compares both. Time passes, so this is
 * the last look at a world.
 */
export async function readSettlements(world: World): Promise<SettlementBook> {
  // Refused while refunds exceed payments: then everything waits.
  const isAllSettled = await world.razorpay('POST', '/standin/settlements', {}).then(
    () => true,
    () => false,
  );
  await world.advance(dayMs);
  const differences = await untilCompared(world);
  const atRazorpay = await readRecon(world);
  const balances = await world.rows(
    balanceRow,
    'select account, sum(amount_paise)::bigint as paise from ledger_lines group by account',
  );
  const balanceOf = (account: string) => balances.find((row) => row.account === account)?.paise ?? 0;
  return {
    ...atRazorpay,
    isAllSettled,
    differences,
    banked: balanceOf('bank'),
    fees: balanceOf('fees'),
    feeTax: balanceOf('input_tax'),
    held: balanceOf('provider') + balanceOf('disputed'),
    unmatched: balanceOf('unmatched') + balanceOf('losses'),
  };
}

const balanceRow = z.object({ account: z.string(), paise: z.number() });
const readingRow = z.object({ day: z.string().nullable(), differences: z.number() });

/** Waits for the portal's own comparison of the day; returns how many differences it found. */
async function untilCompared(world: World): Promise<number> {
  const deadline = Date.now() + withinMs;
  const today = await world.today();
  for (;;) {
    const [reading] = await world.rows(
      readingRow,
      `select to_char(compared_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD') as day, differences from settlement_reading`,
    );
    if (reading?.day != null && reading.day >= today) return reading.differences;
    if (Date.now() > deadline) throw new Error('the portal did not read the settlements of the day');
    await sleep(150);
  }
}

const settlements = z.object({
  items: z.array(z.object({ id: z.string(), amount: z.int(), status: z.string(), created_at: z.int() })),
});
const recon = z.object({
  items: z.array(
    z.object({
      type: z.string(),
      amount: z.int(),
      settlement_id: z.string().nullable(),
      settled: z.boolean(),
    }),
  ),
});
const indiaMs = 5.5 * 3_600_000;

/** Razorpay's settlements, and the fees of the settled payments by the audit's own arithmetic. */
async function readRecon(world: World) {
  const { items } = settlements.parse(await fromRazorpay(world, '/v1/settlements?count=100'));
  const processed = new Map(items.filter(({ status }) => status === 'processed').map((one) => [one.id, one]));
  const days = new Set(items.map((one) => new Date(one.created_at * 1000 + indiaMs).toISOString().slice(0, 10)));
  const wanted = { fees: 0, feeTax: 0 };
  for (const day of days) {
    const [year, month, date] = day.split('-').map(Number);
    const path = `/v1/settlements/recon/combined?year=${year}&month=${month}&day=${date}&count=1000`;
    for (const item of recon.parse(await fromRazorpay(world, path)).items) {
      if (item.type !== 'payment' || !processed.has(item.settlement_id ?? '')) continue;
      const { fee, tax } = razorpayFee(item.amount);
      wanted.fees += fee;
      wanted.feeTax += tax;
    }
  }
  return {
    settled: [...processed.values()].reduce((sum, { amount }) => sum + amount, 0),
    expectedFees: wanted.fees,
    expectedFeeTax: wanted.feeTax,
  };
}
