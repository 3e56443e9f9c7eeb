import type { Db } from '#shared/database/connect.ts';
import { sumOf } from '#shared/database/expressions.ts';
import type { Account } from '#shared/domain/ledger.ts';

/** What was booked on one side of an account, in paise; positive. */
export interface Booked {
  account: Account;
  side: 'debit' | 'credit';
  paise: number;
}

/**
 * Reads what the ledger has booked since the last reading, at first since this was created: the cost is that of what is new. Readings run
 * one after the other, so that nothing is counted twice.
 */
export function createLedgerReader(db: Db): () => Promise<Booked[]> {
  let readTo: number | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const read = async (): Promise<Booked[]> => {
    const head = await db.selectFrom('ledger_head').select('position').executeTakeFirst();
    const position = head?.position ?? 0;
    const from = readTo ?? position;
    const rows =
      position === from
        ? []
        : await db
            .selectFrom('ledger_lines')
            .innerJoin('ledger_entries', 'ledger_entries.id', 'ledger_lines.entry_id')
            .select((line) => [
              'account',
              sumOf(line.ref('amount_paise'), line('amount_paise', '>', 0)).as('debit'),
              sumOf(line.ref('amount_paise'), line('amount_paise', '<', 0)).as('credit'),
            ])
            .where('position', '>', from)
            .where('position', '<=', position)
            .groupBy('account')
            .execute();
    readTo = position;
    return rows.flatMap(({ account, debit, credit }) => [
      { account, side: 'debit' as const, paise: debit },
      { account, side: 'credit' as const, paise: -credit },
    ]);
  };

  return () => {
    const next = last.catch(() => undefined).then(read);
    last = next;
    return next;
  };
}
