import { readAccount } from '#shared/contract/account.ts';
import { useCall } from '#web/api/use-call.ts';

/** Is the buyer a business, which names purchase orders and may pay by bank transfer? */
export function useIsBusiness(): boolean {
  const profile = useCall(readAccount, {}).data?.profile ?? null;
  return profile !== null && (profile.gstin !== null || (profile.country ?? 'IN') !== 'IN');
}
