import { readAccount } from '#shared/contract/account.ts';
import type { ActionName, OperatorInput, ReadName } from '#shared/contract/operator/calls.ts';
import { createSupportThread } from '#shared/contract/support.ts';
import { testOperators } from '#server/test/operators.ts';
import { startTestPortal } from '#server/test/portal.ts';

export const asha = 'asha@kaveri.example';

/** A portal with an operator who may reply. */
export async function startDesk() {
  const portal = await startTestPortal({ jobs: false });
  const operators = testOperators(portal);
  const ofAsha = await operators.signedIn(asha, 'support');

  /** A customer with a thread. */
  async function asked(files: { name: string; content: string }[] = []) {
    const token = await portal.newCustomer();
    const body = { subject: 'It fails', message: 'How do I search?', activationId: null, files };
    const thread = await portal.ask(createSupportThread, { body }, token);
    const { user } = await portal.ask(readAccount, {}, token);
    return { token, user, thread, threadId: thread.id };
  }

  return {
    ...portal,
    operators,
    ofAsha,
    asked,
    /** As Asha. */
    read: <Name extends ReadName>(name: Name, input: OperatorInput<Name>) => operators.read(ofAsha, name, input),
    act: <Name extends ActionName>(name: Name, input: OperatorInput<Name>) => operators.act(ofAsha, name, input),
  };
}
