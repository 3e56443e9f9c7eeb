import type { bookkeepingCalls } from '#shared/contract/operator/bookkeeping.ts';
import { type BookPeriod, readBookPeriod } from '#shared/domain/book-period.ts';
import { exporting, type Handlers } from '#server/operator-handler.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import {
  exportOfBooks,
  exportsOfReturns,
  faultsOfBooks,
  readBooks,
  selectToday,
  trialBalanceAt,
  trialBalanceInRupees,
} from './bookkeeping.ts';

export const bookkeepingHandlers: Handlers<typeof bookkeepingCalls> = {
  readTrialBalance: {
    read: async ({ db, clock }, { on }) => {
      const today = await selectToday(db, clock);
      const wanted = on ?? today;
      if (wanted > today)
        throw new OperatorRefusal(`${wanted} is still to come. Today is ${today}.`, 'invalid_request');
      const books = await readBooks(db);
      const balance = trialBalanceInRupees(trialBalanceAt(books, wanted));
      return { on: wanted, ...balance, faults: faultsOfBooks(books) };
    },
  },
  exportGstr1: exporting(({ db }, { month }) => exportsOfReturns(db, month).gstr1()),
  exportGstr3b: exporting(({ db }, { month }) => exportsOfReturns(db, month).gstr3b()),
  exportBooks: exporting(async ({ db, clock }, { period }) =>
    exportOfBooks(db, requirePeriod(period), await selectToday(db, clock), await readBooks(db)),
  ),
};

function requirePeriod(text: string): BookPeriod {
  try {
    return readBookPeriod(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new OperatorRefusal(error.message, 'invalid_request');
  }
}
