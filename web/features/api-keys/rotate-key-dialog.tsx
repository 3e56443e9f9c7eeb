import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Activation } from '#shared/contract/activations.ts';
import { type ApiKey, listApiKeys, rotateApiKey } from '#shared/contract/api-keys.ts';
import type { CallReply } from '#shared/contract/call.ts';
import { useAction } from '#web/api/use-call.ts';
import { NewKey, useSampleRequest } from '#web/features/api-keys/new-key.tsx';
import classes from '#web/features/api-keys/rotate-key-dialog.module.css';
import { rotateTexts as texts } from '#web/features/api-keys/texts.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { Dialog, DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import { LeaveGuard } from '#web/ui/leave-guard.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';
import { OverlapChoice } from '#web/ui/overlap-choice.tsx';
import { uiTexts } from '#web/ui/texts.ts';

interface RotateKeyDialogProps {
  activation: Activation;
  apiKey: ApiKey | null;
  opened: boolean;
  onClose: () => void;
}

const overlaps = [0, 1, 24, 72, 168] as const;

/** Replaces a key by a new one, which is shown once; the old one keeps working for the chosen time. */
export function RotateKeyDialog({ activation, apiKey, opened, onClose }: RotateKeyDialogProps) {
  useSampleRequest(activation.service.id);
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title}>
      {apiKey !== null && <RotateKeySteps activation={activation} apiKey={apiKey} onClose={onClose} />}
    </Dialog>
  );
}

function RotateKeySteps({
  activation,
  apiKey,
  onClose,
}: {
  activation: Activation;
  apiKey: ApiKey;
  onClose: () => void;
}) {
  const [hours, setHours] = useState(24);
  const [stopsNow, setStopsNow] = useState(false);
  const [made, setMade] = useState<CallReply<typeof rotateApiKey> | null>(null);
  const rotating = useAction(rotateApiKey, {
    changes: [listApiKeys],
    onDone: setMade,
    onFailed: (failure) => notifyFailure(texts.failed, failure.message),
  });
  if (made !== null) {
    const oldKey = { id: apiKey.id, hasStopped: stopsNow || hours === 0 };
    return <NewKey activation={activation} made={made} isTest={apiKey.isTest} oldKey={oldKey} onClose={onClose} />;
  }
  const replace = (overlapHours: number) =>
    void rotating.run({ params: { activationId: activation.id, keyId: apiKey.id }, body: { overlapHours } });
  return (
    <>
      <LeaveGuard on={rotating.running} question={uiTexts.unseen} />
      <DialogContent>
        <p className="soft">{texts.lead(apiKey.keyName)}</p>
        <div className={classes.leaked}>
          <span>
            <b>{texts.leaked}</b> {texts.leakedMore}
          </span>
          <ActionButton
            call="rotateApiKey"
            size="sm"
            variant="subtle"
            color="red"
            disabled={rotating.running}
            running={rotating.running && stopsNow}
            onClick={() => {
              setStopsNow(true);
              replace(0);
            }}
          >
            {rotating.running && stopsNow ? texts.running : texts.atOnce}
          </ActionButton>
        </div>
        <OverlapChoice
          label={texts.overlap}
          choices={overlaps.map((each) => ({ hours: each, label: texts.overlaps[each] }))}
          hours={hours}
          onChange={setHours}
        />
      </DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <ActionButton
          call="rotateApiKey"
          disabled={rotating.running}
          running={rotating.running && !stopsNow}
          onClick={() => {
            setStopsNow(false);
            replace(hours);
          }}
        >
          {rotating.running && !stopsNow ? texts.running : texts.confirm}
        </ActionButton>
      </DialogFoot>
    </>
  );
}
