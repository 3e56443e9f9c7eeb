/** What an operator asked for cannot be done, for a reason that the message tells. */
export class OperatorRefusal extends Error {}
