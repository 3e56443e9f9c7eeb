import { activationsPasskeys } from './activations.ts';
import { apiKeysPasskeys } from './api-keys.ts';
import { invitationsPasskeys } from './invitations.ts';
import type { PasskeyRule } from './member-policy.ts';
import { membersPasskeys } from './members.ts';
import { privacyPasskeys } from './privacy.ts';
import { twoStepPasskeys } from './two-step.ts';
import { webhooksPasskeys } from './webhooks.ts';

/** What hurts: keys, secrets of webhooks, members, ownership, deletion. No other call needs a passkey. */
export const passkeyRules: ReadonlyMap<string, PasskeyRule> = new Map(
  Object.entries<PasskeyRule>({
    ...apiKeysPasskeys,
    ...webhooksPasskeys,
    ...membersPasskeys,
    ...invitationsPasskeys,
    ...activationsPasskeys,
    ...privacyPasskeys,
    ...twoStepPasskeys,
  }),
);

/** Refused without a passkey where the account asks for one. */
export const needsPasskey = (name: string): boolean => passkeyRules.get(name) === 'always';
