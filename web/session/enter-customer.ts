import { sessionKey } from '#web/session/session.ts';
import { keptInBrowser, keptInTab } from '#web/session/storage.ts';

/** Goes on in another customer of the same person, in this tab and those that are loaded from now on. */
export function enterCustomer(accessToken: string, path: string): void {
  keptInBrowser.keep(sessionKey, accessToken);
  keptInTab.clear();
  window.location.assign(path);
}
