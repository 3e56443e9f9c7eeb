import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { type Action, actionOf } from '#web/console/ui/action.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import { nextPage } from '#web/console/ui/next-page.ts';
import type { Column } from '#web/console/ui/row-table.tsx';
import { dayText } from '#web/ui/localized-days.ts';
import { moneyText } from '#web/ui/money-text.ts';

type Document = OperatorReply<'listDocuments'>['documents'][number];

const actionsOn = ({ number, kind, isPrinted, isCancelled }: Document): Action[] => [
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
  ...(kind === 'INVOICE' && !isCancelled
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
];

const columns: readonly Column<Document>[] = [
  { header: 'Number', text: ({ number }) => number, isId: true },
  { header: 'Kind', text: ({ kind }) => wordOf(kind) },
  { header: 'Issued', text: ({ issuedOn }) => issuedOn, cell: ({ issuedOn }) => dayText(issuedOn) },
  { header: 'Total', text: ({ total }) => total, cell: ({ total }) => moneyText(total), align: 'right' },
  { header: 'Follows', text: ({ refersTo }) => refersTo, isId: true },
  { header: 'Registered', text: ({ irn, isCancelled }) => (isCancelled ? 'Cancelled' : irn === null ? null : 'Yes') },
  { header: 'Actions', cell: (document) => <Actions list={actionsOn(document)} of={document.number} /> },
];

export function DocumentsOfCustomer({ customerId }: { customerId: string }) {
  const input = { customerId };
  return (
    <CallTable
      label="Documents"
      call="listDocuments"
      input={input}
      rows={({ documents }) => documents}
      next={nextPage(input)}
      rowKey={({ id }) => id}
      columns={columns}
      to={({ paymentId }) => `/payments/${paymentId}`}
      isOff={({ isCancelled }) => isCancelled}
      empty="No document was issued yet."
    />
  );
}
