import { isBusiness, readAccount } from '#shared/contract/account.ts';
import { useCall } from '#web/api/use-call.ts';

/** Is the buyer a business? */
export function useIsBusiness(): boolean {
  const profile = useCall(readAccount, {}).data?.profile ?? null;
  return profile !== null && isBusiness(profile);
}
