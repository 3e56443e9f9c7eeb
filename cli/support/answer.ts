import { text } from 'node:stream/consumers';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm, showEffect } from '#cli/operator.ts';
import { maxMessage } from '#domain/support-thread.ts';
import { closeThread, readThread, replyToThread, requireOpen } from '#server/features/support/support.ts';
import { asOperator } from '#server/operator-context.ts';
import { describe } from './read.ts';

export async function reply(
  threadId: string,
  written: string | undefined,
  options: Omit<ActionOptions, 'reason'>,
): Promise<void> {
  const message = (written ?? (process.stdin.isTTY ? '' : await text(process.stdin))).trim();
  if (message === '' || message.length > maxMessage)
    throw new CommandFailed(`Write a message of 1 to ${maxMessage} characters.`, exitCodes.usage);
  await asOperator(async (operator) => {
    const thread = await readThread(operator.db, threadId);
    const effect = [describe(thread), `The customer gets, in the portal and by mail:`, '', message];
    if (options.dryRun === true) {
      printResult(options.json, { sent: false, thread: threadId, message }, effect);
      return;
    }
    showEffect(effect, options);
    await confirm('Send this reply?', options);
    await replyToThread(operator, threadId, message, options.actor);
    printResult(options.json, { sent: true, thread: threadId, message }, [`${threadId} is answered.`]);
  });
}

export async function close(threadId: string, options: ActionOptions): Promise<void> {
  await asOperator(async (operator) => {
    const thread = requireOpen(threadId, await readThread(operator.db, threadId));
    if (options.dryRun === true) {
      printResult(options.json, { closed: false, thread: threadId, status: thread.status }, [
        describe(thread),
        'Nothing was changed.',
      ]);
      return;
    }
    showEffect([describe(thread)], options);
    await confirm('Close this thread?', options);
    await closeThread(operator, threadId, causeOf(options));
    printResult(options.json, { closed: true, thread: threadId, status: 'CLOSED' }, [`${threadId} is closed.`]);
  });
}
