import { bodyParts } from './body-parts.ts';
import { lenientResponses } from './lenient-responses.ts';
import { lingering } from './lingering-close.ts';
import { rawResponse } from './raw-response.ts';
import { sendingResponse } from './sending-response.ts';
import type { Shortcut } from './shortcut.ts';
import { unreadRequest } from './unread-request.ts';
import { v8Flags } from './v8-flags.ts';

/** Every undocumented part of Node that the gateway uses (decision 027). */
export const shortcuts: readonly Shortcut[] = [
  rawResponse,
  unreadRequest,
  sendingResponse,
  lingering,
  lenientResponses,
  bodyParts,
  v8Flags,
];

/** Runs all self-tests, disables the shortcuts that fail, and returns those. Call it before the first request. */
export async function checkShortcuts(checked: readonly Shortcut[] = shortcuts): Promise<Shortcut[]> {
  const disabled: Shortcut[] = [];
  for (const shortcut of checked) {
    const works = await Promise.resolve()
      .then(shortcut.selfTest)
      .catch(() => false);
    if (works) continue;
    shortcut.disable();
    disabled.push(shortcut);
  }
  return disabled;
}
