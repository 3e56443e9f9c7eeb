import { accessors } from './accessors.ts';
import { closing } from './close-in-stages.ts';
import { headText } from './head-text.ts';
import { sendingResponse } from './sending-response.ts';
import type { Shortcut } from './shortcut.ts';
import { unreadRequest } from './unread-request.ts';
import { v8Flags } from './v8-flags.ts';

/** Everything that the gateway uses of Node without a promise (decision 027). */
export const shortcuts: readonly Shortcut[] = [headText, unreadRequest, accessors, sendingResponse, closing, v8Flags];

/** Tries each out and turns off those that don't work, before the first call. Returns those. */
export async function checkShortcuts(checked: readonly Shortcut[] = shortcuts): Promise<Shortcut[]> {
  const off: Shortcut[] = [];
  for (const shortcut of checked) {
    const works = await Promise.resolve()
      .then(shortcut.works)
      .catch(() => false);
    if (works) continue;
    shortcut.turnOff();
    off.push(shortcut);
  }
  return off;
}
