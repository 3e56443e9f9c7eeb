import { Alert, Textarea } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { formatNumber } from '#shared/domain/number-text.ts';
import { maxMessage } from '#shared/domain/support-thread.ts';
import type { CallFailure } from '#web/api/failures.ts';
import { supportTexts as texts } from '#web/features/support/texts.ts';
import type { ContractFormState } from '#web/forms/use-contract-form.tsx';

/** The message of a form; from half of its limit on, it counts the characters. */
export function MessageField({
  field,
  typed,
  label,
  hint,
}: {
  field: ContractFormState<{ message: string }>['field'];
  typed: number;
  label: string;
  hint: string;
}) {
  const isLong = typed > maxMessage / 2;
  return (
    <Textarea
      {...field('message', isLong ? texts.counter(formatNumber(typed), formatNumber(maxMessage)) : hint)}
      label={label}
      required
      withAsterisk={false}
      maxLength={maxMessage}
      rows={7}
    />
  );
}

/** A message that did not reach the server is still in its field. */
export function NotSent({ failure }: { failure: CallFailure }) {
  return (
    <Alert role="alert" color="red" icon={<CircleAlert size={18} />} title={texts.notSent}>
      {failure.message} {texts.kept}
    </Alert>
  );
}
