import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { answerVariables } from '#shared/domain/canned-answer.ts';
import { type Action, type ActionField, actionOf } from '#web/console/ui/action.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { Page } from '#web/console/ui/page.tsx';
import type { Column } from '#web/console/ui/row-table.tsx';

type Answer = OperatorReply<'listCannedAnswers'>['answers'][number];

const hint = `It may say ${answerVariables.map((name) => `{{${name}}}`).join(', ')}.`;
const reason = 'Wording of replies';

const fieldsOf = ({ title, answer }: Pick<Answer, 'title' | 'answer'>): ActionField[] => [
  { name: 'title', label: 'Title', initial: title },
  { name: 'answer', label: 'Answer', kind: 'text', hint, initial: answer },
];

const make = actionOf({
  call: 'createCannedAnswer',
  title: 'Make an answer',
  verb: 'Make',
  letter: 'n',
  about: 'It is inserted into a reply, and read there before it is sent.',
  reason,
  fields: fieldsOf({ title: '', answer: '' }),
  input: (value) => ({ title: value('title'), answer: value('answer') }),
});

const actionsOf = ({ id: answerId, title, answer }: Answer): Action[] => [
  actionOf({
    call: 'changeCannedAnswer',
    title: 'Change the answer',
    verb: 'Change',
    reason,
    fields: fieldsOf({ title, answer }),
    input: (value) => ({ answerId, title: value('title'), answer: value('answer') }),
  }),
  actionOf({
    call: 'removeCannedAnswer',
    title: 'Remove the answer',
    verb: 'Remove',
    isDangerous: true,
    reason,
    input: () => ({ answerId }),
  }),
];

const columns: readonly Column<Answer>[] = [
  { header: 'Title', text: ({ title }) => title },
  { header: 'Answer', text: ({ answer }) => answer },
  { header: 'Actions', cell: (answer) => <Actions list={actionsOf(answer)} of={answer.title} /> },
];

/** The answers that are inserted into replies. */
export function AnswersPage() {
  return (
    <Page title="Canned answers" actions={<Actions list={[make]} />}>
      <CallTable
        label="Answers"
        call="listCannedAnswers"
        input={{}}
        rows={({ answers }) => answers}
        rowKey={({ id }) => id}
        columns={columns}
        empty="There is no canned answer yet."
      />
    </Page>
  );
}
