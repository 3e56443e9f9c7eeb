import { z } from 'zod';
import { paise } from '#tests/audit/sums/arithmetic.ts';
import type { World } from '#tests/audit/world/world.ts';
import type { AccountsBook } from './books.ts';

const balanceSchema = z.object({
  rows: z.array(z.object({ account: z.string(), debit: z.number(), credit: z.number() })),
});

/** What the accounts of a year's income and expenses add up to over all years, and the trial balance of today in all other accounts. */
export async function readAccounts(world: World): Promise<AccountsBook> {
  const today = await balanceOf(world);
  const { balances } = today;
  for (let year = Number((await world.today()).slice(0, 4)); balances.get('earlier-years') !== 0; year -= 1) {
    const closed = `${year}-03-31`;
    if (closed >= (await world.today())) continue;
    const before = await balanceOf(world, closed);
    today.faults.push(...before.faults);
    for (const account of nominal)
      balances.set(account, (balances.get(account) ?? 0) + (before.balances.get(account) ?? 0));
    const sum = nominal.reduce((total, account) => total + (before.balances.get(account) ?? 0), 0);
    balances.set('earlier-years', (balances.get('earlier-years') ?? 0) - sum);
    if (sum === 0) break;
  }
  return today;
}

const nominal = ['revenue', 'gateway-fees', 'bad-debts', 'dispute-losses', 'round-off'];

/** The trial balance of a day, by default of today, as the operator's command prints it. */
async function balanceOf(world: World, on?: string): Promise<AccountsBook> {
  const day = on === undefined ? [] : ['--on', on];
  const { code, output } = await world.octroi('accounts', 'trial-balance', '--json', ...day);
  const end = output.lastIndexOf('\n}') + 2;
  if (end < 2) return { balances: new Map([['earlier-years', 0]]), faults: [output.trim()] };
  const { rows } = balanceSchema.parse(JSON.parse(output.slice(0, end)));
  const balances = new Map(rows.map(({ account, debit, credit }) => [account, paise(debit) - paise(credit)]));
  const sum = [...balances.values()].reduce((total, balance) => total + balance, 0);
  return {
    balances,
    faults: [
      ...(code === 0 ? [] : [output.slice(end).trim()]),
      ...(sum === 0 ? [] : [`debits exceed credits by ${sum} paise`]),
    ],
  };
}
