import { type ReadDescription, readDescription } from '#web/features/reference/read-description.ts';

const known = new WeakMap<object, ReadDescription>();

/** An OpenAPI document, read once: it may have thousands of operations. Throws when it can't be read. */
export function documentOf(given: object): ReadDescription {
  const read = known.get(given) ?? readDescription(given);
  known.set(given, read);
  return read;
}

export function operationsIn(given: object): string[] {
  try {
    const { operations, webhooks } = documentOf(given);
    return [...operations, ...webhooks].map(({ id }) => id);
  } catch {
    return [];
  }
}
