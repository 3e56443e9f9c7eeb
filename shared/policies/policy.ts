/** Who operates an installation. Whoever has the machine, with the `octroi` command, is an owner. */
export const operatorRoles = ['owner', 'support', 'finance', 'read-only'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** The roles that may make each of some calls. */
export type Policies<Calls> = { readonly [Name in keyof Calls]: readonly OperatorRole[] };

/** For what names no secret and changes nothing. */
export const everyRole: readonly OperatorRole[] = operatorRoles;
