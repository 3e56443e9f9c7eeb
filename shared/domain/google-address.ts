/**
 * A mail address as Google compares those of accounts: capital letters don't matter; at Gmail neither dots nor what follows a plus, and googlemail.com is
 * gmail.com. Two addresses with one result are one account of Google.
 */
export function googleAddress(email: string): string {
  const lower = email.trim().toLowerCase();
  const at = lower.lastIndexOf('@');
  const [name, domain] = [lower.slice(0, at), lower.slice(at + 1)];
  if (domain !== 'gmail.com' && domain !== 'googlemail.com') return lower;
  return `${(name.split('+')[0] ?? '').replaceAll('.', '')}@gmail.com`;
}

/** The mailbox of a compared address as most providers have it, without what follows a plus: for limits alone, as some tell the two apart. */
export const mailboxOf = (address: string): string => address.replace(/\+[^@]*(?=@[^@]*$)/, '');

/** Google runs the mailbox, or the Workspace of the account does; of any other address Google saw a mail arrive once, whoever has it now. */
export const isVouchedFor = (email: string, workspace: string | null): boolean =>
  ['gmail.com', 'googlemail.com', workspace].includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());

/** Do two addresses lead to one Google account? */
export const isSameAddress = (one: string, other: string): boolean => googleAddress(one) === googleAddress(other);
