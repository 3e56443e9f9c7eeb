import type { RenewalEffect } from '#shared/contract/renewal-effect.ts';
import { formatRupees, toPaise } from '#shared/domain/money.ts';

/** What an act does to a renewal by mandate, and to a debit that the bank was asked for. */
export function renewalLines({ renewal, renewsFrom, debitAmount }: RenewalEffect): string[] {
  const effects = {
    ends: 'Its renewal by mandate ends with it.',
    skips: 'The next debit of its renewal is skipped.',
    moves: `Its renewal by mandate pays for the period from ${renewsFrom} on. A debit that was announced and not asked for is announced again in time.`,
  };
  const debited =
    renewal === 'moves' ? 'that debit pays for the period from then on' : 'if it still debits that, it is refunded';
  return [
    ...(renewal === null ? [] : [effects[renewal]]),
    ...(debitAmount === null
      ? []
      : [`The bank was asked for ${formatRupees(toPaise(debitAmount))} for the next period already: ${debited}.`]),
  ];
}
