import { NativeSelect } from '@mantine/core';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { fillAnswer } from '#shared/domain/canned-answer.ts';
import { useOperatorCall } from '#web/console/api/use-operator-call.ts';
import { dayText } from '#web/ui/localized-days.ts';

interface About {
  threadId: string;
  customerId: string;
  activationId: string | null;
}

/** Inserts a canned answer into a reply, with what is known of the customer. */
export function AnswerChoice({ about, onChoose }: { about: About; onChoose: (text: string) => void }) {
  const answers = useOperatorCall('listCannedAnswers', {}).data?.answers ?? [];
  const customer = useOperatorCall('readCustomer', { customerId: about.customerId }).data;
  if (answers.length === 0 || customer === undefined) return null;
  return (
    <NativeSelect
      label="Insert an answer"
      value=""
      data={[{ value: '', label: 'Choose' }, ...answers.map(({ id, title }) => ({ value: id, label: title }))]}
      onChange={({ currentTarget }) => {
        const chosen = answers.find(({ id }) => id === currentTarget.value);
        if (chosen) onChoose(fillAnswer(chosen.answer, valuesOf(about, customer)));
      }}
    />
  );
}

/** What the variables say; one that is not known stays to be written. */
function valuesOf(
  { threadId, activationId }: About,
  { name, legalName, activations }: OperatorReply<'readCustomer'>,
): ReadonlyMap<string, string> {
  const plans = activations.flatMap(({ id, plan }) => (plan === null ? [] : [{ id, plan }]));
  const { plan } = plans.find(({ id }) => id === activationId) ?? (plans.length === 1 ? plans[0] : undefined) ?? {};
  const known = {
    name,
    business: legalName,
    plan: plan?.name,
    ends: plan && dayText(plan.toDate),
    thread: threadId,
  };
  return new Map(Object.entries(known).flatMap(([key, value]) => (value ? [[key, value] as const] : [])));
}
