import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { actionsOnDocument } from '#web/console/features/documents/document-actions.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { moneyColumn } from '#web/console/ui/cells.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import { nextPage } from '#web/console/ui/next-page.ts';
import type { Column } from '#web/console/ui/row-table.tsx';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import { dayText } from '#web/ui/localized-days.ts';

type Document = OperatorReply<'listDocuments'>['documents'][number];

const registrations = {
  REGISTERED: 'Yes',
  CANCELLED: 'Cancelled',
  WAITING: 'Waits for the invoice portal',
  REFUSED: 'Refused',
  NEVER: 'Never: refused, and credited in full',
};

const registrationText = ({ registration, refused }: Document) => {
  if (registration === null) return null;
  const state = registrations[registration];
  return refused === null || registration === 'NEVER' ? state : `${state}: ${refused.code}, ${refused.reason}`;
};

const columns: readonly Column<Document>[] = [
  { header: 'Number', text: ({ number }) => number, isId: true },
  { header: 'Kind', text: ({ kind }) => wordOf(kind) },
  { header: 'Issued', text: ({ issuedOn }) => issuedOn, cell: ({ issuedOn }) => dayText(issuedOn) },
  moneyColumn('Total', ({ total }) => total),
  { header: 'Follows', text: ({ refersTo }) => refersTo, isId: true },
  {
    header: 'Registered',
    text: registrationText,
  },
  { header: 'IRN', text: ({ irn }) => irn, cell: ({ irn }) => irn && <ShortIrn irn={irn} />, isId: true },
  { header: 'Actions', cell: (document) => <Actions list={actionsOnDocument(document)} of={document.number} /> },
];

/** An IRN has 64 characters. */
function ShortIrn({ irn }: { irn: string }) {
  return (
    <>
      <span title={irn}>{irn.slice(0, 8)}…</span> <CopyIcon value={irn} />
    </>
  );
}

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
      isOff={({ registration }) => registration === 'CANCELLED'}
      empty="No document was issued yet."
    />
  );
}
