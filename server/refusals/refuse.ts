import type { Problem } from '#shared/contract/problem.ts';
import { type RefusalCode, refusals } from '#shared/contract/refusals.ts';

/** Thrown to refuse a call; the error handler turns it into the response. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly errors: Problem['errors'];
  constructor(code: RefusalCode, errors?: Problem['errors']) {
    super(refusals[code].message);
    this.code = code;
    this.errors = errors;
  }
}

/** `throw refuse('not_found')`. `errors` names the invalid fields. */
export function refuse(code: RefusalCode, errors?: Problem['errors']): Refusal {
  return new Refusal(code, errors);
}
