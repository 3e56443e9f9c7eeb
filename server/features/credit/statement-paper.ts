import type { CallReply } from '#shared/contract/call.ts';
import type { readStatement as readStatementCall } from '#shared/contract/credit.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { longDay } from '#shared/domain/day-text.ts';
import { formatAmount } from '#shared/domain/number-text.ts';
import type { AgeBand } from '#shared/domain/pay-later.ts';
import type { StatementKind } from '#shared/domain/statement.ts';
import type { StatementPaper } from '#shared/paper/document-paper.ts';
import { readProfile } from '#server/features/account/account.ts';
import { letterheadOf } from '#server/features/documents/documents.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { refuse } from '#server/refusals/refuse.ts';
import { readStatement } from './statement.ts';

/** The statement of account as a PDF, with the look of invoices. It is made anew for each download, from the ledger as it is then. */
export async function printStatement(portal: Portal, owner: Owner, span: { from: Day; to: Day }): Promise<Buffer> {
  const profile = await readProfile(owner, portal.db);
  // Only a business ever paid later.
  if (!profile) throw refuse('not_found');
  const today = dayOf(portal.clock());
  const statement = await readStatement(owner, portal.db, span);
  return portal.renderer.render(owner.customerId, {
    ...statementPaperOf(statement, owner.customerId, today),
    ...letterheadOf(portal, profile, today),
  });
}

const kinds: Readonly<Record<StatementKind, string>> = {
  INVOICE: 'Invoice',
  PAYMENT: 'Payment',
  TDS: 'Tax deducted (TDS)',
  CREDIT_NOTE: 'Credit note',
  RETURNED: 'Payment returned',
  WRITTEN_OFF: 'Written off',
  REINSTATED: 'No longer written off',
};

const ages: Readonly<Record<AgeBand, string>> = {
  NOT_DUE: 'Not due yet',
  TO_30: '1 to 30 days overdue',
  TO_60: '31 to 60 days overdue',
  TO_90: '61 to 90 days overdue',
  OVER_90: 'More than 90 days overdue',
};

/** What it says, without who writes to whom. */
export function statementPaperOf(
  { from, to, opening, lines, closing, writtenOff, ageing }: CallReply<typeof readStatementCall>,
  customerId: string,
  today: Day,
): Omit<StatementPaper, 'brand' | 'stamp' | 'supplier' | 'recipient'> {
  const period = `${longDay(from)} to ${longDay(to)}`;
  return {
    title: 'Statement of account',
    number: period,
    date: today,
    copy: 'What is paid later, with its invoices',
    facts: [
      { name: 'Period', value: period },
      { name: 'Made on', value: longDay(today) },
      { name: 'Customer', value: customerId },
    ],
    recipientLabel: 'Account of',
    registration: null,
    statement: {
      opening: { on: longDay(from), balance: formatAmount(opening) },
      lines: lines.map(({ on, kind, reference, amount, balance }) => ({
        on: longDay(on),
        what: kinds[kind],
        reference,
        debit: amount > 0 ? formatAmount(amount) : '',
        credit: amount < 0 ? formatAmount(-amount) : '',
        balance: formatAmount(balance),
      })),
      closing: { on: longDay(to), balance: formatAmount(closing) },
      sums: [
        ...ageing
          .filter(({ amount }) => amount > 0)
          .map(({ band, amount }) => ({ name: ages[band], amount: formatAmount(amount) })),
        ...(writtenOff > 0 ? [{ name: 'Written off, still owed', amount: formatAmount(writtenOff) }] : []),
      ],
    },
    notes: ['Amounts include GST. A balance above ₹0 is due to us; each invoice says its last day for payment.'],
    signatory: null,
    closing:
      'Made electronically from the books of account; it is no document under the GST law, and needs no signature.',
  };
}
