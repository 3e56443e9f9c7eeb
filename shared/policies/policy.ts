import type { OperatorCallName, OperatorReply } from '#shared/contract/operator/calls.ts';
import { type OperatorRole, operatorRoles } from '#shared/contract/operator/roles.ts';

export const everyRole = operatorRoles;
export type { OperatorRole } from '#shared/contract/operator/roles.ts';

/** Who may make a call, and what else holds for it over HTTP; a command is used by whoever has the machine. */
export interface Policy<Amount = string, Role = OperatorRole> {
  roles: readonly Role[];
  /** Money, keys and roles: a passkey must have confirmed within 15 minutes who sits there. A token was confirmed when it was made. */
  sensitive?: true;
  /** By whom it is never made: a token, whatever its scopes, or the command, which doesn’t know which person acts. */
  never?: readonly ('token' | 'command')[];
  /** The field of its preview with the rupees that one person may decide only up to a limit; `customerId` says for whom. */
  amount?: Amount;
}

type AmountIn<Name> = Name extends OperatorCallName
  ? OperatorReply<Name> extends infer Reply extends { customerId: string }
    ? { [Field in keyof Reply]: Reply[Field] extends number ? Field : never }[keyof Reply] & string
    : never
  : never;

/** The roles that may make each of some calls, alone or with what else holds. */
export type Policies<Calls> = {
  readonly [Name in keyof Calls]: readonly RoleFor<Calls[Name]>[] | Policy<AmountIn<Name>, RoleFor<Calls[Name]>>;
};

/** Who only reads takes no action. */
type RoleFor<Call> = Call extends { action: unknown } ? Exclude<OperatorRole, 'read-only'> : OperatorRole;
