import { useState } from 'react';
import { endRenewal, readRenewal, type Renewal, skipRenewal } from '#shared/contract/renewals.ts';
import type { Day } from '#shared/domain/day.ts';
import { renewsStill } from '#shared/domain/mandate.ts';
import { useAction, useCall } from '#web/api/use-call.ts';
import { RechargePanel } from '#web/features/recharges/recharge-panel.tsx';
import classes from '#web/features/renewals/renewals.module.css';
import { SkipDialog } from '#web/features/renewals/skip-dialog.tsx';
import { consentTexts, renewalTexts as texts } from '#web/features/renewals/texts.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { dayText, endText, instantText, periodText } from '#web/ui/localized-days.ts';
import { moneyText } from '#web/ui/money-text.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import panel from '#web/ui/panel.module.css';
import { RemoveQuestion } from '#web/ui/remove-question.tsx';
import { Section } from '#web/ui/section.tsx';
import { serverNow } from '#web/ui/server-time.ts';
import { useToday } from '#web/ui/today.ts';

/** While the bank confirms it the page follows it. */
const confirmingEveryMs = 4_000;

type Given = NonNullable<Renewal['mandate']>;

/** The mandate of an activation: what is debited next, and how to skip that or turn it off. Nothing where there never was one. */
export function RenewalCard({ activationId }: { activationId: string }) {
  const { data: renewal } = useCall(
    readRenewal,
    { params: { activationId } },
    { refetchIntervalMs: (reply) => (reply?.mandate?.state === 'ASKED' ? confirmingEveryMs : undefined) },
  );
  const mandate = renewal?.mandate;
  if (renewal === undefined || mandate == null || mandate.state === 'LAPSED') return null;
  return (
    <>
      <Section title={texts.title}>
        <div className={panel.panel}>
          {mandate.state === 'ENDED' ? (
            <>
              <p className="soft">{endedText(mandate)}</p>
              {renewal.next !== null && <p className="soft">{texts.endUnderWay}</p>}
            </>
          ) : (
            <GivenMandate activationId={activationId} renewal={renewal} mandate={mandate} />
          )}
        </div>
      </Section>
      {renewal.recharge !== null && <RechargePanel activationId={activationId} recharge={renewal.recharge} />}
    </>
  );
}

function endedText({ endedBy, isCancelled }: Given): string {
  return isCancelled ? texts.endedBy[endedBy ?? 'CUSTOMER'] : texts.notCancelled;
}

