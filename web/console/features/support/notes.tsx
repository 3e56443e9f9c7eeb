import { useOperatorCall } from '#web/console/api/use-operator-call.ts';
import { Text } from '#web/console/features/support/message.tsx';
import classes from '#web/console/features/support/thread-page.module.css';
import { type Action, actionOf } from '#web/console/ui/action.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { When } from '#web/console/ui/cells.tsx';
import type { Column } from '#web/console/ui/row-table.tsx';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';

export type Note = OperatorReply<'listNotes'>['notes'][number];

/** Notes something about a thread or a customer. */
export const addNoteTo = (of: string): Action =>
  actionOf({
    call: 'addNote',
    title: 'Add a note',
    verb: 'Add',
    letter: 'n',
    about: 'Only operators read it; it is never in a mail, and goes with the customer.',
    reason: 'For other operators',
    fields: [{ name: 'note', label: 'Note', kind: 'text' }],
    input: (value) => ({ of, note: value('note') }),
  });

const removeNote = (noteId: string): Action =>
  actionOf({
    call: 'removeNote',
    title: 'Remove the note',
    verb: 'Remove',
    isDangerous: true,
    reason: 'Not needed any more',
    input: () => ({ noteId }),
  });

export const useNotes = (customerId: string): readonly Note[] =>
  useOperatorCall('listNotes', { customerId }).data?.notes ?? [];

/** A note between the messages of its thread. */
export function NoteInThread({ note: { id, note, writtenBy, createdAt } }: { note: Note }) {
  return (
    <li data-author="NOTE" data-row tabIndex={-1}>
      <div className={classes.by}>
        <strong>{writtenBy}</strong>
        <span className="dim">note, only for operators</span>
        <Actions list={[removeNote(id)]} of={`note of ${writtenBy}`} />
        <span className="dim">
          <When at={createdAt} />
        </span>
      </div>
      <Text text={note} />
    </li>
  );
}

const columns: readonly Column<Note>[] = [
  { header: 'Note', text: ({ note }) => note },
  { header: 'Thread', text: ({ threadId }) => threadId, isId: true },
  { header: 'By', text: ({ writtenBy }) => writtenBy },
  { header: 'When', text: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <When at={createdAt} /> },
  { header: 'Actions', cell: ({ id, writtenBy }) => <Actions list={[removeNote(id)]} of={`note of ${writtenBy}`} /> },
];

/** All notes about a customer. */
export function NotesOfCustomer({ customerId }: { customerId: string }) {
  return (
    <CallTable
      label="Notes"
      call="listNotes"
      input={{ customerId }}
      rows={({ notes }) => notes}
      rowKey={({ id }) => id}
      columns={columns}
      empty="Nothing is noted."
      filters={<Actions list={[addNoteTo(customerId)]} />}
    />
  );
}
