/** Who operates an installation. Whoever has the machine, with the `octroi` command, is an owner. */
export const everyRole = ['owner', 'support', 'finance', 'read-only'] as const;
export type OperatorRole = (typeof everyRole)[number];

/** The roles that may make each of some calls. */
export type Policies<Calls> = { readonly [Name in keyof Calls]: readonly OperatorRole[] };
