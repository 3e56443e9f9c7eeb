import { type Column, columns } from './reconcile.ts';
import type { Outcome } from './run.ts';

const heads: Record<Column, string> = {
  portal: 'Portal',
  ledger: 'Ledger',
  standin: 'Stand-in',
  settlements: 'Settlements',
  accounts: 'Accounts',
  gstr1: 'GSTR-1',
};

/** The results as a table for a terminal, and every difference below its row. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map((outcome) => [
    outcome.name,
    outcome.figures?.expected ?? '',
    ...columns.map((column) => outcome.figures?.[column] ?? ''),
    verdictOf(outcome),
  ]);
  const table = [
    ['Scenario', 'Expected (taxable + tax)', ...columns.map((column) => heads[column]), 'Verdict'],
    ...rows,
  ];
  const widths = (table[0] ?? []).map((_, index) => Math.max(...table.map((row) => (row[index] ?? '').length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) => (isText(index, row) ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  ')
      .trimEnd();
  const lines: string[] = [];
  let group = '';
  for (const [index, row] of table.entries()) {
    const outcome = outcomes[index - 1];
    if (outcome && outcome.group !== group) lines.push('', (group = outcome.group));
    lines.push(line(row), ...(outcome ? explain(outcome) : []));
  }
  const wrong = outcomes.filter((outcome) => verdictOf(outcome) !== 'agree').length;
  return `${lines.join('\n')}\n\n${outcomes.length} scenarios, ${wrong === 0 ? 'all agree to the paisa' : `${wrong} differ`}.\n`;
}

const isText = (index: number, row: readonly string[]) => index === 0 || index === row.length - 1;

export function verdictOf({ failure, differences }: Outcome): string {
  if (failure !== undefined) return 'FAILED';
  return differences.length === 0 ? 'agree' : 'DIFFER';
}

function explain({ failure, differences }: Outcome): string[] {
  if (failure !== undefined) return [`    ${failure.replaceAll('\n', '\n    ')}`];
  return differences.map(
    ({ column, what, expected, found }) =>
      `    ${heads[column]}, ${what}\n      expected: ${expected || 'nothing'}\n      found:    ${found || 'nothing'}`,
  );
}
