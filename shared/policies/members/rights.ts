import type { MemberRole } from '#shared/contract/member-roles.ts';
import { accountRights } from './account.ts';
import { accountantsRights } from './accountants.ts';
import { activationsRights } from './activations.ts';
import { apiKeysRights } from './api-keys.ts';
import { bankTransfersRights } from './bank-transfers.ts';
import { creditRights } from './credit.ts';
import { cyclesRights } from './cycles.ts';
import { documentsRights } from './documents.ts';
import { invitationsRights } from './invitations.ts';
import { invoicesRights } from './invoices.ts';
import { marketplaceRights } from './marketplace.ts';
import { memberLogRights } from './member-log.ts';
import { memberRightsOfMembers } from './members.ts';
import { monthPackRights } from './month-pack.ts';
import { payLinksRights } from './pay-links.ts';
import { paymentsRights } from './payments.ts';
import { privacyRights } from './privacy.ts';
import { rechargesRights } from './recharges.ts';
import { renewalsRights } from './renewals.ts';
import { requestLogRights } from './request-log.ts';
import { searchRights } from './search.ts';
import { supportRights } from './support.ts';
import { taxClaimsRights } from './tax-claims.ts';
import { tdsRights } from './tds.ts';
import { twoStepRights } from './two-step.ts';
import { usageRights } from './usage.ts';
import { webhooksRights } from './webhooks.ts';

const rights = {
  ...accountRights,
  ...accountantsRights,
  ...activationsRights,
  ...apiKeysRights,
  ...bankTransfersRights,
  ...creditRights,
  ...cyclesRights,
  ...documentsRights,
  ...invitationsRights,
  ...invoicesRights,
  ...marketplaceRights,
  ...memberLogRights,
  ...memberRightsOfMembers,
  ...monthPackRights,
  ...payLinksRights,
  ...paymentsRights,
  ...privacyRights,
  ...rechargesRights,
  ...renewalsRights,
  ...requestLogRights,
  ...searchRights,
  ...supportRights,
  ...taxClaimsRights,
  ...tdsRights,
  ...twoStepRights,
  ...usageRights,
  ...webhooksRights,
};

export type MemberCallName = keyof typeof rights;

/** Who may make each call with a customer's session. */
export const memberRights: Readonly<Record<MemberCallName, readonly MemberRole[]>> = rights;

const isRuled = (name: string): name is MemberCallName => Object.hasOwn(rights, name);

/** Who may make a call; one without a line is the owner's. */
export const rolesOf = (name: string): readonly MemberRole[] => (isRuled(name) ? memberRights[name] : ['owner']);

export const mayMember = (role: MemberRole, name: string): boolean => rolesOf(name).includes(role);

/** The calls that a role may not make. */
export const refusedTo = (role: MemberRole): string[] => Object.keys(rights).filter((name) => !mayMember(role, name));
