import type { Owner, Portal } from '#server/portal.ts';
import { createTurns, type TakeTurn } from './turns.ts';

/** Calls of one customer that run at the same time in one process; a connection to the database serves one, and there are 20. */
export const callsAtOnce = 4;
/** Calls of one customer that wait for their turn; one more is refused. */
export const maxWaitingCalls = 100;

const turnsOf = new WeakMap<Portal, TakeTurn>();

/** The turns of the calls of each customer. */
export function callTurns(portal: Portal): TakeTurn {
  const takeTurn = turnsOf.get(portal) ?? createTurns({ ofOwner: callsAtOnce, waiting: maxWaitingCalls });
  turnsOf.set(portal, takeTurn);
  return takeTurn;
}

/**
 * Runs the work of a customer's call when it is its turn, so that one customer's calls can't take every connection to the database. What
 * lasts, such as a stream or a long file, must take turns for its parts. Throws too_many_requests when too many calls wait already.
 */
export function takeCallTurn<Result>(
  portal: Portal,
  { customerId }: Owner,
  work: () => Promise<Result>,
): Promise<Result> {
  return callTurns(portal)(customerId, work);
}

/** The same for work of whoever holds a pay link of the customer. The customer's own calls never wait behind it. */
export function takeLinkTurn<Result>(
  portal: Portal,
  { customerId }: Owner,
  work: () => Promise<Result>,
): Promise<Result> {
  return callTurns(portal)(`links of ${customerId}`, work);
}

/** Makes each part in a turn of its own: other calls of the customer go on between two. */
export async function* inCallTurns<Part>(
  portal: Portal,
  owner: Owner,
  parts: AsyncGenerator<Part>,
): AsyncGenerator<Part> {
  for (;;) {
    const part = await takeCallTurn(portal, owner, () => parts.next());
    if (part.done === true) return;
    yield part.value;
  }
}
