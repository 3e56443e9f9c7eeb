import { addPasskey, beginPasskey, beginProof, provePasskey } from '#shared/contract/operator/session.ts';
import { callInSession } from '#web/console/api/operator-call.ts';
import { createPasskey, signWithPasskey } from '#web/sign-in/passkeys.ts';

/** Adds a passkey of this device, or of a key that is plugged in. */
export async function registerPasskey(name: string): Promise<void> {
  const credential = await createPasskey(await callInSession(beginPasskey, {}));
  await callInSession(addPasskey, { body: { name, credential } });
}

/** Confirms with a passkey; opens what needs one for a quarter of an hour. */
export async function proveWithPasskey(): Promise<void> {
  const credential = await signWithPasskey(await callInSession(beginProof, {}));
  await callInSession(provePasskey, { body: { credential } });
}
