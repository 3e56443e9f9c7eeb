import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/shell/texts.hi.ts')).hindi;

/** Of the bar above every page while an operator sees the portal as its customer. */
export const viewTexts = texts(
  (t) => ({
    bar: t('View as the customer'),
    whose: (customer: string) => t('Read-only view of {customer}', { customer }),
    by: (operator: string, until: string) => t('Until {until}, by {operator}', { operator, until }),
    onlyCustomer: t('Only the customer can do this'),
    end: t('End view'),
    over: t('This view is over'),
    overMore: t('Nothing was changed. Close this tab, or open another view in the console.'),
    console: t('Open the console'),
  }),
  hindi,
);
