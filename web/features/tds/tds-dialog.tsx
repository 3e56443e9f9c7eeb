import { Button } from '@mantine/core';
import { readTdsCertificate, type Tds, type TdsClaim } from '#shared/contract/tds.ts';
import { useAction } from '#web/api/use-call.ts';
import { DeclareTdsForm } from '#web/features/tds/declare-tds-form.tsx';
import classes from '#web/features/tds/tds.module.css';
import { tdsTexts as texts } from '#web/features/tds/texts.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { dayText } from '#web/ui/localized-days.ts';
import { Dialog, DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { moneyText } from '#web/ui/money-text.ts';
import { notifyFailure } from '#web/ui/notify.tsx';
import { blobOf } from '#web/forms/base64.ts';
import { saveBlob } from '#web/ui/save-file.ts';
import { useMay } from '#web/roles/use-role.ts';

interface TdsDialogProps {
  cycleId: string;
  /** The invoice's number. */
  invoice: string;
  tds: Tds;
  opened: boolean;
  onClose: () => void;
}

/** The newest claim about TDS of a subscription, and the form for the first one or for one after a refusal (product §6.27). */
export function TdsDialog({ cycleId, invoice, tds, opened, onClose }: TdsDialogProps) {
  const { claim } = tds;
  const mayDeclare = useMay()('declareTds') && tds.mayDeclare;
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title} size={560}>
      {claim !== null && (
        <DialogContent>
          <Claim cycleId={cycleId} claim={claim} isWithheld={tds.isWithheld} />
        </DialogContent>
      )}
      {mayDeclare ? (
        <DeclareTdsForm cycleId={cycleId} invoice={invoice} tds={tds} onClose={onClose} />
      ) : (
        <DialogFoot>
          <Button variant="default" onClick={onClose}>
            {texts.close}
          </Button>
        </DialogFoot>
      )}
    </Dialog>
  );
}

function Claim({ cycleId, claim, isWithheld }: { cycleId: string; claim: TdsClaim; isWithheld: boolean }) {
  const reading = useAction(readTdsCertificate, {
    onDone: ({ certificate, type, name }) => saveBlob(blobOf(certificate, type), name),
    onFailed: (failure) => notifyFailure(texts.downloadFailed, failure.message),
  });
  const { status, amount, quarter, section, tan, declaredOn, decidedOn, reason, certificateName } = claim;
  return (
    <div className={classes.claim}>
      <p className="soft">{isWithheld && status === 'ACCEPTED' ? texts.toldWithheld : texts.told[status]}</p>
      <Facts
        look="rows"
        facts={[
          { key: 'status', label: texts.status, value: texts.statuses[status] },
          ...(reason === null ? [] : [{ key: 'reason', label: texts.reason, value: reason }]),
          { key: 'amount', label: texts.open, value: moneyText(amount) },
          { key: 'quarter', label: texts.quarter, value: quarter },
          { key: 'section', label: texts.section, value: texts.sections[section] },
          { key: 'tan', label: texts.tan, value: tan },
          { key: 'declaredOn', label: texts.declaredOn, value: dayText(declaredOn) },
          ...(decidedOn === null ? [] : [{ key: 'decidedOn', label: texts.decidedOn, value: dayText(decidedOn) }]),
          { key: 'certificate', label: texts.certificate, value: certificateName },
        ]}
      />
      <div>
        <ActionButton
          call="readTdsCertificate"
          isRead
          variant="default"
          size="xs"
          running={reading.running}
          onClick={() => void reading.run({ params: { billingCycleId: cycleId } })}
        >
          {texts.download}
        </ActionButton>
      </div>
    </div>
  );
}
