import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { CallReply } from '#shared/contract/call.ts';
import { listWebhooks, rollWebhookSecret } from '#shared/contract/webhooks.ts';
import { useAction } from '#web/api/use-call.ts';
import { NewSecret } from '#web/features/webhooks/new-secret.tsx';
import { webhookDialogTexts as texts, webhookTexts } from '#web/features/webhooks/texts.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { Dialog, DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import { LeaveGuard } from '#web/ui/leave-guard.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';
import { OverlapChoice } from '#web/ui/overlap-choice.tsx';
import { uiTexts } from '#web/ui/texts.ts';

interface RollSecretDialogProps {
  webhookId: string;
  opened: boolean;
  onClose: () => void;
}

/** Asks how long the old secret stays good, then shows the new one, once. */
export function RollSecretDialog({ opened, onClose, webhookId }: RollSecretDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={webhookTexts.roll}>
      <RollSteps webhookId={webhookId} onClose={onClose} />
    </Dialog>
  );
}

function RollSteps({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const [hours, setHours] = useState(24);
  const [made, setMade] = useState<CallReply<typeof rollWebhookSecret> | null>(null);
  const rolling = useAction(rollWebhookSecret, {
    changes: [listWebhooks],
    onDone: setMade,
    onFailed: (failure) => notifyFailure(texts.rollFailed, failure.message),
  });
  if (made !== null) return <NewSecret secret={made.secret} ready={texts.secretRolled} onDone={onClose} />;
  return (
    <>
      <LeaveGuard on={rolling.running} question={uiTexts.unseen} />
      <DialogContent>
        <Text className="soft">{texts.rollQuestion}</Text>
        <OverlapChoice label={texts.overlap} choices={texts.overlaps} hours={hours} onChange={setHours} />
      </DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <ActionButton
          call="rollWebhookSecret"
          running={rolling.running}
          onClick={() => void rolling.run({ params: { webhookId }, body: { overlapHours: hours } })}
        >
          {rolling.running ? texts.rolling : webhookTexts.roll}
        </ActionButton>
      </DialogFoot>
    </>
  );
}
