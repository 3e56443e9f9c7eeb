import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  addMemberPasskey,
  beginMemberPasskey,
  beginMemberProof,
  proveMemberPasskey,
  readTwoStep,
} from '#shared/contract/two-step.ts';
import { call } from '#web/api/client.ts';
import { Refused, Unreachable } from '#web/api/failures.ts';
import { withPasskey } from '#web/api/passkey-needed.ts';
import { callKey } from '#web/api/use-call.ts';
import { passkeyTexts as texts } from '#web/features/members/passkey-texts.ts';
import { createPasskey, signWithPasskey } from '#web/sign-in/passkeys.ts';

/** Confirms with a passkey; opens what needs one for a quarter of an hour. */
export async function proveWithPasskey(): Promise<void> {
  const credential = await signWithPasskey(await call(beginMemberProof, {}));
  await call(proveMemberPasskey, { body: { credential } });
}

/** Adds a passkey; `googleIdToken`: of a first one. */
export async function addPasskey(name: string, googleIdToken: string | undefined): Promise<void> {
  const options = await withPasskey(() => call(beginMemberPasskey, {}));
  const credential = await createPasskey(options);
  const body = { name, credential, ...(googleIdToken !== undefined && { googleIdToken }) };
  await call(addMemberPasskey, { body });
}

/** Runs one step with a passkey at a time, and says why it failed: the browser’s own words are for developers. */
export function usePasskeyStep() {
  const queryClient = useQueryClient();
  const [running, setRunning] = useState(false);
  const run = async (step: () => Promise<void>): Promise<string | null> => {
    setRunning(true);
    try {
      await step();
      return null;
    } catch (error) {
      return error instanceof Refused || error instanceof Unreachable ? error.message : texts.notConfirmed;
    } finally {
      setRunning(false);
      void queryClient.invalidateQueries({ queryKey: callKey(readTwoStep) });
    }
  };
  return { running, run };
}
