import { noteEnds } from '#shared/domain/document.ts';
import { parseLetters } from '#shared/domain/letter-of-undertaking.ts';
import { choice, parsed } from '#shared/platform/settings.ts';

/** What the law leaves to the provider, or to the provider's reading. */
export const taxSettings = {
  lettersOfUndertaking: parsed(
    'Your letters of undertaking, as ARN:first day:last day, separated by commas; on these days exports and SEZs are charged no tax',
    parseLetters,
  ),
  lastNoteDay: choice(
    noteEnds,
    '10-31',
    'Last day after a financial year for credit notes that lower its tax, corrections and amendments, as month-day: 10-31, or 11-30 if the return of November may still name them',
  ),
};
