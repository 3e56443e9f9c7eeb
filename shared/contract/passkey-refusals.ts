/** The refusals about passkeys of members (decision 083). */
export const passkeyRefusals = {
  passkey_needed: {
    status: 403,
    title: 'Passkey needed',
    message:
      'This account asks for your passkey before this. Nothing was changed. Confirm with it, or add one under Account, Members, and try again.',
  },
  passkey_not_accepted: {
    status: 409,
    title: 'Passkey not accepted',
    message: 'This passkey was not accepted. Nothing was changed: try again.',
  },
  identity_needed: {
    status: 409,
    title: 'Google sign-in needed',
    message: 'Sign in with Google once more, with the account that you use here. Nothing was changed.',
  },
  last_passkey: {
    status: 409,
    title: 'Last passkey',
    message: 'This is your last passkey, and the account asks for one. Add another one first.',
  },
} as const;
