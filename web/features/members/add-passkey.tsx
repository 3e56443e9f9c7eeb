import { Button, Text, TextInput } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useRef, useState } from 'react';
import classes from '#web/features/members/members.module.css';
import { passkeyTexts as texts } from '#web/features/members/passkey-texts.ts';
import { addPasskey, usePasskeyStep } from '#web/features/members/use-passkeys.ts';
import { useGoogleSignIn } from '#web/sign-in/use-google-sign-in.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { useColorSchemeToggle } from '#web/ui/color-scheme-toggle.ts';
import { Dialog, DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { ErrorState } from '#web/ui/states.tsx';

/** Adds a passkey. `needsIdentity`: no passkey can confirm it, so the person signs in with Google once more. */
export function AddPasskey({ needsIdentity }: { needsIdentity: boolean }) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <Button
        variant="default"
        mt={16}
        leftSection={<KeyRound size={16} aria-hidden="true" />}
        onClick={() => setOpened(true)}
      >
        {texts.add}
      </Button>
      <Dialog opened={opened} onClose={close} title={texts.add} size={440}>
        <Steps needsIdentity={needsIdentity} onClose={close} />
      </Dialog>
    </>
  );
}

function Steps({ needsIdentity, onClose }: { needsIdentity: boolean; onClose: () => void }) {
  const [token, setToken] = useState<string>();
  if (needsIdentity && token === undefined) return <Identity onToken={setToken} />;
  return <NameStep token={token} onClose={onClose} onAgain={() => setToken(undefined)} />;
}

/** Google’s own button: what it responds with is of use once, for ten minutes. */
function Identity({ onToken }: { onToken: (token: string) => void }) {
  const { isDark } = useColorSchemeToggle();
  const button = useRef<HTMLDivElement>(null);
  const { state, renew } = useGoogleSignIn(button, isDark, onToken);
  return (
    <DialogContent>
      <Text className="soft">{texts.identity}</Text>
      <div ref={button} className={classes.google} data-hidden={state !== 'ready'} aria-busy={state === 'preparing'} />
      {state === 'preparing' ? <output className="soft">{texts.identityWait}</output> : null}
      {state === 'unavailable' ? (
        <ErrorState title={texts.identityFailed} onRetry={renew}>
          {texts.identityRetry}
        </ErrorState>
      ) : null}
    </DialogContent>
  );
}

function NameStep({
  token,
  onClose,
  onAgain,
}: {
  token: string | undefined;
  onClose: () => void;
  onAgain: () => void;
}) {
  const [name, setName] = useState('');
  const { running, run } = usePasskeyStep();
  const add = async () => {
    const failed = await run(() => addPasskey(name, token));
    if (failed === null) {
      notifyDone(texts.addedDone, undefined, 'passkey');
      onClose();
      return;
    }
    notifyFailure(texts.notAdded, failed, 'passkey');
    // Google’s word is used up.
    onAgain();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <DialogContent>
        {token === undefined ? null : <Text className="soft">{texts.identityDone}</Text>}
        <TextInput
          label={texts.nameOf}
          description={texts.nameHint}
          value={name}
          maxLength={60}
          data-autofocus
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
      </DialogContent>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <ActionButton call="addMemberPasskey" type="submit" running={running} disabled={name.trim() === ''}>
          {running ? texts.adding : texts.add}
        </ActionButton>
      </DialogFoot>
    </form>
  );
}
