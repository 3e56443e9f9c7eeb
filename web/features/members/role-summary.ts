import type { MemberRole } from '#shared/contract/member-roles.ts';
import { accountRights } from '#shared/policies/members/account.ts';
import { apiKeysRights } from '#shared/policies/members/api-keys.ts';
import { documentsRights } from '#shared/policies/members/documents.ts';
import { paymentsRights } from '#shared/policies/members/payments.ts';
import { requestLogRights } from '#shared/policies/members/request-log.ts';
import { usageRights } from '#shared/policies/members/usage.ts';
import { webhooksRights } from '#shared/policies/members/webhooks.ts';
import { mayTexts } from '#web/features/members/texts.ts';

/** A call that stands for each thing that people ask about, as the server's rules have it. */
const standsFor: readonly (readonly [keyof typeof mayTexts.may, readonly MemberRole[]])[] = [
  ['keys', apiKeysRights.createApiKey],
  ['webhooks', webhooksRights.createWebhook],
  ['calls', requestLogRights.listRequests],
  ['pays', paymentsRights.createOrder],
  ['details', accountRights.updateProfile],
  ['papers', documentsRights.listDocuments],
  ['usage', usageRights.readUsage],
];

/** What a role may, in one line. */
export function roleSummary(role: MemberRole): string {
  const may = standsFor.filter(([, roles]) => roles.includes(role));
  return role === 'owner' ? mayTexts.all : may.map(([name]) => mayTexts.may[name]).join(', ');
}
