import { Textarea, TextInput } from '@mantine/core';
import type { Day } from '#domain/day.ts';
import type { TermsDraft, TermsFault } from '#web/features/api-keys/key-terms.ts';
import classes from '#web/features/api-keys/generate-key-dialog.module.css';
import { termsTexts as texts } from '#web/features/api-keys/texts.ts';

interface KeyTermsFieldsProps {
  draft: TermsDraft;
  fault: TermsFault | undefined;
  today: Day;
  isTest: boolean;
  /** Is it what the dialog is about? */
  focused?: boolean;
  onChange: (draft: TermsDraft) => void;
}

/** End, addresses and daily cap of a key; all may stay empty. */
export function KeyTermsFields({ draft, fault, today, isTest, focused = false, onChange }: KeyTermsFieldsProps) {
  return (
    <div className={classes.terms}>
      <TextInput
        type="date"
        data-autofocus={focused || undefined}
        label={texts.lastDay}
        description={texts.lastDayMore}
        min={today}
        value={draft.lastDay}
        error={fault === 'lastDay' ? texts.faults.lastDay : undefined}
        onChange={(event) => onChange({ ...draft, lastDay: event.currentTarget.value })}
      />
      <Textarea
        label={texts.allowedIps}
        description={texts.allowedIpsMore}
        placeholder={texts.allowedIpsExample}
        autosize
        minRows={2}
        maxRows={6}
        value={draft.allowedIps}
        spellCheck={false}
        error={fault === 'allowedIps' || fault === 'tooManyIps' ? texts.faults[fault] : undefined}
        onChange={(event) => onChange({ ...draft, allowedIps: event.currentTarget.value })}
      />
      {!isTest && (
        <TextInput
          label={texts.dailyCap}
          description={texts.dailyCapMore}
          inputMode="numeric"
          value={draft.dailyCap}
          error={fault === 'dailyCap' ? texts.faults.dailyCap : undefined}
          onChange={(event) => onChange({ ...draft, dailyCap: event.currentTarget.value })}
        />
      )}
    </div>
  );
}
