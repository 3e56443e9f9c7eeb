import { createHash } from 'node:crypto';
import { z } from 'zod';
import { openJournal } from '#ship/standins/journal.ts';

const accountSchema = z.object({
  id: z.string(),
  sub: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  name: z.string(),
  givenName: z.string(),
  familyName: z.string(),
  /** The Workspace domain; personal accounts have none. */
  hostedDomain: z.string().nullable(),
});

export type Account = z.infer<typeof accountSchema>;

/** Google's `sub` has up to 21 digits and never changes; here it is derived from the e-mail. */
function subjectOf(email: string): string {
  const number = BigInt(`0x${createHash('sha256').update(email.toLowerCase()).digest('hex')}`);
  return `1${(number % 10n ** 20n).toString().padStart(20, '0')}`;
}

function person(id: string, givenName: string, familyName: string, email: string, hostedDomain?: string): Account {
  const name = `${givenName} ${familyName}`.trim();
  const domain = hostedDomain ?? null;
  return { id, sub: subjectOf(email), email, emailVerified: true, name, givenName, familyName, hostedDomain: domain };
}

/** Fictional people; `.example` and `example.com` are reserved (RFC 2606). */
const people: readonly Account[] = [
  person('asha', 'Asha', 'Rao', 'asha.rao@kaveri-textiles.example', 'kaveri-textiles.example'),
  person('imran', 'Imran', 'Qureshi', 'imran@qureshi-exports.example', 'qureshi-exports.example'),
  person('meenakshi', 'Meenakshi', 'Sundaram', 'meenakshi.sundaram@example.com'),
  person('gurpreet', 'Gurpreet', 'Singh Gill', 'gurpreet.gill@example.com'),
  person('rohan', 'Rohan', 'D’Souza', 'rohan@mandovi-foods.example', 'mandovi-foods.example'),
  person('lalrinpuii', 'Lalrinpuii', 'Hmar', 'lalrinpuii.hmar@example.com'),
  { ...person('kabir', 'Kabir', 'Mehta', 'kabir.mehta@example.com'), emailVerified: false },
];

export type Accounts = {
  all(): Account[];
  /** By id, `sub` or e-mail. */
  find(key: string): Account | undefined;
  /** Adds a person, or returns the existing one with that e-mail. Whoever is not at Gmail has a Workspace account. */
  add(name: string, email: string): Account;
};

/** The people in the account chooser: the fictional ones and those added under "Use another account". */
export function openAccounts(journalPath: string): Accounts {
  const journal = openJournal(journalPath, accountSchema);
  const accounts = [...people, ...journal.entries];
  const find = (key: string) => {
    const wanted = key.toLowerCase();
    return accounts.find((a) => a.id === wanted || a.sub === wanted || a.email.toLowerCase() === wanted);
  };
  return {
    all: () => [...accounts],
    find,
    add: (name, email) => {
      const known = find(email);
      if (known) return known;
      const [givenName = name, ...rest] = name.trim().split(/\s+/);
      const domain = email.toLowerCase().split('@')[1];
      const account = {
        ...person('', givenName, rest.join(' '), email.toLowerCase(), domain === 'gmail.com' ? undefined : domain),
        id: `added-${subjectOf(email)}`,
      };
      journal.append(account);
      accounts.push(account);
      return account;
    },
  };
}
