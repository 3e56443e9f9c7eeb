import { useSearchParams } from 'react-router';
import type { Renewal } from '#shared/contract/renewals.ts';
import { renewalTexts as texts } from '#web/features/renewals/texts.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { dayText } from '#web/ui/localized-days.ts';
import { moneyText } from '#web/ui/money-text.ts';
import { RemoveQuestion } from '#web/ui/remove-question.tsx';

interface SkipDialogProps {
  next: NonNullable<Renewal['next']>;
  /** When the plan ends without it. */
  ends: string;
  running: boolean;
  /** Resolves once it is done or has failed. */
  onSkip: () => Promise<unknown>;
}

/** The mail about a debit leads here: asks once whether to skip it. Nothing when another period is next by now. */
export function SkipDialog({ next, ends, running, onSkip }: SkipDialogProps) {
  const [search, setSearch] = useSearchParams();
  const close = () => setSearch({}, { replace: true, preventScrollReset: true });
  return (
    <Dialog opened={search.get('skip') === next.fromDate} onClose={close} title={texts.skipTitle}>
      <RemoveQuestion
        call="skipRenewal"
        keep={texts.keepDebit}
        onKeep={close}
        remove={texts.skip}
        removing={texts.skipping}
        running={running}
        onRemove={() => void onSkip().then(close)}
      >
        <p className="soft">{texts.skipQuestion(moneyText(next.amount), dayText(next.debitOn))}</p>
        <p className="soft">{texts.skippedMore(ends)}</p>
      </RemoveQuestion>
    </Dialog>
  );
}
