import { parseArgs } from 'node:util';
import { formatRupees } from '#domain/money.ts';
import { systemClock } from '#platform/clock.ts';
import { loadEnvFile } from '#platform/env-file.ts';
import { readDocumentSettings, readOperatorSettings } from './config.ts';
import { readWorkList, type WorkItem } from './features/documents/work-list.ts';
import { withDatabase } from './operator-database.ts';

/** `npm run e-invoices [-- --json]`: the documents that are not registered with the invoice portal, and the ways out of each. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
  loadEnvFile();
  const { eInvoiceThirtyDays } = readDocumentSettings({ env: process.env });
  const list = await withDatabase(readOperatorSettings({ env: process.env }), (db) =>
    readWorkList(db, systemClock(), eInvoiceThirtyDays),
  );
  process.stdout.write(values.json ? `${JSON.stringify(list, null, 2)}\n` : `${textOf(list)}\n`);
}

function textOf(list: readonly WorkItem[]): string {
  if (list.length === 0) return 'Every document is registered.';
  return list
    .map(({ number, state, issuedOn, lastDay, daysLeft, buyer, buyerGstin, totalPaise, refused, waysOut }) => {
      const limit = lastDay === null ? '' : `, to be registered by ${lastDay} (${daysLeft} days)`;
      const reason = refused === null ? [] : [`  ${refused.code}: ${refused.reason}`];
      return [
        `${number}  ${state.toUpperCase()}  ${formatRupees(totalPaise)}  ${buyer} ${buyerGstin ?? ''}`.trimEnd(),
        `  issued on ${issuedOn}${limit}`,
        ...reason,
        ...waysOut.map((way) => `  - ${way}`),
      ].join('\n');
    })
    .join('\n\n');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
