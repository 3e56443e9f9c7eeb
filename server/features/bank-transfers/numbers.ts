import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Tx } from '#shared/database/connect.ts';
import { readUtr } from '#shared/domain/refund-payout.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';

/** The number of a transfer as an operator typed it. Throws OperatorRefusal when it can't be one. */
export function requireUtr(typed: string): string {
  const utr = readUtr(typed);
  if (utr === undefined)
    throw new OperatorRefusal(
      `${typed} is not the number of a transfer: 6 to 30 letters and digits.`,
      'invalid_request',
    );
  return utr;
}

const numberedSchema = z.object({
  what: z.enum(['CREDIT', 'RECORDED', 'REFUND', 'SETTLEMENT']),
  id: z.string(),
  customer_id: z.string().nullable(),
});
type NumberedMoney = z.output<typeof numberedSchema>;

/** The money that has a bank's number: received, paid out, or settled by the provider. */
async function selectMoneyOfNumber(db: Db | Tx, utr: string): Promise<NumberedMoney[]> {
  return checkedRows(numberedSchema, await sql`select * from money_of_number(${utr})`.execute(db));
}

const numbered = {
  CREDIT: (id: string) => `a credit by Razorpay (${id})`,
  RECORDED: (id: string) => `a transfer that was recorded (${id})`,
  REFUND: (id: string) => `the transfer that paid ${id}`,
  SETTLEMENT: (id: string) => `the settlement ${id} of Razorpay`,
} as const;

/**
 * What other money has a bank's number, in words; undefined when none has. A bank's number names one movement of money, so whatever an operator records
 * is checked by this, and by the database (`number_is_of_nothing_else`). `own`: the payment or refund itself, and for refunds the customer, of whom one
 * transfer may pay several.
 */
export async function otherMoneyOf(
  db: Db | Tx,
  utr: string,
  own: { id?: string; refundsOf?: string } = {},
): Promise<string | undefined> {
  const other = (await selectMoneyOfNumber(db, utr)).find(
    ({ what, id, customer_id: customerId }) =>
      id !== own.id && !(what === 'REFUND' && own.refundsOf !== undefined && customerId === own.refundsOf),
  );
  return other && numbered[other.what](other.id);
}

/** The same of a credit: what an operator has recorded with its number. */
export async function recordedAs(db: Db | Tx, utr: string): Promise<string | undefined> {
  const recorded = (await selectMoneyOfNumber(db, utr)).find(({ what }) => what === 'RECORDED' || what === 'REFUND');
  return recorded && numbered[recorded.what](recorded.id);
}
