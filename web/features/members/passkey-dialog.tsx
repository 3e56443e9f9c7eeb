import { Alert, Button, Skeleton, Text } from '@mantine/core';
import { CircleAlert, KeyRound } from 'lucide-react';
import { useState } from 'react';
import { readTwoStep } from '#shared/contract/two-step.ts';
import { useCall } from '#web/api/use-call.ts';
import { passkeyTexts as texts } from '#web/features/members/passkey-texts.ts';
import { proveWithPasskey, usePasskeyStep } from '#web/features/members/use-passkeys.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { Dialog, DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import { Loaded } from '#web/ui/states.tsx';

/** Asks for the passkey of the member before what was begun goes on, or says how to get one. */
export function PasskeyDialog({ onClose }: { onClose: (isProven: boolean) => void }) {
  const found = useCall(readTwoStep, {});
  const isMissing = found.data?.passkeys.length === 0;
  return (
    <Dialog opened onClose={() => onClose(false)} title={isMissing ? texts.missing : texts.question} size={420}>
      <Loaded of={found} word={texts.loading} failed={texts.failed} shape={<Skeleton height={96} />}>
        {() => (isMissing ? <Missing onClose={() => onClose(false)} /> : <Question onClose={onClose} />)}
      </Loaded>
    </Dialog>
  );
}

function Question({ onClose }: { onClose: (isProven: boolean) => void }) {
  const { running, run } = usePasskeyStep();
  const [failure, setFailure] = useState<string | null>(null);
  const confirm = async () => {
    setFailure(null);
    const failed = await run(proveWithPasskey);
    setFailure(failed);
    if (failed === null) onClose(true);
  };
  return (
    <>
      <DialogContent>
        <Text className="soft">{texts.questionText}</Text>
        {failure === null ? null : (
          <Alert role="alert" color="red" icon={<CircleAlert size={18} />} mt={12}>
            {failure}
          </Alert>
        )}
      </DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={() => onClose(false)}>
          {texts.cancel}
        </Button>
        <ActionButton
          call="proveMemberPasskey"
          data-autofocus
          running={running}
          leftSection={<KeyRound size={16} aria-hidden="true" />}
          onClick={() => void confirm()}
        >
          {running ? texts.confirming : texts.confirm}
        </ActionButton>
      </DialogFoot>
    </>
  );
}

function Missing({ onClose }: { onClose: () => void }) {
  return (
    <>
      <DialogContent>
        <Text className="soft">{texts.missingText}</Text>
      </DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button component="a" href="/account?view=members#passkeys" data-autofocus>
          {texts.toAccount}
        </Button>
      </DialogFoot>
    </>
  );
}
