import { CommandFailed, printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm, showEffect } from '#cli/operator.ts';
import { readWorkList, retryRefused } from '#server/features/documents/documents.ts';
import { asOperator } from '#server/operator-context.ts';

/** `octroi e-invoices retry` */
export async function retryRegistration(number: string, options: ActionOptions): Promise<void> {
  await asOperator(async (operator) => {
    const waiting = await readWorkList(operator.db, operator.clock(), false);
    const item = waiting.find((each) => each.number === number && each.refused !== null);
    if (!item) throw new CommandFailed(`The invoice portal has not refused ${number}. See: octroi e-invoices list`);
    const about = `${number} of ${item.buyer}, refused with ${item.refused?.code}: ${item.refused?.reason}`;
    if (options.dryRun === true) {
      printResult(options.json, { retried: false, number }, [about, 'Nothing was changed.']);
      return;
    }
    showEffect([about], options);
    await confirm('Register it again?', options);
    if (!(await retryRefused(operator, number, causeOf(options))))
      throw new CommandFailed(`Meanwhile ${number} is no longer refused.`);
    printResult(options.json, { retried: true, number }, [`The running portal will register ${number} again.`]);
  });
}
