import type { SaidRefusalCode } from '#shared/contract/operator-refusals.ts';

/** What an operator asked for cannot be done, for a reason that the message tells. */
export class OperatorRefusal extends Error {
  readonly code: SaidRefusalCode;
  constructor(message: string, code: SaidRefusalCode = 'refused') {
    super(message);
    this.code = code;
  }
}

export const noSuchCustomer = (id: string): OperatorRefusal =>
  new OperatorRefusal(`There is no customer ${id}. Find one with: octroi customers find`, 'not_found');
