import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { cancelReasonNames } from '#shared/domain/e-invoice.ts';
import { type Action, actionOf } from '#web/console/ui/action.ts';
import { wordOf } from '#web/console/ui/labels.ts';

type Document = OperatorReply<'listDocuments'>['documents'][number];

/** Registers a refused document again. */
export const retryEInvoice = (number: string): Action =>
  actionOf({
    call: 'retryEInvoice',
    title: `Register ${number} again`,
    verb: 'Register again',
    about: 'Once what the invoice portal refused is corrected.',
    input: () => ({ number }),
  });

const cancelEInvoice = (number: string): Action =>
  actionOf({
    call: 'cancelEInvoice',
    title: `Cancel the registration of ${number}`,
    verb: 'Cancel registration',
    isDangerous: true,
    about:
      'A new invoice to the business details of today replaces it. The reason is also the remark at the invoice portal.',
    fields: [
      {
        name: 'because',
        label: 'Kind of reason',
        kind: 'choice',
        choices: cancelReasonNames.map((value) => ({ value, label: wordOf(value) })),
        initial: 'data-entry-mistake',
      },
    ],
    input: (value) => ({
      number,
      because: cancelReasonNames.find((name) => name === value('because')) ?? 'other',
    }),
  });

/** What can be done with a document, the remedy of what it lacks first. */
export const actionsOnDocument = ({ number, kind, isPrinted, registration, cancellableUntil }: Document): Action[] => [
  ...(registration === 'REFUSED' ? [retryEInvoice(number)] : []),
  ...(!isPrinted && registration !== 'REFUSED' && registration !== 'WAITING'
    ? [
        actionOf({
          call: 'printDocument',
          title: `Make the PDF of ${number}`,
          verb: 'Make PDF',
          about: 'Mails that wait for it leave then.',
          input: () => ({ number }),
        }),
      ]
    : []),
  ...(isPrinted
    ? [
        actionOf({
          call: 'sendDocuments',
          title: `Mail ${number} again`,
          verb: 'Mail',
          fields: [{ name: 'to', label: 'To', isOptional: true, hint: 'The sign-in address when empty' }],
          input: (value) => ({ documents: [number], ...(value('to') !== '' && { to: value('to').trim() }) }),
        }),
      ]
    : []),
  ...(kind === 'INVOICE' && registration !== 'CANCELLED'
    ? [
        actionOf({
          call: 'correctInvoice',
          title: `Correct the buyer of ${number}`,
          verb: 'Correct',
          about: 'The buyer on it becomes the business details of today.',
          input: () => ({ number }),
        }),
      ]
    : []),
  ...(cancellableUntil === null ? [] : [cancelEInvoice(number)]),
];
