import type { SignedInMember } from '#server/auth/sessions.ts';
import { signedLink } from '#server/features/documents/documents.ts';
import type { Portal } from '#server/portal.ts';

export { sweepErased } from './erase.ts';
export { exportCustomer } from './export.ts';
export { listErasureRequests } from './operator-erasure.ts';

/** The path of a customer's export, below the backend's base URL. */
export const exportPath = (customerId: string): string => `/account/exports/${customerId}/file`;

/** A short-lived link to everything that is kept about the owner (DPDP Act 2023, section 11). */
export const linkToExport = (portal: Portal, member: SignedInMember) => ({
  downloadUrl: signedLink(portal, exportPath(member.customerId), member),
});

export { askErasure, readErasure, withdrawErasure } from './requests.ts';
