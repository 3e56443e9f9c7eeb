import { sql } from 'kysely';
import { loggedCalls } from '#shared/contract/member-log.ts';
import type { Call } from '#shared/contract/call.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { withCommitGuard } from '#shared/database/transaction.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { needsPasskey } from '#shared/policies/members/passkeys.ts';
import { rolesOf } from '#shared/policies/members/rights.ts';
import { refuse } from '#server/refusals/refuse.ts';
import { proofMs, type SignedInMember } from './sessions.ts';

const logged: ReadonlySet<string> = new Set(loggedCalls);
/** They write their entry themselves: who leaves is no member at the commit, who accepts is one of another customer, and the others have no id in the path. */
const logsItself: ReadonlySet<string> = new Set([
  'leaveCustomer',
  'acceptInvitation',
  'addMemberPasskey',
  'switchTwoStep',
]);

interface Guarded {
  db: Db;
  clock: Clock;
  machineClock: Clock;
  call: Pick<Call, 'name' | 'method'>;
  member: SignedInMember;
  /** The id of what it is about. */
  target: string | undefined;
}

/**
 * Runs a call of a member. Each transaction ends with the question whether the member still is one, and may make the call, under a lock for which a removal
 * waits: so nothing is done after a removal. The first one writes the entry of the log; a call without a transaction gets it before it responds.
 */
export async function asMember<Result>(guarded: Guarded, work: () => Promise<Result>): Promise<Result> {
  const { db, clock, machineClock, call, member, target } = guarded;
  const keepsEntry = logged.has(call.name) && !logsItself.has(call.name);
  if (call.name === 'leaveCustomer' || (call.method === 'GET' && !keepsEntry)) return work();
  let isWritten = !keepsEntry;
  // A call that began in time goes on.
  const provenAfter = new Date(machineClock() - proofMs);
  const entry = { ...member, action: call.name, target };
  const result =
    call.method === 'GET'
      ? await work()
      : await withCommitGuard(
          {
            beforeCommit: async (tx) => {
              const found = await sql`select from members where id = ${member.memberId} and removed_at is null
                and role in (${sql.join(rolesOf(call.name))}) for share`.execute(tx);
              if (found.rows.length === 0) throw refuse('unauthorized');
              if (needsPasskey(call.name)) await requireStillProven(tx, member, provenAfter);
              if (!isWritten) await insertAction(tx, clock, entry);
            },
            committed: () => {
              isWritten = true;
            },
          },
          work,
        );
  if (!isWritten) await insertAction(db, clock, entry);
  return result;
}

/** Another query than that of the lock: it sees what the lock waited for. */
async function requireStillProven(tx: Executor, { customerId, session }: SignedInMember, after: Date): Promise<void> {
  const found = await sql`select from customers where id = ${customerId} and (not two_step
    or exists (select from sessions where token_hash = ${session?.hash ?? null} and proven_at > ${after}))`.execute(tx);
  if (found.rows.length === 0) throw refuse('passkey_needed');
}

type Executor = Parameters<ReturnType<typeof sql>['execute']>[0];

async function insertAction(
  db: Executor,
  clock: Clock,
  {
    customerId,
    memberId,
    action,
    target,
  }: Pick<SignedInMember, 'customerId' | 'memberId'> & {
    action: string;
    target: string | undefined;
  },
): Promise<void> {
  await sql`insert into member_actions (customer_id, member_id, acted_at, action, target)
    values (${customerId}, ${memberId}, ${new Date(clock())}, ${action}, ${target ?? null})`.execute(db);
}

/** Writes an entry in the transaction of its effect. */
export const recordMember = (
  tx: Tx,
  clock: Clock,
  member: Pick<SignedInMember, 'customerId' | 'memberId'>,
  action: 'leaveCustomer' | 'acceptInvitation' | 'addMemberPasskey' | 'switchTwoStep',
  target: string,
): Promise<void> => insertAction(tx, clock, { ...member, action, target });
