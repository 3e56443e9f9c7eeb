import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { randomBytes } from 'node:crypto';
import type { CallParsed, CallResult } from '#shared/contract/call.ts';
import type { addPasskey, beginPasskey, beginProof, provePasskey } from '#shared/contract/operator/session.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { recordAction } from '#server/audit-log/audit-log.ts';
import { proofMs, type SignedInOperator } from '#server/auth/operator-sessions.ts';
import { newId } from '#server/crypto/ids.ts';
import type { Portal } from '#server/portal.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { refuse } from '#server/refusals/refuse.ts';

/** How long a person may look for the passkey. */
const timeout = 5 * 60_000;

/** ES256, EdDSA and RS256: what authenticators have. */
const algorithms = [-7, -8, -257];

const isNotAccepted = () => new OperatorRefusal('This passkey was not accepted. Nothing was changed: try again.');

/** Where passkeys are valid: the host of the portal. */
function partyOf({ settings }: Portal) {
  const { hostname, origin } = new URL(settings.portalUrl);
  return { rpId: hostname, origin, name: settings.providerName };
}

/** A token is no person who could touch anything. */
function sessionOf({ session }: SignedInOperator): NonNullable<SignedInOperator['session']> {
  if (session === undefined) throw refuse('forbidden');
  return session;
}

const passkeysOf = (db: Db | Tx, operatorId: string) =>
  db.selectFrom('operator_passkeys').selectAll().where('operator_id', '=', operatorId).orderBy('created_at').execute();

export async function listPasskeys(db: Db, operatorId: string) {
  return (await passkeysOf(db, operatorId)).map(({ id, name, created_at, last_used_at }) => ({
    id,
    name,
    createdAt: created_at.toISOString(),
    lastUsedAt: last_used_at?.toISOString() ?? null,
  }));
}

/** A new challenge, which the session keeps until it is answered. */
async function challengeFor({ db, machineClock }: Portal, operator: SignedInOperator): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
  await db
    .updateTable('operator_sessions')
    .set({ challenge, challenge_until: new Date(machineClock() + timeout) })
    .where('token_hash', '=', sessionOf(operator).hash)
    .execute();
  return challenge;
}

/** The challenge of the session, once. */
function takeChallenge({ db, machineClock }: Portal, operator: SignedInOperator): Promise<string> {
  const { hash } = sessionOf(operator);
  return transaction(db, async (tx) => {
    const { challenge, challenge_until: until } =
      (await tx
        .selectFrom('operator_sessions')
        .select(['challenge', 'challenge_until'])
        .where('token_hash', '=', hash)
        .forUpdate()
        .executeTakeFirst()) ?? {};
    if (!challenge || !until || until.getTime() < machineClock()) throw isNotAccepted();
    await tx
      .updateTable('operator_sessions')
      .set({ challenge: null, challenge_until: null })
      .where('token_hash', '=', hash)
      .execute();
    return challenge;
  });
}

/** The first passkey is that of whoever has just signed in with Google; another one needs a proof with one that is there. */
async function requireMayAdd(db: Db | Tx, { machineClock }: Portal, operator: SignedInOperator) {
  const { createdAt, provenUntil } = sessionOf(operator);
  const passkeys = await passkeysOf(db, operator.operatorId);
  if (passkeys.length > 0 && provenUntil === null) throw refuse('passkey_required');
  if (passkeys.length === 0 && machineClock() - createdAt.getTime() > proofMs)
    throw new OperatorRefusal('Sign in again: a first passkey is added within 15 minutes after that.');
  return passkeys.map(({ credential_id: id }) => ({ id, type: 'public-key' as const }));
}

export async function beginRegistration(
  portal: Portal,
  operator: SignedInOperator,
): Promise<CallResult<typeof beginPasskey>> {
  const excludeCredentials = await requireMayAdd(portal.db, portal, operator);
  const { rpId, name } = partyOf(portal);
  const { operatorId, email, name: displayName } = operator;
  return {
    challenge: await challengeFor(portal, operator),
    rp: { id: rpId, name },
    user: { id: Buffer.from(operatorId).toString('base64url'), name: email, displayName },
    pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' })),
    timeout,
    excludeCredentials,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    attestation: 'none',
  };
}