function GivenMandate({ activationId, renewal, mandate }: { activationId: string; renewal: Renewal; mandate: Given }) {
  const [asksEnd, setAsksEnd] = useState(false);
  const { next, whyNot } = renewal;
  const isSkipped = whyNot === 'skipped';
  const canSkip = next?.waitsUntil === null && renewsStill(mandate.state);
  const params = { activationId };
  const today = useToday();
  const why = whyText(renewal, today);
  const skipping = useAction(skipRenewal, {
    changes: [readRenewal],
    subject: readRenewal.name,
    onDone: ({ next: period }, { body }) =>
      body.isSkipped
        ? notifyDone(texts.skipped, period === null ? undefined : texts.skippedMore(endText(period.fromDate, today)))
        : notifyDone(texts.resumed),
    onFailed: (failure) => notifyFailure(texts.notSaved, failure.message),
  });
  return (
    <>
      {why !== undefined && <p>{why}</p>}
      <FailedDebit renewal={renewal} />
      <Facts
        look="list"
        className={classes.facts}
        facts={[
          { key: 'plan', label: texts.plan, value: mandate.planName },
          ...(next !== null && !isSkipped
            ? [
                {
                  key: 'next',
                  label: texts.next,
                  value:
                    next.waitsUntil !== null
                      ? waitingText(next.amount, next.waitsUntil)
                      : texts.nextAsked(moneyText(next.amount), dayText(next.debitOn)),
                },
                { key: 'period', label: texts.period, value: periodText(next) },
              ]
            : []),
          { key: 'method', label: consentTexts.by, value: consentTexts.methods[mandate.method] },
          { key: 'ceiling', label: texts.upTo, value: texts.perDebit(moneyText(mandate.ceiling)) },
          { key: 'until', label: texts.until, value: dayText(mandate.lastDay) },
        ]}
      />
      {mandate.pinEachTime && <p className="soft">{texts.pin}</p>}
      <div className={panel.actions}>
        {canSkip && (
          <ActionButton
            call="skipRenewal"
            variant="default"
            running={skipping.running}
            onClick={() => void skipping.run({ params, body: { isSkipped: !isSkipped } })}
          >
            {skipping.running ? (isSkipped ? texts.resuming : texts.skipping) : isSkipped ? texts.resume : texts.skip}
          </ActionButton>
        )}
        <ActionButton call="endRenewal" variant="default" onClick={() => setAsksEnd(true)}>
          {texts.end}
        </ActionButton>
      </div>
      {canSkip && !isSkipped && (
        <SkipDialog
          next={next}
          ends={endText(next.fromDate, today)}
          running={skipping.running}
          onSkip={() => skipping.run({ params, body: { isSkipped: true } })}
        />
      )}
      <EndDialog
        activationId={activationId}
        planName={mandate.planName}
        isUnderWay={next !== null && next.waitsUntil !== null}
        opened={asksEnd}
        onClose={() => setAsksEnd(false)}
      />
    </>
  );
}

/** Why nothing is debited, or not yet. */
function whyText({ whyNot, isBehindRecharge, next }: Renewal, today: Day): string | undefined {
  if (whyNot === 'not_in_time' && isBehindRecharge) return texts.behindRecharge;
  if (whyNot === 'skipped') return next === null ? texts.skipped : texts.skippedUntil(endText(next.fromDate, today));
  if (whyNot !== null) return texts.why[whyNot];
  return isBehindRecharge && next !== null ? texts.waitsForRecharge : undefined;
}

/** Of a debit that was asked for. */
function waitingText(amount: number, until: string): string {
  return Date.parse(until) > serverNow()
    ? texts.nextUnderWay(moneyText(amount), instantText(until))
    : texts.nextUnanswered(moneyText(amount));
}

/** The last debit failed, and what follows from that. */
function FailedDebit({ renewal: { failed } }: { renewal: Renewal }) {
  if (failed === null) return null;
  const { amount, askedOn, reason, againOn } = failed;
  return (
    <p>
      {texts.failed(moneyText(amount), dayText(askedOn))} {reason}{' '}
      {againOn === null ? texts.payNow : texts.again(dayText(againOn))}
    </p>
  );
}

interface EndDialogProps {
  activationId: string;
  planName: string;
  isUnderWay: boolean;
  opened: boolean;
  onClose: () => void;
}

/** Asks before it is turned off. */
function EndDialog({ activationId, planName, isUnderWay, opened, onClose }: EndDialogProps) {
  const ending = useAction(endRenewal, {
    changes: [readRenewal],
    subject: readRenewal.name,
    onDone: ({ mandate }) => {
      onClose();
      notifyDone(texts.ended, mandate?.isCancelled === false ? texts.notCancelled : undefined);
    },
    onFailed: (failure) => notifyFailure(texts.endFailed, failure.message),
  });
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.endTitle}>
      <RemoveQuestion
        call="endRenewal"
        keep={texts.keep}
        onKeep={onClose}
        remove={texts.end}
        removing={texts.ending}
        running={ending.running}
        onRemove={() => void ending.run({ params: { activationId } })}
      >
        <p className="soft">{texts.endQuestion(planName)}</p>
        {isUnderWay && <p className="soft">{texts.endUnderWay}</p>}
      </RemoveQuestion>
    </Dialog>
  );
}
