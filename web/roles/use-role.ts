import { readAccount } from '#shared/contract/account.ts';
import type { MemberRole } from '#shared/contract/member-roles.ts';
import { useCall } from '#web/api/use-call.ts';

/** The role of the person who is signed in; undefined until it is known. */
export const useRole = (): MemberRole | undefined => useCall(readAccount, {}).data?.role;

/** May the person make a call that these roles may? Until the role is known, what an owner sees is shown: the server refuses the rest. */
export function useMay(roles: readonly MemberRole[]): boolean {
  const role = useRole();
  return role === undefined || roles.includes(role);
}

export const isAmong = (roles: readonly MemberRole[], role: MemberRole): boolean => roles.includes(role);
