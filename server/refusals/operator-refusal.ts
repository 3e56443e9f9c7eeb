/** What an operator asked for cannot be done, for a reason that the message tells. */
export class OperatorRefusal extends Error {}

export const noSuchCustomer = (id: string): OperatorRefusal =>
  new OperatorRefusal(`There is no customer ${id}. Find one with: octroi customers find`);
