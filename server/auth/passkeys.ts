import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type {
  createdCredentialSchema,
  passkeySchema,
  proofOptionsSchema,
  registrationOptionsSchema,
  signedCredentialSchema,
} from '#shared/contract/passkeys.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import type { Clock } from '#shared/platform/clock.ts';

/** How long a person may look for the passkey. */
const timeout = 5 * 60_000;

/** ES256, EdDSA and RS256: what authenticators have. */
const algorithms = [-7, -8, -257];

/** What of the portal the ceremonies need. */
interface Party {
  db: Db;
  machineClock: Clock;
  settings: { portalUrl: string; providerName: string };
}

/** A passkey of an operator or of a member. */
export interface PasskeyRow {
  id: string;
  name: string;
  credential_id: string;
  public_key: Buffer;
  counter: number;
  created_at: Date;
  last_used_at: Date | null;
}

/** Who adds a passkey or confirms with one, in a session that keeps the challenge. */
export interface PasskeyHolder {
  sessions: 'operator_sessions' | 'sessions';
  /** SHA-256 of the token of the session. */
  hash: Buffer;
  passkeys: readonly PasskeyRow[];
  notAccepted: () => Error;
}

/** Where passkeys are valid: the host of the portal. */
function partyOf({ settings }: Pick<Party, 'settings'>) {
  const { hostname, origin } = new URL(settings.portalUrl);
  return { rpId: hostname, origin, name: settings.providerName };
}

export const passkeyHost = (portal: Party): string => partyOf(portal).rpId;

export const shownPasskey = ({
  id,
  name,
  created_at: createdAt,
  last_used_at: lastUsedAt,
}: Pick<PasskeyRow, 'id' | 'name' | 'created_at' | 'last_used_at'>): z.output<typeof passkeySchema> => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

/** A new challenge, which the session keeps until it is answered. */
async function challengeFor({ db, machineClock }: Party, { sessions, hash }: PasskeyHolder): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
  await db
    .updateTable(sessions)
    .set({ challenge, challenge_until: new Date(machineClock() + timeout) })
    .where('token_hash', '=', hash)
    .execute();
  return challenge;
}

/** The challenge of the session, once. */
function takeChallenge({ db, machineClock }: Party, { sessions, hash, notAccepted }: PasskeyHolder): Promise<string> {
  return transaction(db, async (tx) => {
    const { challenge, challenge_until: until } =
      (await tx
        .selectFrom(sessions)
        .select(['challenge', 'challenge_until'])
        .where('token_hash', '=', hash)
        .forUpdate()
        .executeTakeFirst()) ?? {};
    if (!challenge || !until || until.getTime() < machineClock()) throw notAccepted();
    await tx
      .updateTable(sessions)
      .set({ challenge: null, challenge_until: null })
      .where('token_hash', '=', hash)
      .execute();
    return challenge;
  });
}

const known = (passkeys: readonly PasskeyRow[]) =>
  passkeys.map(({ credential_id: id }) => ({ id, type: 'public-key' as const }));

/** What a browser needs to make a passkey. */
export async function registrationOptions(
  portal: Party,
  holder: PasskeyHolder,
  user: { id: string; name: string; displayName: string },
): Promise<z.input<typeof registrationOptionsSchema>> {
  const { rpId, name } = partyOf(portal);
  return {
    challenge: await challengeFor(portal, holder),
    rp: { id: rpId, name },
    user: { ...user, id: Buffer.from(user.id).toString('base64url') },
    pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' })),
    timeout,
    excludeCredentials: known(holder.passkeys),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    attestation: 'none',
  };
}

/** A new passkey, which has just confirmed who sits there. */
export async function registeredPasskey(
  portal: Party,
  holder: PasskeyHolder,
  response: z.output<typeof createdCredentialSchema>,
) {
  const { rpId, origin } = partyOf(portal);
  const expectedChallenge = await takeChallenge(portal, holder);
  const { registrationInfo } = await accepted(
    holder,
    verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }),
  );
  if (registrationInfo === undefined) throw holder.notAccepted();
  const { id, publicKey, counter } = registrationInfo.credential;
  return { credential_id: id, public_key: Buffer.from(publicKey), counter, host: rpId };
}

/** What a browser needs to confirm with one of the passkeys. */
export async function proofOptions(portal: Party, holder: PasskeyHolder): Promise<z.input<typeof proofOptionsSchema>> {
  const challenge = await challengeFor(portal, holder);
  const allowCredentials = known(holder.passkeys);
  return { challenge, rpId: partyOf(portal).rpId, timeout, allowCredentials, userVerification: 'required' };
}

/** Which passkey has confirmed, and how often it says that it signed. */
export async function provenPasskey(
  portal: Party,
  holder: PasskeyHolder,
  { response, ...credential }: z.output<typeof signedCredentialSchema>,
): Promise<{ passkeyId: string; counter: number }> {
  const { rpId, origin } = partyOf(portal);
  const expectedChallenge = await takeChallenge(portal, holder);
  const passkey = holder.passkeys.find((each) => each.credential_id === credential.id);
  if (passkey === undefined) throw holder.notAccepted();
  const { userHandle, ...signed } = response;
  const { verified, authenticationInfo } = await accepted(
    holder,
    verifyAuthenticationResponse({
      response: { ...credential, response: { ...signed, ...(userHandle ? { userHandle } : {}) } },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
      },
      requireUserVerification: true,
    }),
  );
  if (!verified) throw holder.notAccepted();
  return { passkeyId: passkey.id, counter: authenticationInfo.newCounter };
}

/** Opens what needs a passkey, in this session. */
export async function markProven(tx: Tx, { sessions, hash }: PasskeyHolder, at: Date): Promise<void> {
  await tx.updateTable(sessions).set({ proven_at: at }).where('token_hash', '=', hash).execute();
}

/** What the library says; it throws for whatever is wrong. */
async function accepted<Result>({ notAccepted }: PasskeyHolder, verification: Promise<Result>): Promise<Result> {
  return verification.catch((error: unknown) => {
    throw Object.assign(notAccepted(), { cause: error });
  });
}
