import { z } from 'zod';
import { paise } from '#audit/sums/arithmetic.ts';
import type { World } from '#audit/world/world.ts';
import type { AccountsBook } from './books.ts';

const balanceSchema = z.object({
  rows: z.array(z.object({ account: z.string(), debit: z.number(), credit: z.number() })),
});

/** The trial balance of today, as the operator's command prints it. */
export async function readAccounts(world: World): Promise<AccountsBook> {
  const { code, output } = await world.octroi('accounts', 'trial-balance', '--json');
  const end = output.lastIndexOf('\n}') + 2;
  if (end < 2) return { balances: new Map(), faults: [output.trim()] };
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
