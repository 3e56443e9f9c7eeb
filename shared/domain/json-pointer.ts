import { isMembers } from './members.ts';

/** A step of a JSON pointer in a URI fragment (RFC 6901 §6). */
export function decodedStep(step: string): string {
  let text = step;
  try {
    text = decodeURIComponent(step);
  } catch {
    // A name with a stray percent sign.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The part of a document that a reference such as `#/components/schemas/Parcel` names; undefined when it names none, or one of another document. */
export function partAt(document: unknown, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let part: unknown = document;
  for (const step of reference.slice(2).split('/')) {
    const name = decodedStep(step);
    if (Array.isArray(part)) part = part[Number(name)];
    else part = isMembers(part) && Object.hasOwn(part, name) ? part[name] : undefined;
  }
  return part;
}
