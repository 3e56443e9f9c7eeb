import { Textarea, TextInput } from '@mantine/core';
import type { Day } from '#shared/domain/day.ts';
import type { TermsDraft } from '#web/features/api-keys/key-terms.ts';
import classes from '#web/features/api-keys/generate-key-dialog.module.css';
import { termsTexts as texts } from '#web/features/api-keys/texts.ts';
import { DayInput } from '#web/forms/day-input.tsx';
import type { ContractFormState } from '#web/forms/use-contract-form.tsx';

interface KeyTermsFieldsProps {
  field: ContractFormState<TermsDraft>['field'];
  today: Day;
  isTest: boolean;
  /** True when the limits are the dialog's main content. */
  focused?: boolean;
}

/** End, addresses and daily cap of a key; all may stay empty. */
export function KeyTermsFields({ field, today, isTest, focused = false }: KeyTermsFieldsProps) {
  return (
    <div className={classes.terms}>
      <DayInput
        {...field('lastDay', texts.lastDayMore)}
        clearable
        data-autofocus={focused || undefined}
        label={texts.lastDay}
        min={today}
      />
      <Textarea
        {...field('allowedIps', texts.allowedIpsMore)}
        label={texts.allowedIps}
        placeholder={texts.allowedIpsExample}
        autosize
        minRows={2}
        maxRows={6}
        spellCheck={false}
      />
      {!isTest && <TextInput {...field('dailyCap', texts.dailyCapMore)} label={texts.dailyCap} inputMode="numeric" />}
    </div>
  );
}
