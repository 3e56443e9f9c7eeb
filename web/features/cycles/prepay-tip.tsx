import { Title } from '@mantine/core';
import { CalendarPlus } from 'lucide-react';
import classes from '#web/features/cycles/subscriptions-page.module.css';
import { cycleTexts as texts } from '#web/features/cycles/texts.ts';
import { ActionButton } from '#web/ui/action-button.tsx';

/** Shown while there is one cycle only (product §4.11); it carries 'Prepay next' (product §4.7). */
export function PrepayTip({ onPrepay }: { onPrepay: () => void }) {
  return (
    <div className={classes.tip}>
      <div className={classes.tipPicture} aria-hidden="true">
        <i />
        <i />
        <i />
      </div>
      <div className={classes.tipText}>
        <Title order={3}>{texts.tip}</Title>
        <p className="soft">{texts.tipText}</p>
      </div>
      <ActionButton
        call="addCycle"
        variant="default"
        size="sm"
        leftSection={<CalendarPlus size={16} aria-hidden />}
        onClick={onPrepay}
      >
        {texts.prepayNext}
      </ActionButton>
    </div>
  );
}
