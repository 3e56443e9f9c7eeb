import { text } from 'node:stream/consumers';
import { CommandFailed, exitCodes } from '#cli/command-result.ts';
import { act, type ActionOptions } from '#cli/operator.ts';
import { assignThread, closeThread, replyToThread } from '#shared/contract/operator/support.ts';
import { maxMessage } from '#shared/domain/support-thread.ts';
import { filesAt } from './files.ts';
import { describe } from './read.ts';

export async function reply(
  threadId: string,
  written: string | undefined,
  { attach = [], ...options }: Omit<ActionOptions, 'reason'> & { attach?: string[] },
): Promise<void> {
  const message = (written ?? (process.stdin.isTTY ? '' : await text(process.stdin))).trim();
  if (message === '' || message.length > maxMessage)
    throw new CommandFailed(`Write a message of 1 to ${maxMessage} characters.`, exitCodes.usage);
  await act(
    replyToThread,
    { threadId, message, files: await filesAt(attach) },
    { ...options, reason: 'Reply to your message' },
    {
      did: 'sent',
      effect: ({ about }) => [
        describe(about),
        `The customer gets, in the portal and by mail:`,
        '',
        message,
        ...attach.map((path) => `  with ${path}`),
      ],
      question: 'Send this reply?',
      done: ({ thread }) => [`${thread} is answered.`],
    },
  );
}

export const close = (threadId: string, options: ActionOptions): Promise<void> =>
  act(closeThread, { threadId }, options, {
    did: 'closed',
    effect: ({ about }) => [describe(about)],
    question: 'Close this thread?',
    done: ({ thread }) => [`${thread} is closed.`],
  });

export const assign = (threadId: string, email: string | undefined, options: ActionOptions): Promise<void> =>
  act(assignThread, { threadId, email: email ?? null }, options, {
    did: 'assigned',
    effect: ({ before, assignedTo }) => [`${threadId} goes from ${before ?? 'nobody'} to ${assignedTo ?? 'nobody'}.`],
    question: 'Assign it so?',
    done: ({ assignedTo }) => [`${threadId} is assigned to ${assignedTo ?? 'nobody'}.`],
  });
