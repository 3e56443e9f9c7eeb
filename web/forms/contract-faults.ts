import type { z } from 'zod';
import type { Problem } from '#shared/contract/problem.ts';
import { translateKnown } from '#web/language/language.ts';

/** Error messages by form field. */
export type Faults<Values> = Partial<Record<keyof Values & string, string>>;

/** How the properties of a call's body map to form fields. */
export interface FormFields<Values> {
  initialValues: Values;
  /** The form field of a property that has another name in the body. */
  fieldOf?: Readonly<Record<string, keyof Values & string>>;
  /** The form's own message for a schema issue. The contract's message is the default. */
  wording?: (field: keyof Values & string, issue: z.core.$ZodIssue) => string | undefined;
}

/** Validates a body with the contract's schema. */
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

/** The server's messages about single fields, from the JSON pointers of its response. */
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
