/** Objects of a document that nobody has checked. */
export type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value as an object; undefined if it is none. */
export const asMembers = (value: unknown): Members | undefined => (isMembers(value) ? value : undefined);

/** A value as a list; empty if it is none. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
