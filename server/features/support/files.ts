import type { SupportFile } from '#shared/contract/support.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { sumOf } from '#shared/database/expressions.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import {
  areSendable,
  maxBytesOfCustomer,
  maxBytesOfMessage,
  maxFilesOfMessage,
  supportFileName,
  supportFileTypeOf,
} from '#shared/domain/support-file.ts';
import { newId } from '#server/crypto/ids.ts';
import type { Owner } from '#server/portal.ts';
import { refuse } from '#server/refusals/refuse.ts';

/** A file as it came; its name is anything. */
export interface GivenFile {
  name: string;
  content: Buffer;
}

/** The files of a call, which has them in base64. */
export const givenFiles = (files: readonly { name: string; content: string }[] = []): GivenFile[] =>
  files.map(({ name, content }) => ({ name, content: Buffer.from(content, 'base64') }));

/** Refuses files that no message can have. */
export function requireFiles(files: readonly GivenFile[]): void {
  if (!areSendable(files.map(({ content }) => content))) throw refuse('file_refused');
}

/** Refuses more than a customer may have sent, under the lock of the customer. */
export async function requireRoom(owner: Owner, tx: Tx, files: readonly GivenFile[]): Promise<void> {
  if (files.length > 0 && bytesOf(files) > (await roomOf(owner, tx))) throw refuse('too_many_files');
}

const bytesOf = (files: readonly GivenFile[]) => files.reduce((sum, { content }) => sum + content.length, 0);

/** How many bytes the customer may still send. */
export async function roomOf(owner: Owner, tx: Tx): Promise<number> {
  const { bytes } = await tx
    .selectFrom('support_files as file')
    .innerJoin('support_messages as message', 'message.id', 'file.message_id')
    .select((of) => sumOf(of.ref('file.bytes')).as('bytes'))
    .where('file.customer_id', '=', owner.customerId)
    .where('message.author', '=', 'CUSTOMER')
    .executeTakeFirstOrThrow();
  return maxBytesOfCustomer - bytes;
}

/** The files of a mail that its message can have, in their order: the text is taken without the others. `mostBytes`: of all together. */
export function filesThatFit(files: readonly GivenFile[], mostBytes = maxBytesOfMessage): GivenFile[] {
  let room = Math.min(maxBytesOfMessage, mostBytes);
  const fitting = [];
  for (const file of files) {
    const { length } = file.content;
    if (fitting.length === maxFilesOfMessage || length > room || supportFileTypeOf(file.content) === undefined)
      continue;
    room -= length;
    fitting.push(file);
  }
  return fitting;
}

export async function insertFiles(owner: Owner, tx: Tx, messageId: string, files: readonly GivenFile[]): Promise<void> {
  for (const [index, { name, content }] of files.entries()) {
    const type = supportFileTypeOf(content);
    if (type === undefined) throw refuse('file_refused');
    await tx
      .insertInto('support_files')
      .values({
        id: newId('SPF'),
        customer_id: owner.customerId,
        message_id: messageId,
        position: index + 1,
        name: supportFileName(name, type),
        type,
        bytes: content.length,
        content,
      })
      .execute();
  }
}

/** What is attached to the messages of a thread, by message. */
export async function listFiles(owner: Owner, db: Db | Tx, threadId: string): Promise<Map<string, SupportFile[]>> {
  const rows = await db
    .selectFrom('support_files as file')
    .innerJoin('support_messages as message', 'message.id', 'file.message_id')
    .select(['file.id', 'file.name', 'file.type', 'file.bytes', 'file.message_id'])
    .where('file.customer_id', '=', owner.customerId)
    .where('message.thread_id', '=', threadId)
    .orderBy('file.message_id')
    .orderBy('file.position')
    .execute();
  return groupBy(rows, ({ message_id }) => message_id);
}

/** A file of a thread, in base64; undefined if the thread has none with this id. */
export async function readFile(owner: Owner, db: Db, { threadId, fileId }: { threadId: string; fileId: string }) {
  const row = await db
    .selectFrom('support_files as file')
    .innerJoin('support_messages as message', 'message.id', 'file.message_id')
    .select(['file.name', 'file.type', 'file.content'])
    .where('file.customer_id', '=', owner.customerId)
    .where('message.thread_id', '=', threadId)
    .where('file.id', '=', fileId)
    .executeTakeFirst();
  return row && { ...row, content: row.content.toString('base64') };
}
