/**
 * The refusals of operators’ calls that customers’ calls don’t have. The message of `refused` and `not_found` is the handler’s own sentence; a
 * program tells refusals apart by their codes.
 */
export const operatorRefusals = {
  /** What was asked for can’t be done, for the reason in the message. */
  refused: { status: 409, title: 'Refused', message: 'This can’t be done. Nothing was changed.' },
  /** What was asked for is so already. */
  nothing_to_change: { status: 409, title: 'Nothing to change', message: 'It is so already. Nothing was changed.' },
  /** The same action was done, or asked for, with the same `Idempotency-Key` before. */
  already_done: {
    status: 409,
    title: 'Already done',
    message: 'This was done, or asked for, before with the same Idempotency-Key. Nothing was done again.',
  },
  /** Another action, or one with another input, has this `Idempotency-Key`. */
  key_reused: {
    status: 409,
    title: 'Key used before',
    message: 'This Idempotency-Key was used for something else before. Nothing was done: use a new key.',
  },
  passkey_required: {
    status: 403,
    title: 'Passkey required',
    message: 'Confirm with your passkey first. Nothing was changed.',
  },
  not_an_operator: {
    status: 403,
    title: 'Not an operator',
    message: 'This account is not an operator here. Ask an owner to add it, and sign in again.',
  },
  /** The address was added, but Google doesn’t say that the account has it now. */
  address_not_proven: {
    status: 403,
    title: 'Address not proven',
    message:
      'Google doesn’t vouch for this address, as it is of neither Gmail nor a Google Workspace. Ask an owner to add an address that is.',
  },
} as const;
export type OperatorRefusalCode = keyof typeof operatorRefusals;

/** The codes with which a call refuses in a sentence of its own. */
export type SaidRefusalCode = 'forbidden' | 'invalid_request' | 'not_found' | 'nothing_to_change' | 'refused';
