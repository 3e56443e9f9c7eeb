import type { CallReply } from '#shared/contract/call.ts';
import type { readStatement } from '#shared/contract/credit.ts';
import { csvOf } from '#shared/domain/csv.ts';

/** The statement as a CSV file: a line for each movement, between the opening and the closing balance, and what is due by its age. */
export function statementCsv(statement: CallReply<typeof readStatement>): string {
  const { from, to, opening, closing, writtenOff } = statement;
  return csvOf(
    ['day', 'what', 'number', 'amount', 'balance'],
    [
      [from, 'OPENING_BALANCE', '', '', opening],
      ...statement.lines.map(({ on, kind, reference, amount, balance }) => [on, kind, reference, amount, balance]),
      [to, 'CLOSING_BALANCE', '', '', closing],
      ...(writtenOff > 0 ? [[to, 'WRITTEN_OFF', '', writtenOff, '']] : []),
      ...statement.ageing.map(({ band, amount }) => [to, `DUE_${band}`, '', amount, '']),
    ],
  );
}
