import { InvalidArgumentError } from 'commander';
import { printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm, showEffect } from '#cli/operator.ts';
import type { Day } from '#shared/domain/day.ts';
import type { RemittanceKind } from '#shared/domain/remittance.ts';
import { recordProof, requireExport } from '#server/features/documents/documents.ts';
import { asOperator } from '#server/operator-context.ts';

export function amountArgument(text: string): string {
  if (!/^\d{1,15}(\.\d{1,2})?$/.test(text))
    throw new InvalidArgumentError(`${text} is not an amount. Write it like 17.90.`);
  return text;
}

export function currencyArgument(text: string): string {
  if (!/^[A-Z]{3}$/.test(text)) throw new InvalidArgumentError(`${text} is not a currency. Write it like USD.`);
  return text;
}

/** `octroi remittances record` */
export async function recordRemittance(
  paymentId: string,
  kind: RemittanceKind,
  reference: string,
  receivedOn: Day,
  amount: string,
  currency: string,
  options: ActionOptions,
): Promise<void> {
  const about = `${kind} ${reference} of ${receivedOn} over ${amount} ${currency} for the payment ${paymentId}`;
  await asOperator(async ({ db, clock }) => {
    const proof = { paymentId, kind, reference, receivedOn, amount, currency };
    await requireExport(db, clock(), proof);
    if (options.dryRun === true) {
      printResult(options.json, { recorded: false, paymentId }, [about, 'Nothing was changed.']);
      return;
    }
    showEffect([about], options);
    await confirm('Record it?', options);
    await recordProof(db, clock(), proof, causeOf(options));
    printResult(options.json, { recorded: true, paymentId }, [`The proof of ${paymentId} is recorded.`]);
  });
}
