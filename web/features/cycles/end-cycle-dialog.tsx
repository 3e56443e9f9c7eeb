import { Skeleton, Text } from '@mantine/core';
import { type Cycle, type Ending, endCycle, previewEndCycle } from '#shared/contract/cycles.ts';
import type { Day } from '#shared/domain/day.ts';
import { billingCalls } from '#web/api/billing-calls.ts';
import { useAction, useCall } from '#web/api/use-call.ts';
import { endTexts as texts } from '#web/features/cycles/texts.ts';
import { daysText } from '#web/ui/cycle-days.ts';
import { gapText } from '#web/features/cycles/refused-text.ts';
import { dayText, effectText, endText, periodText } from '#web/ui/localized-days.ts';
import { Dialog, DialogFacts } from '#web/ui/dialog.tsx';
import { moneyText } from '#web/ui/money-text.ts';
import { refundDoneText, refundFacts } from '#web/ui/refund-text.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { RemoveQuestion } from '#web/ui/remove-question.tsx';
import { ErrorState, Loading } from '#web/ui/states.tsx';

export interface EndCycleDialogProps {
  activationId: string;
  /**
   * The cycle to end; null before the first opening. It stays while the dialog closes, so that its text does not
   * change.
   */
  cycle: Cycle | null;
  /** The cycle that gives access after it, if any. */
  next: Cycle | undefined;
  today: Day;
  opened: boolean;
  onClose: () => void;
}

/** Ends a cycle after showing the cost or the refund (product §4.12). */
export function EndCycleDialog({ opened, onClose, cycle, ...props }: EndCycleDialogProps) {
  const title = cycle === null ? '' : texts.title[expectedKind(cycle)](cycle.planName);
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      {cycle !== null && <EndCycleForm {...props} cycle={cycle} kind={expectedKind(cycle)} onClose={onClose} />}
    </Dialog>
  );
}

type EndCycleFormProps = Omit<EndCycleDialogProps, 'opened' | 'cycle'> & { cycle: Cycle; kind: Ending['kind'] };

function EndCycleForm({ activationId, cycle, next, today, kind, onClose }: EndCycleFormProps) {
  const params = { activationId, billingCycleId: cycle.id };
  const preview = useCall(previewEndCycle, { params });
  const ending = useAction(endCycle, {
    changes: billingCalls,
    onDone: (reply) => {
      notifyDone(texts.done[reply.kind](cycle.planName), effectText(reply.effectiveBy, refundDoneText(reply)));
      onClose();
    },
    onFailed: (failure) => notifyFailure(texts.failed[kind], failure.message),
  });
  return (
    <>
      <RemoveQuestion
        call="endCycle"
        keep={texts.keep[kind]}
        onKeep={onClose}
        remove={texts.confirm[kind]}
        removing={texts.running[kind]}
        running={ending.running}
        disabled={preview.data === undefined}
        onRemove={() => void ending.run({ params })}
      >
        {preview.data !== undefined && <EndingFacts ending={preview.data} cycle={cycle} next={next} today={today} />}
        {preview.isPending && (
          <Loading word={texts.loading}>
            <Skeleton h={20} w="70%" />
            <Skeleton h={116} mt={16} />
          </Loading>
        )}
        {preview.isError && preview.data === undefined && (
          <ErrorState title={texts.previewFailed} onRetry={() => void preview.refetch()} retrying={preview.isFetching}>
            {preview.error.message}
          </ErrorState>
        )}
      </RemoveQuestion>
    </>
  );
}

function EndingFacts(props: { ending: Ending } & Pick<EndCycleFormProps, 'cycle' | 'next' | 'today'>) {
  const { renewal, renewsFrom, debitAmount } = props.ending;
  const debitText = renewal === 'moves' ? texts.debitPays : texts.debit;
  return (
    <>
      <EndingMoney {...props} />
      {renewal !== null && (
        <Text className="soft">{texts.renewal[renewal](renewsFrom === null ? '' : dayText(renewsFrom))}</Text>
      )}
      {debitAmount !== null && <Text className="soft">{debitText(moneyText(debitAmount))}</Text>}
    </>
  );
}

function EndingMoney({
  ending,
  cycle,
  next,
  today,
}: { ending: Ending } & Pick<EndCycleFormProps, 'cycle' | 'next' | 'today'>) {
  const { unusedDays, unusedAmount, refundAmount } = ending;
  const period = periodText(cycle);
  if (ending.kind === 'remove') return <Text className="soft">{texts.removeText(cycle.planName, period)}</Text>;
  if (ending.kind === 'cancel') {
    if (refundAmount === 0) return <Text className="soft">{texts.cancelFreeText(cycle.planName, period)}</Text>;
    return (
      <>
        <Text className="soft">{texts.cancelText(cycle.planName, period)}</Text>
        <DialogFacts facts={refundFacts(ending)} />
      </>
    );
  }
  const ends = (
    <>
      {texts.today(dayText(today))} <span className="dim">{texts.insteadOf(endText(cycle.toDate, today))}</span>
    </>
  );
  const lost = refundAmount === 0;
  return (
    <>
      <Text className="soft">{lost ? texts.deactivateLost : texts.deactivateRefunded}</Text>
      <DialogFacts
        facts={[
          { key: 'ends', label: texts.ends, value: ends },
          {
            key: 'unused',
            label: lost ? texts.unusedLost : texts.unused,
            value: <span className="strong">{daysText(unusedDays)}</span>,
          },
          ...(unusedAmount > 0 && lost
            ? [
                {
                  key: 'worth',
                  label: texts.worth,
                  value: (unusedAmount < 1 ? texts.tooLittle : texts.notRefunded)(moneyText(unusedAmount)),
                },
              ]
            : []),
          ...refundFacts(ending),
          {
            key: 'next',
            label: texts.next,
            value: next === undefined ? texts.nextNone : <NextPlan next={next} today={today} />,
          },
        ]}
      />
    </>
  );
}

/** The plan that follows, and the days without one until then. */
function NextPlan({ next, today }: { next: Cycle; today: Day }) {
  const gap = gapText(today, next.fromDate);
  return (
    <>
      {texts.nextPlan(next.planName, dayText(next.fromDate))}
      {gap !== undefined && (
        <Text span inherit display="block" c="var(--p-danger-text)">
          {gap}
        </Text>
      )}
    </>
  );
}

/** The action's name before the server has responded. */
function expectedKind(cycle: Cycle): Ending['kind'] {
  if (cycle.status !== 'PAID' && cycle.status !== 'NO_PAYMENT_REQUIRED') return 'remove';
  return cycle.phase === 'upcoming' ? 'cancel' : 'deactivate';
}
