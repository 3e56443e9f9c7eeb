import { type OperatorRole, operatorRoles } from '#shared/contract/operator/roles.ts';

export const everyRole = operatorRoles;
export type { OperatorRole } from '#shared/contract/operator/roles.ts';

/** The roles that may make each of some calls. */
export type Policies<Calls> = { readonly [Name in keyof Calls]: readonly OperatorRole[] };
