import { type Problem, type RefusalCode, refusals } from '#contract/refusals.ts';

/** Thrown wherever a call is refused; the one error handler turns it into the answer. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly errors: Problem['errors'];
  constructor(code: RefusalCode, errors?: Problem['errors']) {
    super(refusals[code].message);
    this.code = code;
    this.errors = errors;
  }
}

/** `throw refuse('not_found')`. `errors` names the wrong fields. */
export function refuse(code: RefusalCode, errors?: Problem['errors']): Refusal {
  return new Refusal(code, errors);
}
