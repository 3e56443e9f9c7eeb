import { createHash } from 'node:crypto';

/** The weak tag of a content: the same whether it is compressed or not (RFC 9110, 8.8.1). */
export const weakTagOf = (content: string | Buffer): string =>
  `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

/** Whether an Accept or Accept-Encoding header names a value, and not with a quality of 0 (RFC 9110, 12.4.2). A wildcard names none. */
export function isAccepted(header: string | string[] | undefined, value: string): boolean {
  return String(header ?? '')
    .toLowerCase()
    .split(',')
    .some((each) => {
      const [name, ...parameters] = each.split(';').map((part) => part.trim());
      return name === value && !parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter));
    });
}

/** Whether If-None-Match, a list of tags or `*`, has a weak tag. Weak comparison (RFC 9110, 13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim()) ?? [];
  return tags.some((tag) => tag === '*' || tag === etag || `W/${tag}` === etag);
}
