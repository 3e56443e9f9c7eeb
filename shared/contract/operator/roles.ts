/** Who operates an installation. Whoever has the machine, with the `octroi` command, is an owner. */
export const operatorRoles = ['owner', 'support', 'finance', 'read-only'] as const;
export type OperatorRole = (typeof operatorRoles)[number];
