import { beginSession, endSession } from '#web/session/session.ts';

/** Goes on in another customer: nothing of the one before stays, in no tab. */
export function enterCustomer(accessToken: string, path: string): void {
  endSession('signed-out');
  beginSession(accessToken);
  window.location.assign(path);
}
