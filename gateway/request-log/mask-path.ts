import { isGstinForm, maskedGstin } from '#shared/domain/masked-gstin.ts';
import { BoundedMap } from '#shared/platform/bounded-map.ts';

/** Segments that identify no one: words of the API, versions, HSN codes and PINs. */
const harmless = /^(?:[A-Za-z][A-Za-z-]{0,40}|v\d{1,3}|\d{1,8})$/;
const maxLength = 300;
const maxPlainPaths = 1000;
/** Paths without anything to mask: most calls use one of a few. */
const plainPaths = new BoundedMap<string, true>(maxPlainPaths);

/**
 * The path of a call without its query, with every segment masked that is not a word of the API or a short number. A GSTIN keeps its State
 * and last three characters: enough for its owner to recognise it, too little to reveal the PAN.
 */
export function maskPath(target: string): string {
  if (plainPaths.has(target)) return target;
  const end = target.search(/[?#]/);
  const path = end === -1 ? target : target.slice(0, end);
  const masked = path.split('/').map(maskSegment).join('/').slice(0, maxLength);
  if (masked === target) plainPaths.set(target, true);
  return masked;
}

function maskSegment(segment: string): string {
  if (segment === '' || harmless.test(segment)) return segment;
  if (isGstinForm(segment)) return maskedGstin(segment);
  return `${/^[0-9A-Za-z]{2}/.exec(segment)?.[0] ?? ''}***`;
}
