import { sql } from 'kysely';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { unknownVariable } from '#shared/domain/canned-answer.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { newId } from '#server/crypto/ids.ts';
import type { OperatorSource } from '#server/operator-handler.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';

/** An answer as it is to be. */
interface Written {
  title: string;
  answer: string;
}

type Change = OperatorReply<'changeCannedAnswer'>;

export async function listCannedAnswers(db: Db): Promise<OperatorReply<'listCannedAnswers'>['answers']> {
  const rows = await db.selectFrom('canned_answers').selectAll().orderBy('title').execute();
  return rows.map(({ changed_at, ...row }) => ({ ...row, changedAt: changed_at.toISOString() }));
}

/** Throws when there is none with this id. */
export async function requireAnswer(db: Db | Tx, answerId: string) {
  const row = await db
    .selectFrom('canned_answers')
    .select(['title', 'answer'])
    .where('id', '=', answerId)
    .executeTakeFirst();
  if (!row) throw new OperatorRefusal(`There is no canned answer ${answerId}.`, 'not_found');
  return row;
}

async function requireGood(db: Db | Tx, { title, answer }: Written, answerId: string | null): Promise<void> {
  const unknown = unknownVariable(answer);
  if (unknown !== undefined)
    throw new OperatorRefusal(
      `${unknown} is no variable. There are {{name}}, {{business}}, {{plan}}, {{ends}} and {{thread}}.`,
      'invalid_request',
    );
  const same = await db.selectFrom('canned_answers').select('id').where('title', '=', title).executeTakeFirst();
  if (same !== undefined && same.id !== answerId)
    throw new OperatorRefusal(`Another canned answer has the title ${title}. Choose another one.`);
}

export async function previewNew(db: Db | Tx, written: Written): Promise<OperatorReply<'createCannedAnswer'>> {
  await requireGood(db, written, null);
  return { answerId: null, ...written };
}

export function createCannedAnswer(
  { db, clock }: OperatorSource,
  written: Written,
  cause: OperatorCause,
): Promise<OperatorReply<'createCannedAnswer'>> {
  return transaction(db, async (tx) => {
    await lockAnswers(tx);
    await previewNew(tx, written);
    const answerId = newId('CAN');
    await tx
      .insertInto('canned_answers')
      .values({ id: answerId, ...written, changed_at: new Date(clock()) })
      .execute();
    await recordAction(tx, entryOf(cause, 'answers.add', answerId, written.title));
    return { answerId, ...written };
  });
}

export async function previewChange(
  db: Db | Tx,
  { answerId, ...written }: Written & { answerId: string },
): Promise<Change> {
  const before = await requireAnswer(db, answerId);
  await requireGood(db, written, answerId);
  if (before.title === written.title && before.answer === written.answer)
    throw new OperatorRefusal(`${written.title} says this already.`, 'nothing_to_change');
  return { answerId, titleBefore: before.title, ...written };
}

export function changeCannedAnswer(
  { db, clock }: OperatorSource,
  wanted: Written & { answerId: string },
  cause: OperatorCause,
): Promise<Change> {
  return transaction(db, async (tx) => {
    await lockAnswers(tx);
    const changed = await previewChange(tx, wanted);
    const { answerId, title, answer } = changed;
    await tx
      .updateTable('canned_answers')
      .set({ title, answer, changed_at: new Date(clock()) })
      .where('id', '=', answerId)
      .execute();
    await recordAction(tx, entryOf(cause, 'answers.change', answerId, title));
    return changed;
  });
}

export function removeCannedAnswer(
  { db }: OperatorSource,
  answerId: string,
  cause: OperatorCause,
): Promise<OperatorReply<'removeCannedAnswer'>> {
  return transaction(db, async (tx) => {
    await lockAnswers(tx);
    const { title } = await requireAnswer(tx, answerId);
    await tx.deleteFrom('canned_answers').where('id', '=', answerId).execute();
    await recordAction(tx, entryOf(cause, 'answers.remove', answerId, title));
    return { answerId, title };
  });
}

/** Of two changes at once that end in one title the second is refused in words. */
const lockAnswers = (tx: Tx) => sql`select pg_advisory_xact_lock(hashtext('canned_answers'))`.execute(tx);

const entryOf = (
  cause: OperatorCause,
  action: 'answers.add' | 'answers.change' | 'answers.remove',
  target: string,
  title: string,
) => ({ ...cause, action, target, customerId: null, effect: { title } });
