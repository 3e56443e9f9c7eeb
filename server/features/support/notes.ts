import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { maxMessagesShown } from '#shared/domain/support-thread.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { newId } from '#server/crypto/ids.ts';
import type { OperatorSource } from '#server/operator-handler.ts';
import { noSuchCustomer, OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { requireAnyThread } from './provider.ts';

type Note = OperatorReply<'listNotes'>['notes'][number];

/** What operators noted about a customer, in threads and in general, newest first. */
export async function listNotes(db: Db, customerId: string): Promise<Note[]> {
  const rows = await notesIn(db)
    .where('customer_id', '=', customerId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(maxMessagesShown)
    .execute();
  return rows.map(noteOf);
}

const notesIn = (db: Db | Tx) =>
  db.selectFrom('support_notes').select(['id', 'customer_id', 'thread_id', 'note', 'written_by', 'created_at']);

const noteOf = (row: Awaited<ReturnType<ReturnType<typeof notesIn>['executeTakeFirstOrThrow']>>): Note => ({
  id: row.id,
  customerId: row.customer_id,
  threadId: row.thread_id,
  note: row.note,
  writtenBy: row.written_by,
  createdAt: row.created_at.toISOString(),
});

interface NewNote {
  /** A thread or a customer. */
  of: string;
  note: string;
}

export async function previewNote(db: Db | Tx, { of, note }: NewNote): Promise<OperatorReply<'addNote'>> {
  if (of.startsWith('SUP-')) {
    const { id: threadId, customerId } = await requireAnyThread(db, of);
    return { noteId: null, customerId, threadId, note };
  }
  const customer = await db
    .selectFrom('customers')
    .select('id')
    .where('id', '=', of)
    .where('erased_at', 'is', null)
    .executeTakeFirst();
  if (!customer) throw noSuchCustomer(of);
  return { noteId: null, customerId: of, threadId: null, note };
}

/** Notes something for other operators. The audit log has that it was noted, and not what. */
export function addNote(
  { db, clock }: OperatorSource,
  wanted: NewNote,
  cause: OperatorCause,
): Promise<OperatorReply<'addNote'>> {
  return transaction(db, async (tx) => {
    const preview = await previewNote(tx, wanted);
    const { customerId, threadId, note } = preview;
    const noteId = newId('SPN');
    await tx
      .insertInto('support_notes')
      .values({
        id: noteId,
        customer_id: customerId,
        thread_id: threadId,
        note,
        written_by: cause.actor,
        created_at: new Date(clock()),
      })
      .execute();
    const effect = { of: threadId ?? customerId };
    await recordAction(tx, { ...cause, action: 'notes.add', target: noteId, customerId: null, effect });
    return { ...preview, noteId };
  });
}

export async function requireNote(db: Db | Tx, noteId: string): Promise<Note> {
  const row = await notesIn(db).where('id', '=', noteId).executeTakeFirst();
  if (!row) throw new OperatorRefusal(`There is no note ${noteId}.`, 'not_found');
  return noteOf(row);
}

export function removeNote({ db }: OperatorSource, noteId: string, cause: OperatorCause): Promise<Note> {
  return transaction(db, async (tx) => {
    const note = await requireNote(tx, noteId);
    const effect = { of: note.threadId ?? note.customerId };
    await recordAction(tx, { ...cause, action: 'notes.remove', target: noteId, customerId: null, effect });
    await tx.deleteFrom('support_notes').where('id', '=', noteId).execute();
    return note;
  });
}
