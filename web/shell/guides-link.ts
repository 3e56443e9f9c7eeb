import { readAccount } from '#shared/contract/account.ts';
import { publicAddress } from '#shared/contract/public-pages.ts';
import { useCall } from '#web/api/use-call.ts';
import { language } from '#web/language/language.ts';

/** What a link to the provider's guides has; undefined when there are none. Until that is known the link only has its place, so that nothing moves. */
export function useGuidesLink() {
  const { data } = useCall(readAccount, {});
  if (data?.hasGuides === false) return undefined;
  return {
    href: publicAddress('/docs', language()),
    style: data === undefined ? { visibility: 'hidden' as const } : {},
  };
}
