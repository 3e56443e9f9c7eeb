import { signOut } from '#contract/account.ts';
import { call } from '#web/api/client.ts';
import { endSession } from '#web/session/session.ts';

/**
 * Ends the session on the server and here. If the server can't be reached, the token is still forgotten: Logout must
 * always sign the customer out, and the server ends an unused session on its own (product §3.3).
 */
export async function leave(): Promise<void> {
  try {
    await call(signOut, {});
  } catch {
    // Nothing to say: from here on this page has no token.
  }
  endSession('signed-out');
}
