import type { Db } from '#shared/database/connect.ts';
import type { BookVoucher } from '#shared/domain/book-voucher.ts';
import { voucherSteps } from '#shared/domain/books.ts';
import type { Day } from '#shared/domain/day.ts';
import type { Account } from '#shared/domain/ledger.ts';
import { createTurns } from '#server/http/turns.ts';
import { breathing, readBookFacts } from './facts.ts';

/** The books as of one moment; reading them takes seconds where much was sold, so they are read once for everything that is made of them. */
export interface Books {
  /** Of every day in order; what is earned in days to come too. */
  vouchers: readonly BookVoucher[];
  /** The balances of the ledger. */
  ledger: ReadonlyMap<Account, number>;
}

/** One reading at a time: each needs memory and processor time for the whole books. */
const takeTurn = createTurns({ atOnce: 1, ofOwner: 1, waiting: 100 });

export const readBooks = (db: Db): Promise<Books> =>
  takeTurn('', async () => {
    const { ledger, ...facts } = await readBookFacts(db);
    return { vouchers: await breathing(voucherSteps(facts, endOfTime)), ledger };
  });

/** After everything that has been booked, and everything that will be earned of it. */
const endOfTime: Day = '9999-12-31';

export const vouchersThrough = ({ vouchers }: Books, day: Day): BookVoucher[] => vouchers.filter(({ on }) => on <= day);
