import { parseArgs } from 'node:util';
import { isDay } from '#domain/day.ts';
import { formatRupees } from '#domain/money.ts';
import { type RemittanceKind, remittanceKinds } from '#domain/remittance.ts';
import { systemClock } from '#platform/clock.ts';
import { loadEnvFile } from '#platform/env-file.ts';
import { readOperatorSettings } from './config.ts';
import { type ExportPayment, readExports, recordProof } from './features/documents/remittances.ts';
import { withDatabase } from './operator-database.ts';

const usage = `Usage: npm run remittances [-- --all] [--json]
       npm run remittances -- record PAYMENT (${remittanceKinds.join(' | ')}) REFERENCE RECEIVED_ON AMOUNT CURRENCY
Example: npm run remittances -- record pay_N8FUmetkCE2hZP FIRA 2611AB0001 2026-11-20 17.90 USD`;

/**
 * `npm run remittances`: the exports whose payment from abroad has no proof yet; `--all` those with one too. `record` records a proof.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, all: { type: 'boolean', default: false } },
  });
  const [verb, ...rest] = positionals;
  const proof = verb === undefined ? undefined : proofOf(verb, rest);
  loadEnvFile();
  const text = await withDatabase(readOperatorSettings({ env: process.env }), async (db) => {
    if (proof) {
      await recordProof(db, systemClock(), proof);
      return `The proof of ${proof.paymentId} is recorded.`;
    }
    const list = (await readExports(db, systemClock())).filter(({ state }) => values.all || state !== 'proved');
    return values.json ? JSON.stringify(list, null, 2) : textOf(list);
  });
  process.stdout.write(`${text}\n`);
}

function proofOf(verb: string, [paymentId, kind, reference, receivedOn, amount, currency, ...more]: string[]) {
  const known = remittanceKinds.find((each): each is RemittanceKind => each === kind);
  if (
    verb !== 'record' ||
    more.length > 0 ||
    !paymentId ||
    !known ||
    !reference ||
    !receivedOn ||
    !amount ||
    !currency
  ) {
    throw new RangeError(usage);
  }
  if (!isDay(receivedOn)) throw new RangeError(`${receivedOn} is not a day. Write it like 2026-11-20.`);
  if (!/^\d{1,15}(\.\d{1,2})?$/.test(amount)) throw new RangeError(`${amount} is not an amount. Write it like 17.90.`);
  if (!/^[A-Z]{3}$/.test(currency)) throw new RangeError(`${currency} is not a currency. Write it like USD.`);
  return { paymentId, kind: known, reference, receivedOn, amount, currency };
}

function textOf(list: readonly ExportPayment[]): string {
  if (list.length === 0) return 'No export lacks the proof of its payment.';
  return list
    .map(({ state, number, issuedOn, buyer, country, totalPaise, paymentId, dueOn, taxDueOn, proof }) => {
      const due = `  payment ${paymentId}, due by ${dueOn}; without it the tax with interest is due by ${taxDueOn}`;
      const proved = proof && `  payment ${paymentId}, ${proof.kind} ${proof.reference} of ${proof.receivedOn}`;
      return `${number}  ${state.toUpperCase()}  ${formatRupees(totalPaise)}  ${buyer} (${country}), issued on ${issuedOn}\n${proved ?? due}`;
    })
    .join('\n');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
