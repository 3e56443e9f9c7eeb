/** Headers that name an address of the API. */
const named = new Set(['location', 'content-location']);

/** Makes the addresses in a response's headers those of the gateway, so that they can be followed and show nothing of the API's own. */
export type Relocate = (head: string[]) => string[];

/**
 * `address`: where the API is, with its base path; `gatewayPath`: its path at the gateway. Paths under the base become paths at the
 * gateway; of other addresses on the API's host the path alone is left. Addresses on other hosts stay as they are.
 */
export function createRelocate(address: string, gatewayPath: string): Relocate {
  const own = new URL(address);
  const base = own.protocol === 'file:' ? '' : own.pathname.replace(/\/+$/, '');

  const relocated = (value: string): string => {
    // Relative to the path of the call, which is the same at the gateway.
    if (!/^(?:[a-z][a-z0-9+.-]*:)?[/\\]/i.test(value)) return value;
    if (!URL.canParse(value, own.href)) return value;
    const to = new URL(value, own);
    if (to.host !== own.host) return value;
    const isUnderBase = base === '' || to.pathname === base || to.pathname.startsWith(`${base}/`);
    const path = isUnderBase ? `/${gatewayPath}${to.pathname.slice(base.length)}` : to.pathname;
    return path + to.search + to.hash;
  };

  return (head) => {
    for (let index = 0; index + 1 < head.length; index += 2) {
      const name = head[index] ?? '';
      if ((name.length === 8 || name.length === 16) && named.has(name.toLowerCase())) {
        head[index + 1] = relocated(head[index + 1] ?? '');
      }
    }
    return head;
  };
}
