import { useState } from 'react';
import { endRecharge, setRecharge, skipRecharge } from '#shared/contract/recharges.ts';
import { readRenewal, type Renewal } from '#shared/contract/renewals.ts';
import { useAction } from '#web/api/use-call.ts';
import { RechargeForm } from '#web/features/recharges/recharge-form.tsx';
import { SkipRechargeDialog } from '#web/features/recharges/skip-recharge-dialog.tsx';
import { autoRechargeTexts as texts } from '#web/features/recharges/texts.ts';
import classes from '#web/features/renewals/renewals.module.css';
import { ActionButton } from '#web/ui/action-button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { dayText, instantText } from '#web/ui/localized-days.ts';
import { moneyText } from '#web/ui/money-text.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import panel from '#web/ui/panel.module.css';
import { RemoveQuestion } from '#web/ui/remove-question.tsx';
import { Section } from '#web/ui/section.tsx';

type Recharge = NonNullable<Renewal['recharge']>;

interface RechargeProps {
  activationId: string;
  recharge: Recharge;
}

/** Packs that the mandate of a plan debits before its units run out (decision 080): what was agreed to, and what comes next. Nothing where there are no packs. */
export function RechargePanel({ activationId, recharge }: RechargeProps) {
  const [opened, setOpened] = useState<'form' | 'end' | null>(null);
  const { agreed, packs } = recharge;
  if (agreed === null && packs.length === 0) return null;
  const close = () => setOpened(null);
  return (
    <Section title={texts.title}>
      <div className={panel.panel}>
        {agreed === null ? <p className="soft">{texts.offer}</p> : <Agreed {...{ activationId, recharge, agreed }} />}
        <div className={panel.actions}>
          {packs.length > 0 && (
            <ActionButton call="setRecharge" variant="default" onClick={() => setOpened('form')}>
              {agreed === null ? texts.set : texts.change}
            </ActionButton>
          )}
          {agreed !== null && (
            <ActionButton call="endRecharge" variant="default" onClick={() => setOpened('end')}>
              {texts.end}
            </ActionButton>
          )}
        </div>
        <Dialog opened={opened === 'form'} onClose={close} title={texts.title}>
          <RechargeForm activationId={activationId} recharge={recharge} onClose={close} />
        </Dialog>
        <EndDialog
          activationId={activationId}
          isUnderWay={recharge.underWay !== null}
          opened={opened === 'end'}
          onClose={close}
        />
      </div>
    </Section>
  );
}

function Agreed({ activationId, recharge, agreed }: RechargeProps & { agreed: NonNullable<Recharge['agreed']> }) {
  const { next, underWay, failed, whyNot, endsAt, left } = recharge;
  const skipping = useAction(skipRecharge, {
    changes: [readRenewal],
    subject: setRecharge.name,
    onDone: () => notifyDone(texts.skipped, texts.skippedMore),
    onFailed: (failure) => notifyFailure(texts.notSaved, failure.message),
  });
  const skip = (quotaUnits: number) => skipping.run({ params: { activationId }, body: { quotaUnits } });
  return (
    <>
      {whyNot !== null && <p>{texts.why[whyNot]}</p>}
      {failed !== null && (
        <p>
          {texts.failed(moneyText(failed.amount), dayText(failed.askedOn))} {failed.reason} {texts.payNow}
        </p>
      )}
      <Facts
        look="list"
        className={classes.facts}
        facts={[
          { key: 'pack', label: texts.pack, value: agreed.packName ?? agreed.packId },
          { key: 'ceiling', label: texts.upTo, value: texts.perMonth(moneyText(agreed.monthlyCeiling)) },
          { key: 'left', label: texts.left, value: moneyText(left ?? 0) },
          {
            key: 'ends',
            label: texts.unitsEnd,
            value: endsAt === null ? texts.last : texts.about(instantText(endsAt)),
          },
          ...(next === null
            ? []
            : [
                {
                  key: 'next',
                  label: texts.next,
                  value: texts.nextAsked(moneyText(next.amount), instantText(next.askFrom)),
                },
              ]),
          ...(underWay === null
            ? []
            : [
                {
                  key: 'underWay',
                  label: texts.next,
                  value: texts.nextUnderWay(moneyText(underWay.amount), dayText(underWay.askedOn)),
                },
              ]),
        ]}
      />
      {next !== null && (
        <>
          <div className={panel.actions}>
            <ActionButton
              call="skipRecharge"
              variant="default"
              running={skipping.running}
              onClick={() => void skip(next.quotaUnits)}
            >
              {skipping.running ? texts.skipping : texts.skip}
            </ActionButton>
          </div>
          <SkipRechargeDialog next={next} running={skipping.running} onSkip={() => skip(next.quotaUnits)} />
        </>
      )}
    </>
  );
}

interface EndDialogProps {
  activationId: string;
  isUnderWay: boolean;
  opened: boolean;
  onClose: () => void;
}

/** Asks before it is turned off. */
function EndDialog({ activationId, isUnderWay, opened, onClose }: EndDialogProps) {
  const ending = useAction(endRecharge, {
    changes: [readRenewal],
    subject: setRecharge.name,
    onDone: () => {
      onClose();
      notifyDone(texts.ended);
    },
    onFailed: (failure) => notifyFailure(texts.endFailed, failure.message),
  });
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.endTitle}>
      <RemoveQuestion
        call="endRecharge"
        keep={texts.keep}
        onKeep={onClose}
        remove={texts.end}
        removing={texts.ending}
        running={ending.running}
        onRemove={() => void ending.run({ params: { activationId } })}
      >
        <p className="soft">{texts.endQuestion}</p>
        {isUnderWay && <p className="soft">{texts.endUnderWay}</p>}
      </RemoveQuestion>
    </Dialog>
  );
}
