import { Refused } from '#web/api/failures.ts';

/** Asks the person to confirm with a passkey; false when that was cancelled. */
type Ask = () => Promise<boolean>;
let ask: Ask | undefined;

/** Whoever can ask the person says so; there is one on every page. */
export function onPasskeyNeeded(next: Ask): void {
  ask = next;
}

/** Does it, and once more after a passkey has confirmed it, where the account asks for one. */
export async function withPasskey<Reply>(work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused && error.code === 'passkey_needed' && (await ask?.()) === true) return work();
    throw error;
  }
}
