import { randomBytes } from 'node:crypto';
import type { OperatorRole } from '#shared/contract/operator/roles.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { sha256 } from '#server/crypto/ids.ts';
import { absoluteMs, isOver, provenUntilOf, touchIntervalMs } from './sessions.ts';

/** An operator who makes a call: in a session, or by a token, which has fewer rights. */
export interface SignedInOperator {
  operatorId: string;
  email: string;
  name: string;
  role: OperatorRole;
  /** The session in which a passkey can confirm who it is. */
  session?: { hash: Buffer; createdAt: Date; provenUntil: Date | null };
  token?: { id: string; name: string; scopes: readonly string[] };
}

/** Begins a session and returns its token; the database refuses it for somebody who was removed. */
export async function createOperatorSession(tx: Tx, operatorId: string, machineClock: Clock): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = new Date(machineClock());
  await tx
    .insertInto('operator_sessions')
    .values({
      token_hash: sha256(token),
      operator_id: operatorId,
      created_at: now,
      last_used_at: now,
      expires_at: new Date(now.getTime() + absoluteMs),
    })
    .execute();
  return token;
}

const operatorColumns = ['operators.id', 'operators.email', 'operators.name', 'operators.role'] as const;

/** Whose session or token this is, with the role of now; undefined when it is unknown or over. */
export async function findOperator(db: Db, token: string, machineClock: Clock): Promise<SignedInOperator | undefined> {
  if (token === '') return undefined;
  return token.startsWith('octo_') ? findByToken(db, token, machineClock) : findBySession(db, token, machineClock);
}

async function findBySession(db: Db, token: string, machineClock: Clock): Promise<SignedInOperator | undefined> {
  const hash = sha256(token);
  const now = machineClock();
  const found = await db
    .selectFrom('operator_sessions as session')
    .innerJoin('operators', 'operators.id', 'session.operator_id')
    .select(operatorColumns)
    .select(['session.created_at', 'session.last_used_at', 'session.expires_at', 'session.proven_at'])
    .where('token_hash', '=', hash)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  if (!found) return undefined;
  const { id: operatorId, email, name, role, ...session } = found;
  if (isOver(session, now)) {
    await deleteOperatorSession(db, hash);
    return undefined;
  }
  if (now - session.last_used_at.getTime() > touchIntervalMs)
    await db
      .updateTable('operator_sessions')
      .set({ last_used_at: new Date(now) })
      .where('token_hash', '=', hash)
      .execute();
  const provenUntil = provenUntilOf(session.proven_at, now);
  return { operatorId, email, name, role, session: { hash, createdAt: session.created_at, provenUntil } };
}

async function findByToken(db: Db, text: string, machineClock: Clock): Promise<SignedInOperator | undefined> {
  const now = machineClock();
  const found = await db
    .selectFrom('operator_tokens as token')
    .innerJoin('operators', 'operators.id', 'token.operator_id')
    .select(operatorColumns)
    .select(['token.id as tokenId', 'token.name as tokenName', 'token.scopes', 'token.last_used_at'])
    .where('token_hash', '=', sha256(text))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', new Date(now))
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  if (!found) return undefined;
  const { id: operatorId, email, name, role, tokenId, tokenName, scopes, last_used_at: used } = found;
  if (used === null || Math.abs(now - used.getTime()) > touchIntervalMs)
    await db
      .updateTable('operator_tokens')
      .set({ last_used_at: new Date(now) })
      .where('id', '=', tokenId)
      .execute();
  return { operatorId, email, name, role, token: { id: tokenId, name: tokenName, scopes } };
}

export async function deleteOperatorSession(db: Db, hash: Buffer): Promise<void> {
  await db.deleteFrom('operator_sessions').where('token_hash', '=', hash).execute();
}
