/** Changes the headers of a product's response, a flat list, before the caller gets them. */
export type RewriteHead = (head: string[]) => string[];

/**
 * Rewrites URLs in response headers to the gateway's, so that callers can follow them and internal addresses stay hidden. `address`: URL of the API with its base path; `gatewayPath`: its path at the gateway. Paths under the base become paths at the gateway;
 * other URLs on the API's host are reduced to their path. URLs on other hosts stay unchanged.
 */
export function createLocationRewriter(address: string, gatewayPath: string): RewriteHead {
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

  const rewriters: Record<string, (value: string) => string> = {
    location: rewrite,
    'content-location': rewrite,
    // RFC 8288 §3: the targets stand in angle brackets.
    link: (value) => value.replaceAll(/<([^>]*)>/g, (_match, url: string) => `<${rewrite(url)}>`),
    refresh: (value) =>
      value.replace(
        /^(\s*\d+\s*[;,]\s*url\s*=\s*)(["']?)(.*?)\2\s*$/i,
        (_match, start: string, quote: string, url: string) => `${start}${quote}${rewrite(url)}${quote}`,
      ),
  };
  return (head) => {
    for (let index = 0; index + 1 < head.length; index += 2) {
      const name = head[index] ?? '';
      if (!mayHoldUrl(name)) continue;
      const change = rewriters[name.toLowerCase()];
      if (change !== undefined) head[index + 1] = change(head[index + 1] ?? '');
    }
    return head;
  };
}

/** Cheap for the many headers that hold no URL: Location, Content-Location, Link and Refresh by length and first letter. */
function mayHoldUrl(name: string): boolean {
  switch (name.length) {
    case 4:
    case 8:
      return name[0] === 'L' || name[0] === 'l';
    case 7:
      return name[0] === 'R' || name[0] === 'r';
    default:
      return name.length === 16;
  }
}
