import { show } from '#cli/operator.ts';
import { linesOfPage, type PageOptions } from '#cli/pages.ts';
import { listThreads, type ProviderThread, readThread } from '#shared/contract/operator/support.ts';
import { istTime } from '#shared/domain/day.ts';
import { filesNotTaken } from '#shared/domain/support-file.ts';
import { maxMessagesShown, supportStatuses } from '#shared/domain/support-thread.ts';

export async function list(listed: ListOptions): Promise<void> {
  const { status, customer: customerId, assigned, unassigned, limit, after, ...options } = listed;
  const assignedTo = unassigned === true ? null : assigned;
  const wanted = supportStatuses.find((each) => each === status);
  const none = wanted === 'OPEN' ? 'Nobody waits for a reply.' : 'No threads.';
  await show(listThreads, { status: wanted, customerId, assignedTo, limit, after }, options, ({ threads, next }) =>
    linesOfPage(threads.map(describe), next, none),
  );
}

type ListOptions = PageOptions & { status: string; customer?: string; assigned?: string; unassigned?: true };

export async function showOne(threadId: string, options: { json?: boolean }): Promise<void> {
  await show(readThread, { threadId }, options, (thread) => [
    describe(thread),
    ...(thread.activationId === null ? [] : [`  about ${thread.activationId}`]),
    ...(thread.assignedTo === null ? [] : [`  assigned to ${thread.assignedTo}`]),
    ...(thread.messages.length < maxMessagesShown ? [] : [`  the newest ${maxMessagesShown} messages:`]),
    ...thread.messages.flatMap(({ createdAt, author, writtenBy, channel, message, files, leftOut }) => [
      '',
      `${istTime(new Date(createdAt))}  ${author === 'CUSTOMER' ? thread.customerName : (writtenBy ?? '')}, ${wheres[channel]}`,
      ...indented(message),
      ...files.map(({ id, name, bytes }) => `  ${id}  ${name}, ${bytes} bytes`),
      ...(leftOut === 0 ? [] : [`  ${filesNotTaken(leftOut)}`]),
    ]),
  ]);
}

/** What somebody wrote, below a line of ours. */
export const indented = (text: string): string[] => text.split('\n').map((line) => `  ${line}`.trimEnd());

const wheres = { PORTAL: 'in the portal', COMMAND: 'by command', MAIL: 'by mail' } as const;

/** One line of a thread. */
export function describe({ id, status, changedAt, subject, customerName, customerEmail, customerId }: ProviderThread) {
  return `${id}  ${status}  ${istTime(new Date(changedAt))}  ${customerName} <${customerEmail}>  ${customerId}  ${subject}`;
}
