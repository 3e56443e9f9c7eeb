import { signOut } from '#shared/contract/account.ts';
import { endView } from '#shared/contract/operator/view.ts';
import { call } from '#web/api/client.ts';
import { endSession } from '#web/session/session.ts';
import { isView } from '#web/session/view.ts';

/**
 * Ends the session here and on the server. The token is forgotten at once, whether the server responds or not: Logout must
 * always sign the customer out, and the server ends an unused session on its own (product §3.3).
 */
export async function leave(): Promise<void> {
  // Is sent with the token, which it has read by then.
  const ended = isView ? call(endView, {}) : call(signOut, {});
  endSession('signed-out');
  try {
    await ended;
  } catch {
    // Nothing to say: this page has no token any more.
  }
}
