/** Headers that contain a URL of the API. */
const locationHeaders = new Set(['location', 'content-location']);

/** Rewrites URLs in response headers to the gateway's, so that callers can follow them and internal addresses stay hidden. */
export type RewriteLocations = (head: string[]) => string[];

/**
 * `address`: URL of the API with its base path; `gatewayPath`: its path at the gateway. Paths under the base become paths at the gateway;
 * other URLs on the API's host are reduced to their path. URLs on other hosts stay unchanged.
 */
export function createLocationRewriter(address: string, gatewayPath: string): RewriteLocations {
  const own = new URL(address);
  const base = own.protocol === 'file:' ? '' : own.pathname.replace(/\/+$/, '');

  const rewrite = (value: string): string => {
    // Relative URLs resolve against the path of the call, so they work unchanged.
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
      if ((name.length === 8 || name.length === 16) && locationHeaders.has(name.toLowerCase())) {
        head[index + 1] = rewrite(head[index + 1] ?? '');
      }
    }
    return head;
  };
}