/** Adds a passkey. It has just confirmed who sits there. */
export async function register(
  portal: Portal,
  operator: SignedInOperator,
  { name, credential }: CallParsed<typeof addPasskey>['body'],
): Promise<CallResult<typeof addPasskey>> {
  const { rpId, origin } = partyOf(portal);
  const expectedChallenge = await takeChallenge(portal, operator);
  const { registrationInfo } = await accepted(
    verifyRegistrationResponse({
      response: credential,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }),
  );
  if (registrationInfo === undefined) throw isNotAccepted();
  const { id: credentialId, publicKey, counter } = registrationInfo.credential;
  const now = new Date(portal.machineClock());
  const id = newId('PSK');
  await transaction(portal.db, async (tx) => {
    // One at a time: only one is the first.
    await tx.selectFrom('operators').select('id').where('id', '=', operator.operatorId).forUpdate().execute();
    await requireMayAdd(tx, portal, operator);
    const added = await tx
      .insertInto('operator_passkeys')
      .values({
        id,
        operator_id: operator.operatorId,
        credential_id: credentialId,
        public_key: Buffer.from(publicKey),
        counter,
        name,
        host: rpId,
        created_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!added) throw isNotAccepted();
    await tx
      .updateTable('operator_sessions')
      .set({ proven_at: now })
      .where('token_hash', '=', sessionOf(operator).hash)
      .execute();
    await recordAction(tx, { ...causeOf(operator, name), action: 'passkeys.add', target: id });
  });
  return { id, name, createdAt: now.toISOString(), lastUsedAt: null };
}

export async function beginToProve(portal: Portal, operator: SignedInOperator): Promise<CallResult<typeof beginProof>> {
  const allowCredentials = (await passkeysOf(portal.db, operator.operatorId)).map(({ credential_id: id }) => ({
    id,
    type: 'public-key' as const,
  }));
  if (allowCredentials.length === 0) throw new OperatorRefusal('You have no passkey yet. Add one first.');
  const challenge = await challengeFor(portal, operator);
  return { challenge, rpId: partyOf(portal).rpId, timeout, allowCredentials, userVerification: 'required' };
}

/** Opens what needs a passkey for 15 minutes, in this session. */
export async function prove(
  portal: Portal,
  operator: SignedInOperator,
  { response, ...credential }: CallParsed<typeof provePasskey>['body']['credential'],
): Promise<CallResult<typeof provePasskey>> {
  const { rpId, origin } = partyOf(portal);
  const expectedChallenge = await takeChallenge(portal, operator);
  const passkey = (await passkeysOf(portal.db, operator.operatorId)).find(
    (each) => each.credential_id === credential.id,
  );
  if (passkey === undefined) throw isNotAccepted();
  const { userHandle, ...signed } = response;
  const { verified, authenticationInfo } = await accepted(
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
  if (!verified) throw isNotAccepted();
  const now = new Date(portal.machineClock());
  await transaction(portal.db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('operator_passkeys')
      .set({ counter: authenticationInfo.newCounter, last_used_at: now })
      .where('id', '=', passkey.id)
      .executeTakeFirst();
    // Removed meanwhile.
    if (numUpdatedRows !== 1n) throw isNotAccepted();
    await tx
      .updateTable('operator_sessions')
      .set({ proven_at: now })
      .where('token_hash', '=', sessionOf(operator).hash)
      .execute();
  });
  return { provenUntil: new Date(now.getTime() + proofMs).toISOString() };
}

/** Removes a passkey, and ends the other sessions: a lost one may have proven them. */
export async function forgetPasskey({ db }: Portal, operator: SignedInOperator, passkeyId: string): Promise<void> {
  const { hash, provenUntil } = sessionOf(operator);
  if (provenUntil === null) throw refuse('passkey_required');
  await transaction(db, async (tx) => {
    const removed = await tx
      .deleteFrom('operator_passkeys')
      .where('id', '=', passkeyId)
      .where('operator_id', '=', operator.operatorId)
      .returning('name')
      .executeTakeFirst();
    if (!removed) throw refuse('not_found');
    await tx
      .deleteFrom('operator_sessions')
      .where('operator_id', '=', operator.operatorId)
      .where('token_hash', '<>', hash)
      .execute();
    await recordAction(tx, { ...causeOf(operator, removed.name), action: 'passkeys.remove', target: passkeyId });
  });
}

const causeOf = ({ email }: SignedInOperator, name: string) => ({
  actor: email,
  reason: `Passkey ${name}`,
  customerId: null,
  effect: {},
});

/** What the library says; it throws for whatever is wrong. */
async function accepted<Result>(verification: Promise<Result>): Promise<Result> {
  return verification.catch((error: unknown) => {
    throw Object.assign(isNotAccepted(), { cause: error });
  });
}
