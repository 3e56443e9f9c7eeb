import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { istTime } from '#domain/day.ts';
import { maxMessagesShown, supportStatuses } from '#domain/support-thread.ts';
import { listThreads, type ProviderThread, readThread } from '#server/features/support/support.ts';
import { asReader } from '#server/operator-context.ts';

export async function list({ status, limit, json }: { status: string; limit: string; json?: boolean }): Promise<void> {
  if (!/^[1-9]\d{0,5}$/.test(limit)) throw new CommandFailed(`${limit} is not a number of threads.`, exitCodes.usage);
  const wanted = supportStatuses.find((each) => each === status);
  const threads = await asReader((db) => listThreads(db, { status: wanted, limit: Number(limit) }));
  const none = wanted === 'OPEN' ? 'Nobody waits for a reply.' : 'No threads.';
  printResult(json, { threads }, threads.length === 0 ? [none] : threads.map(describe));
}

export async function show(threadId: string, { json }: { json?: boolean }): Promise<void> {
  const thread = await asReader((db) => readThread(db, threadId));
  printResult(json, thread, [
    describe(thread),
    ...(thread.activationId === null ? [] : [`  about ${thread.activationId}`]),
    ...(thread.messages.length < maxMessagesShown ? [] : [`  the newest ${maxMessagesShown} messages:`]),
    ...thread.messages.flatMap(({ createdAt, author, writtenBy, channel, message }) => [
      '',
      `${istTime(createdAt)}  ${author === 'CUSTOMER' ? thread.customerName : (writtenBy ?? '')}, ${wheres[channel]}`,
      ...message.split('\n').map((line) => `  ${line}`.trimEnd()),
    ]),
  ]);
}

const wheres = { PORTAL: 'in the portal', COMMAND: 'by command', MAIL: 'by mail' } as const;

/** One line of a thread. */
export function describe({ id, status, changedAt, subject, customerName, customerEmail, customerId }: ProviderThread) {
  return `${id}  ${status}  ${istTime(changedAt)}  ${customerName} <${customerEmail}>  ${customerId}  ${subject}`;
}
