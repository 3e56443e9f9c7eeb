import type { z } from 'zod';
import type { Problem } from '#contract/refusals.ts';
import { translateKnown } from '#web/language/language.ts';

/** What is wrong with the fields of a form, by their names. */
export type Faults<Values> = Partial<Record<keyof Values & string, string>>;

/** How the parts of a call's body and the fields of its form belong together. */
export interface FormFields<Values> {
  initialValues: Values;
  /** The field of a part of the body that has another name there. */
  fieldOf?: Readonly<Record<string, keyof Values & string>>;
  /** The form's own sentence for what the contract finds in a field; the contract's is shown where this gives none. */
  wording?: (field: keyof Values & string, issue: z.core.$ZodIssue) => string | undefined;
}

/** What the contract finds wrong with a body. */
export function faultsOfBody<Values extends object>(
  schema: z.ZodType,
  body: unknown,
  fields: FormFields<Values>,
): Faults<Values> {
  const faults: Faults<Values> = {};
  for (const issue of schema.safeParse(body).error?.issues ?? []) {
    const field = fieldNamed(String(issue.path[0]), fields);
    if (field !== undefined) faults[field] ??= fields.wording?.(field, issue) ?? translateKnown(issue.message);
  }
  return faults;
}

/** What the server says of single fields, found by the JSON pointers of its problem. */
export function faultsOfProblem<Values extends object>(problem: Problem, fields: FormFields<Values>): Faults<Values> {
  const faults: Faults<Values> = {};
  for (const { pointer, message } of problem.errors ?? []) {
    const field = fieldNamed(pointer.split('/')[1] ?? '', fields);
    if (field !== undefined) faults[field] ??= translateKnown(message);
  }
  return faults;
}

function fieldNamed<Values extends object>(
  part: string,
  { initialValues, fieldOf }: FormFields<Values>,
): (keyof Values & string) | undefined {
  const field = fieldOf?.[part] ?? part;
  return isFieldOf(initialValues, field) ? field : undefined;
}

function isFieldOf<Values extends object>(values: Values, name: string): name is keyof Values & string {
  return Object.hasOwn(values, name);
}
