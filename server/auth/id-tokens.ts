import { randomBytes } from 'node:crypto';
import type { Db } from '#shared/database/connect.ts';
import { sha256 } from '#server/crypto/ids.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { Identity, VerifyIdToken } from './google.ts';

interface Verifier {
  db: Db;
  machineClock: Clock;
  verifyIdToken: VerifyIdToken;
}

const nonceLifeMs = 10 * 60_000;

/** Issues a nonce for one identity token, valid once within ten minutes. */
export async function issueNonce(portal: Pick<Verifier, 'db' | 'machineClock'>): Promise<string> {
  const nonce = randomBytes(24).toString('base64url');
  await insertNonce(portal.db, sha256(nonce), new Date(portal.machineClock() + nonceLifeMs));
  return nonce;
}

/** The person in a Google ID token; uses up its nonce, so that it signs in once. */
export async function useIdToken(portal: Verifier, idToken: string): Promise<Identity> {
  const identity = await portal.verifyIdToken(idToken);
  if (!identity) throw refuse('sign_in_failed');
  const now = new Date(portal.machineClock());
  if (!(await consumeNonce(portal.db, sha256(identity.nonce), now))) throw refuse('sign_in_failed');
  return identity;
}

async function insertNonce(db: Db, nonceHash: Buffer, expiresAt: Date): Promise<void> {
  await db.insertInto('sign_in_nonces').values({ nonce_hash: nonceHash, expires_at: expiresAt }).execute();
}

/** Uses up a nonce; false when it was never issued, was used before, or has expired. */
async function consumeNonce(db: Db, nonceHash: Buffer, now: Date): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_in_nonces')
    .where('nonce_hash', '=', nonceHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
