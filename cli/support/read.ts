import { CommandFailed, exitCodes } from '#cli/command-result.ts';
import { show } from '#cli/operator.ts';
import { listThreads, type ProviderThread, readThread } from '#shared/contract/operator/support.ts';
import { istTime } from '#shared/domain/day.ts';
import { maxMessagesShown, supportStatuses } from '#shared/domain/support-thread.ts';

export async function list({ status, limit, ...options }: ListOptions): Promise<void> {
  if (!/^[1-9]\d{0,5}$/.test(limit)) throw new CommandFailed(`${limit} is not a number of threads.`, exitCodes.usage);
  const wanted = supportStatuses.find((each) => each === status);
  const none = wanted === 'OPEN' ? 'Nobody waits for a reply.' : 'No threads.';
  await show(listThreads, { status: wanted, limit: Number(limit) }, options, ({ threads }) =>
    threads.length === 0 ? [none] : threads.map(describe),
  );
}

interface ListOptions {
  status: string;
  limit: string;
  json?: boolean;
}

export async function showOne(threadId: string, options: { json?: boolean }): Promise<void> {
  await show(readThread, { threadId }, options, (thread) => [
    describe(thread),
    ...(thread.activationId === null ? [] : [`  about ${thread.activationId}`]),
    ...(thread.messages.length < maxMessagesShown ? [] : [`  the newest ${maxMessagesShown} messages:`]),
    ...thread.messages.flatMap(({ createdAt, author, writtenBy, channel, message }) => [
      '',
      `${istTime(new Date(createdAt))}  ${author === 'CUSTOMER' ? thread.customerName : (writtenBy ?? '')}, ${wheres[channel]}`,
      ...message.split('\n').map((line) => `  ${line}`.trimEnd()),
    ]),
  ]);
}

const wheres = { PORTAL: 'in the portal', COMMAND: 'by command', MAIL: 'by mail' } as const;

/** One line of a thread. */
export function describe({ id, status, changedAt, subject, customerName, customerEmail, customerId }: ProviderThread) {
  return `${id}  ${status}  ${istTime(new Date(changedAt))}  ${customerName} <${customerEmail}>  ${customerId}  ${subject}`;
}
