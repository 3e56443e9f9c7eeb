import { type Day, dayOf } from '#shared/domain/day.ts';
import { coveredUntil, coverWarning, lettersOf } from '#shared/domain/letter-of-undertaking.ts';
import type { Portal } from '#server/portal.ts';

/** Warns the operator, once a day, when a letter of undertaking is about to end or has ended: exports are then taxed. */
export function warnOfLetters({ settings, log }: Pick<Portal, 'settings' | 'log'>, today: Day): void {
  const warning = coverWarning(lettersOf(settings.lettersOfUndertaking, settings.supplierGstin), today);
  if (warning?.kind === 'ends') log.error(warning, 'the letter of undertaking ends soon: file the next one and add it');
  if (warning?.kind === 'ended')
    log.error(warning, 'no letter of undertaking is valid: exports and SEZs are charged tax');
}

/** For /backend/health: the last day on which exports and supplies to SEZs bear no tax; null when they do today. */
export function readLettersHealth({ settings, clock }: Pick<Portal, 'settings' | 'clock'>) {
  const letters = lettersOf(settings.lettersOfUndertaking, settings.supplierGstin);
  return { coveredUntil: coveredUntil(letters, dayOf(clock())) ?? null };
}
