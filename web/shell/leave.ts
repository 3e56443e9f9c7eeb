import { signOut } from '#contract/account.ts';
import { call } from '#web/api/client.ts';
import { endSession } from '#web/session/session.ts';

/**
 * Ends the session on the server and here. When the server cannot be told, the token is forgotten all the same: whoever
 * presses Logout must be out; the server ends an unused session by itself (product §3.3).
 */
export async function leave(): Promise<void> {
  try {
    await call(signOut, {});
  } catch {
    // Nothing to say: from here on this page has no token.
  }
  endSession('signed-out');
}
