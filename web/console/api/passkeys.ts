import { addPasskey, beginPasskey, beginProof, provePasskey } from '#shared/contract/operator/session.ts';
import { callInSession } from '#web/console/api/operator-call.ts';

/** Adds a passkey of this device, or of a key that is plugged in. */
export async function registerPasskey(name: string): Promise<void> {
  const options = await callInSession(beginPasskey, {});
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey });
  await callInSession(addPasskey, { body: { name, credential: asJson(credential, addPasskey.body.shape.credential) } });
}

/** Confirms with a passkey; opens what needs one for a quarter of an hour. */
export async function proveWithPasskey(): Promise<void> {
  const options = await callInSession(beginProof, {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey });
  await callInSession(provePasskey, { body: { credential: asJson(credential, provePasskey.body.shape.credential) } });
}

/** The credential as the contract takes it. */
function asJson<Json>(credential: Credential | null, schema: { parse: (json: unknown) => Json }): Json {
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser gave no passkey');
  return schema.parse(credential.toJSON());
}
