import { readAccount } from '#shared/contract/account.ts';
import type { MemberCallName } from '#shared/policies/members/rights.ts';
import { useCall } from '#web/api/use-call.ts';

/** May the person make these calls? Until that is known, what an owner sees is shown: the server refuses the rest. */
export function useMay(): (call: MemberCallName) => boolean {
  const mayNot = useCall(readAccount, {}).data?.mayNot ?? [];
  return (call) => !mayNot.includes(call);
}
