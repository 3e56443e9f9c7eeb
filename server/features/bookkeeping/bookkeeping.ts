import type { Db } from '#database/connect.ts';
import type { BookVoucher } from '#domain/book-voucher.ts';
import { vouchersOf } from '#domain/books.ts';
import { type Day, earlierDay } from '#domain/day.ts';
import type { InputTax } from '#domain/gst-return-3b.ts';
import { firstDayOf, lastDayOf, type Month, monthOf } from '#domain/month.ts';
import { type TrialBalance, trialBalanceOf } from '#domain/trial-balance.ts';
import { readBookFacts } from './facts.ts';
import { dayBook, salesRegister, trialBalanceCsv } from './registers.ts';
import { selectMonthDocuments, selectParties } from './store.ts';
import { tallyMasters, tallyVouchers } from './tally.ts';

export { selectToday } from './store.ts';
export { gstr3bCsv } from './gstr3b-csv.ts';
export { trialBalanceCsv } from './registers.ts';

/** The vouchers of the books through a day, in order. */
export async function readVouchers(db: Db, through: Day): Promise<BookVoucher[]> {
  return vouchersOf(await readBookFacts(db), through);
}

/** The trial balance at the end of a day. */
export async function readTrialBalance(db: Db, on: Day): Promise<TrialBalance> {
  return trialBalanceOf(await readVouchers(db, on));
}

/**
 * The files of a month by name: masters and vouchers for Tally, sales register, day book and trial balance. A month that isn't over ends
 * today: revenue of days to come is not earned yet.
 */
export async function monthFiles(db: Db, month: Month, today: Day): Promise<Map<string, string>> {
  const through = await readVouchers(db, earlierDay(lastDayOf(month), today));
  const vouchers = through.filter(({ on }) => on >= firstDayOf(month));
  const documents = await selectMonthDocuments(db, month);
  const customers = new Set(vouchers.flatMap(({ customerId }) => customerId ?? []));
  const parties = await selectParties(db, [...customers]);
  return new Map([
    ['tally-masters.xml', tallyMasters(parties, firstDayOf(month))],
    ['tally-vouchers.xml', tallyVouchers(vouchers, parties, documents)],
    ['sales-register.csv', salesRegister(documents)],
    ['day-book.csv', dayBook(vouchers, parties)],
    ['trial-balance.csv', trialBalanceCsv(trialBalanceOf(through))],
  ]);
}

/** The input tax of a month: GST on the payment gateway's fees. */
export async function readInputTax(db: Db, month: Month): Promise<InputTax> {
  const { settlements } = await readBookFacts(db);
  return settlements
    .filter(({ on }) => monthOf(on) === month)
    .reduce(
      (sum, { gst }) => ({
        igstPaise: sum.igstPaise + gst.igstPaise,
        cgstPaise: sum.cgstPaise + gst.cgstPaise,
        sgstPaise: sum.sgstPaise + gst.sgstPaise,
      }),
      { igstPaise: 0, cgstPaise: 0, sgstPaise: 0 },
    );
}
