import type { Problem } from '#shared/contract/problem.ts';
import { type OperatorRefusalCode, operatorRefusals } from '#shared/contract/operator-refusals.ts';
import { type RefusalCode, refusals } from '#shared/contract/refusals.ts';

export type AnyRefusalCode = RefusalCode | OperatorRefusalCode;

/** The refusals of customers’ and of operators’ calls. */
export const anyRefusals: Record<AnyRefusalCode, { status: number; title: string; message: string }> = {
  ...refusals,
  ...operatorRefusals,
};

/** Thrown to refuse a call; the error handler turns it into the response. */
export class Refusal extends Error {
  readonly code: AnyRefusalCode;
  readonly errors: Problem['errors'];
  constructor(code: AnyRefusalCode, errors?: Problem['errors']) {
    super(anyRefusals[code].message);
    this.code = code;
    this.errors = errors;
  }
}

/** `throw refuse('not_found')`. `errors` names the invalid fields. */
export function refuse(code: AnyRefusalCode, errors?: Problem['errors']): Refusal {
  return new Refusal(code, errors);
}
