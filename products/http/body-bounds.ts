import { type Fault, pointerStep } from '#products/http/problem.ts';

/** The limit of a body that has no list of lines, in bytes; other bodies have the server's. */
export const smallBodyBytes = 16 * 1024;

/** Above what any request needs: 500 lines of some 20 fields. A schema would check such a body for seconds, and name each fault. */
const maxValues = 30_000;
const maxFields = 100;
const maxDepth = 32;

/** What is wrong in a part of a body, and the steps to it from the inside out. */
interface Found {
  message: string;
  steps: PropertyKey[];
}

/**
 * What keeps a JSON body from being checked by its schema: too many values, fields or levels, or a text that no document can hold. Undefined
 * for nothing.
 */
export function faultOfBody(body: unknown): Fault | undefined {
  let values = 0;

  function look(value: unknown, depth: number): Found | undefined {
    values += 1;
    if (typeof value === 'string') return isHalf(value) ? { message: halfCharacter, steps: [] } : undefined;
    if (typeof value !== 'object' || value === null) return undefined;
    if (depth === maxDepth) return { message: 'Objects and lists may be nested 32 deep.', steps: [] };
    const steps = Array.isArray(value) ? value.length : Object.keys(value).length;
    if (steps > maxFields && !Array.isArray(value)) return { message: 'An object may have 100 fields.', steps: [] };
    if (values + steps > maxValues) return { message: tooManyValues, steps: [] };
    for (const [step, each] of Object.entries(value)) {
      const found = look(each, depth + 1);
      if (found !== undefined) return { ...found, steps: [...found.steps, step] };
    }
    return undefined;
  }

  const found = look(body, 0);
  if (found === undefined) return undefined;
  return { in: 'body', pointer: found.steps.toReversed().map(pointerStep).join(''), message: found.message };
}

const tooManyValues = 'The body has more than 30,000 values.';
const halfCharacter =
  'This text is not valid Unicode: it has half of a character, such as an emoji that was cut in two.';

/** Half of a surrogate pair. */
const isHalf = (text: string): boolean => /\p{Surrogate}/u.test(text);
