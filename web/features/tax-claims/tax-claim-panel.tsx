import { Alert, FileButton, Skeleton, Title } from '@mantine/core';
import { useState } from 'react';
import {
  declareTaxClaim,
  readTaxClaim,
  readTaxLetter,
  type TaxClaimState,
  withdrawTaxClaim,
} from '#shared/contract/tax-claims.ts';
import { confirmsSez, letterTypes } from '#shared/domain/tax-claim.ts';
import { useAction, useCall } from '#web/api/use-call.ts';
import { readLetter } from '#web/features/tax-claims/letter-file.ts';
import classes from '#web/features/tax-claims/tax-claim-panel.module.css';
import { taxClaimTexts as texts } from '#web/features/tax-claims/texts.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { dayText } from '#web/ui/localized-days.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import panel from '#web/ui/panel.module.css';
import { RemoveQuestion } from '#web/ui/remove-question.tsx';
import { blobOf } from '#web/forms/base64.ts';
import { saveBlob } from '#web/ui/save-file.ts';
import { Loaded } from '#web/ui/states.tsx';

/** The declaration of an SEZ or a buyer abroad, with its letter; nothing for anyone else. */
export function TaxClaimPanel() {
  const state = useCall(readTaxClaim, {});
  return (
    <Loaded of={state} word={texts.loading} failed={texts.failed} shape={<Skeleton height={220} mt={24} radius="lg" />}>
      {({ needed, declared, checked }) =>
        needed === null ? null : checked === null ? (
          <Claim needed={needed} declared={declared} />
        ) : (
          <Checked gstin={needed.about} checked={checked} />
        )
      }
    </Loaded>
  );
}

/** An SEZ of which the GST portal has said something: that decides, not a letter. */
function Checked({ gstin, checked }: { gstin: string; checked: NonNullable<TaxClaimState['checked']> }) {
  const day = dayText(checked.on);
  const isConfirmed = confirmsSez(checked.outcome);
  return (
    <section className={`${panel.panel} ${classes.claim}`}>
      <Title order={2}>{texts.title}</Title>
      {isConfirmed ? (
        <p className="soft">{texts.sezConfirmed(gstin, day)}</p>
      ) : (
        <Alert color="yellow" title={texts.sezDenied(gstin, day)}>
          {texts.sezDeniedMore}
        </Alert>
      )}
      {checked.type === '' ? null : (
        <Facts look="rows" facts={[{ key: 'type', label: texts.kind, value: checked.type }]} />
      )}
    </section>
  );
}

interface ClaimProps {
  needed: NonNullable<TaxClaimState['needed']>;
  declared: TaxClaimState['declared'];
}

function Claim({ needed, declared }: ClaimProps) {
  const [fault, setFault] = useState<string | null>(null);
  const [asks, setAsks] = useState(false);
  const declaring = useAction(declareTaxClaim, {
    changes: [readTaxClaim],
    onDone: () => notifyDone(texts.uploaded, texts.uploadedMore),
    onFailed: (failure) => setFault(failure.message),
  });
  const reading = useAction(readTaxLetter, {
    onDone: ({ file }) => file && saveBlob(blobOf(file.letter, file.type), file.name),
    onFailed: (failure) => notifyFailure(texts.downloadFailed, failure.message),
  });

  async function upload(file: File | null): Promise<void> {
    if (file === null) return;
    setFault(null);
    const chosen = await readLetter(file);
    if (chosen.ok) await declaring.run({ body: { name: chosen.name, letter: chosen.letter } });
    else setFault(texts[chosen.fault]);
  }

  return (
    <section className={`${panel.panel} ${classes.claim}`} aria-busy={declaring.running}>
      <Title order={2}>{texts.title}</Title>
      <p className="soft">{leadOf(needed, declared !== null)}</p>
      {declared === null ? null : (
        <Facts
          look="rows"
          facts={[
            { key: 'declaredOn', label: texts.declaredOn, value: dayText(declared.declaredOn) },
            {
              key: 'letter',
              label: texts.letter,
              value: `${declared.name} (${texts.size(Math.ceil(declared.bytes / 1000))})`,
            },
          ]}
        />
      )}
      {fault === null ? null : (
        <Alert color="red" role="alert" title={texts.uploadFailed}>
          {fault}
        </Alert>
      )}
      <div className={panel.actions}>
        <FileButton accept={letterTypes.join(',')} onChange={(file) => void upload(file)}>
          {(button) => (
            <ActionButton
              call="declareTaxClaim"
              {...button}
              variant={declared === null ? 'filled' : 'default'}
              running={declaring.running}
            >
              {declaring.running ? texts.uploading : declared === null ? texts.choose : texts.replace}
            </ActionButton>
          )}
        </FileButton>
        {declared === null ? null : (
          <>
            <ActionButton
              call="readTaxLetter"
              isRead
              variant="default"
              running={reading.running}
              onClick={() => void reading.run({})}
            >
              {texts.download}
            </ActionButton>
            <ActionButton call="withdrawTaxClaim" variant="default" onClick={() => setAsks(true)}>
              {texts.remove}
            </ActionButton>
          </>
        )}
      </div>
      <p className="soft">{texts.rules}</p>
      <WithdrawDialog opened={asks} onClose={() => setAsks(false)} />
    </section>
  );
}

function leadOf({ kind, about }: ClaimProps['needed'], isDeclared: boolean): string {
  if (isDeclared) return kind === 'SEZ' ? texts.declaredSez(about) : texts.declaredAbroad;
  return kind === 'SEZ' ? texts.sez(about) : texts.abroad;
}

/** Asks before the declaration is withdrawn. */
function WithdrawDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const withdrawing = useAction(withdrawTaxClaim, {
    changes: [readTaxClaim],
    subject: declareTaxClaim.name,
    onDone: () => {
      onClose();
      notifyDone(texts.removed);
    },
    onFailed: (failure) => notifyFailure(texts.removeFailed, failure.message),
  });
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.removeTitle}>
      <RemoveQuestion
        call="withdrawTaxClaim"
        keep={texts.keep}
        onKeep={onClose}
        remove={texts.remove}
        removing={texts.removing}
        running={withdrawing.running}
        onRemove={() => void withdrawing.run({})}
      >
        <p className="soft">{texts.removeQuestion}</p>
      </RemoveQuestion>
    </Dialog>
  );
}
