import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/forms/texts.hi.ts')).hindi;

/** Of a field for a day. */
export const dayInputTexts = texts((t) => ({ like: (day: string) => t('Like {day}', { day }) }), hindi);

/** Of the buttons of a calendar. */
export const calendarTexts = texts(
  (t) => ({
    previousMonth: t('Previous month'),
    nextMonth: t('Next month'),
    previousYear: t('Previous year'),
    nextYear: t('Next year'),
    previousDecade: t('Previous ten years'),
    nextDecade: t('Next ten years'),
    monthLevelControl: t('Choose a month'),
    yearLevelControl: t('Choose a year'),
  }),
  hindi,
);
