import { InvalidArgumentError } from 'commander';
import { act, type ActionOptions } from '#cli/operator.ts';
import { proofSchema, recordRemittance } from '#shared/contract/operator/documents.ts';
import type { Day } from '#shared/domain/day.ts';
import type { RemittanceKind } from '#shared/domain/remittance.ts';

const argumentOf =
  (field: 'reference' | 'amount' | 'currency', meant: string) =>
  (text: string): string => {
    if (!proofSchema.shape[field].safeParse(text).success) throw new InvalidArgumentError(`${text} is not ${meant}`);
    return text;
  };

export const referenceArgument = argumentOf('reference', 'a number of 1 to 100 characters.');
export const amountArgument = argumentOf('amount', 'an amount. Write it like 17.90.');
export const currencyArgument = argumentOf('currency', 'a currency. Write it like USD.');

/** `octroi remittances record` */
export async function recordExport(
  paymentId: string,
  kind: RemittanceKind,
  reference: string,
  receivedOn: Day,
  amount: string,
  currency: string,
  options: ActionOptions,
): Promise<void> {
  await act(recordRemittance, { paymentId, kind, reference, receivedOn, amount, currency }, options, {
    did: 'recorded',
    effect: (proof) => [
      `${proof.kind} ${proof.reference} of ${proof.receivedOn} over ${proof.amount} ${proof.currency} for the payment ${proof.paymentId} of ${proof.customerId}`,
    ],
    question: 'Record it?',
    done: (proof) => [`The proof of ${proof.paymentId} is recorded.`],
  });
}
