import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { addNoteTo } from '#web/console/features/support/notes.tsx';
import { type Action, actionOf } from '#web/console/ui/action.ts';

type Thread = OperatorReply<'readThread'>;

/** What can be done with a thread besides a reply. `team`: addresses of those who may look after it, and who acts first. */
export function actionsOfThread({ id, status, assignedTo, messages }: Thread, team: readonly string[]): Action[] {
  const [me = ''] = team;
  const lastMessageId = messages.at(-1)?.id;
  const others = team.filter((email) => email !== assignedTo);
  const assign = actionOf({
    call: 'assignThread',
    title: 'Assign',
    verb: 'Assign',
    letter: 'a',
    about: 'Who looks after this thread. The customer does not see it.',
    reason: 'Assigned',
    fields: [
      {
        name: 'email',
        label: 'Assigned to',
        kind: 'choice',
        isOptional: true,
        initial: assignedTo === me ? '' : me,
        choices: [
          ...others.map((email) => ({ value: email, label: email === me ? `${email} (you)` : email })),
          ...(assignedTo === null ? [] : [{ value: '', label: 'Nobody' }]),
        ],
      },
    ],
    input: (value) => ({ threadId: id, email: value('email') || null }),
  });
  const close = actionOf({
    call: 'closeThread',
    title: 'Close the thread',
    verb: 'Close thread',
    letter: 'e',
    about: 'For a thread that needs no reply. The customer opens it again by writing.',
    input: () => ({ threadId: id, ...(lastMessageId !== undefined && { lastMessageId }) }),
  });
  return [assign, addNoteTo(id), ...(status === 'CLOSED' ? [] : [close])];
}
