import { useSearchParams } from 'react-router';
import type { Renewal } from '#shared/contract/renewals.ts';
import { autoRechargeTexts as texts } from '#web/features/recharges/texts.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { instantText } from '#web/ui/localized-days.ts';
import { moneyText } from '#web/ui/money-text.ts';
import { RemoveQuestion } from '#web/ui/remove-question.tsx';

interface SkipRechargeDialogProps {
  next: NonNullable<NonNullable<Renewal['recharge']>['next']>;
  running: boolean;
  /** Resolves once it is done or has failed. */
  onSkip: () => Promise<unknown>;
}

/** The mail about a debit of a pack leads here: asks once whether to skip it. Nothing when another one is announced by now. */
export function SkipRechargeDialog({ next, running, onSkip }: SkipRechargeDialogProps) {
  const [search, setSearch] = useSearchParams();
  const close = () => setSearch({}, { replace: true, preventScrollReset: true });
  return (
    <Dialog opened={search.get('skipRecharge') === String(next.quotaUnits)} onClose={close} title={texts.skipTitle}>
      <RemoveQuestion
        call="skipRecharge"
        keep={texts.keepDebit}
        onKeep={close}
        remove={texts.skip}
        removing={texts.skipping}
        running={running}
        onRemove={() => void onSkip().then(close)}
      >
        <p className="soft">{texts.skipQuestion(moneyText(next.amount), instantText(next.askFrom))}</p>
        <p className="soft">{texts.skippedMore}</p>
      </RemoveQuestion>
    </Dialog>
  );
}
