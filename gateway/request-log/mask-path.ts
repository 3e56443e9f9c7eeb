import { BoundedMap } from '#platform/bounded-map.ts';

/** What names no one: words of the API, versions, HSN codes and PINs. */
const harmless = /^(?:[A-Za-z][A-Za-z-]{0,40}|v\d{1,3}|\d{1,8})$/;
const gstin = /^\d{2}[A-Za-z]{5}\d{4}[A-Za-z][0-9A-Za-z]{3}$/;
const longestPath = 300;
const mostPlain = 1000;
/** Paths in which there is nothing to mask; they come again and again. */
const plain = new BoundedMap<string, true>(mostPlain);

/**
 * The path of a call without its query, with everything masked that is not plainly a word of the API or a short number. Of a GSTIN the
 * State and the last three characters stay, so that its owner knows it again and nobody else learns whose PAN is in it.
 */
export function maskPath(target: string): string {
  if (plain.has(target)) return target;
  const end = target.search(/[?#]/);
  const path = end === -1 ? target : target.slice(0, end);
  const masked = path.split('/').map(maskSegment).join('/').slice(0, longestPath);
  if (masked === target) plain.set(target, true);
  return masked;
}

function maskSegment(segment: string): string {
  if (segment === '' || harmless.test(segment)) return segment;
  if (gstin.test(segment)) return `${segment.slice(0, 2)}**********${segment.slice(-3)}`.toUpperCase();
  return `${/^[0-9A-Za-z]{2}/.exec(segment)?.[0] ?? ''}***`;
}
