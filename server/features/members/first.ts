import { z } from 'zod';
import type { CallParsed, CallResult } from '#shared/contract/call.ts';
import type { signIn } from '#shared/contract/account.ts';
import type { continueSignIn as continueSignInCall } from '#shared/contract/invitations.ts';
import type { Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { hmacHex, sameBytes } from '#server/crypto/same-bytes.ts';
import { happened } from '#server/features/events/events.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Portal } from '#server/portal.ts';
import type { SignedInMember } from '#server/auth/sessions.ts';
import { accept, ask, enter, hasChoice, readPerson, readWaiting } from './join.ts';
import { type Entered, enterLast, found, hasFounded, holdPerson, ownsBlocked, type Person } from './sign-in.ts';

/** How long a person may think about the first choice. */
const choiceMs = 10 * 60_000;

const personSchema = z.object({
  sub: z.string(),
  email: z.string(),
  name: z.string(),
  givenName: z.string(),
  familyName: z.string(),
  picture: z.string(),
  domain: z.string().optional(),
  until: z.number(),
});

/** A person whom Google has just named, signed by us: no use but for the first choice. */
function signedPerson(portal: Portal, { sub, email, name, givenName, familyName, picture, domain }: Person): string {
  const until = portal.machineClock() + choiceMs;
  const text = JSON.stringify({ sub, email, name, givenName, familyName, picture, domain, until });
  const content = Buffer.from(text).toString('base64url');
  return `${content}.${hmacHex(portal.linkSecret, `person ${content}`)}`;
}

function readPersonOf(portal: Portal, signed: string): Person {
  const [content = '', signature = ''] = signed.split('.');
  if (!sameBytes(hmacHex(portal.linkSecret, `person ${content}`), signature)) throw refuse('sign_in_failed');
  const { until, domain, ...person } = personSchema.parse(JSON.parse(Buffer.from(content, 'base64url').toString()));
  if (portal.machineClock() >= until) throw refuse('sign_in_failed');
  return { ...person, domain };
}

/** Signs a person in: to the customer of the last choice, or to a new one unless something waits for the person. */
export function signInPerson(portal: Portal, person: Person): Promise<CallResult<typeof signIn>> {
  const now = new Date(portal.machineClock());
  // In one transaction, as the customer may be erased between the two.
  return transaction(portal.db, async (tx) => {
    const entered = await enterLast(tx, person, now);
    if (entered) return enter(portal, tx, entered);
    const waiting = await readWaiting(portal, tx, person);
    if (hasChoice(waiting))
      return {
        accessToken: '',
        requireOnboarding: false,
        first: signedPerson(portal, person),
      };
    return enter(portal, tx, await enterOwn(portal, tx, person, now));
  });
}

/** A customer of the own for a member of others. Who owns a blocked one doesn't begin beside it. */
export function openOwnCustomer(portal: Portal, member: SignedInMember, from: string) {
  return transaction(portal.db, async (tx) => {
    const person = await readPerson(tx, member);
    await holdPerson(tx, person);
    if (await hasFounded(tx, person)) throw refuse('account_passed_on');
    if (await ownsBlocked(tx, person.sub)) throw refuse('account_blocked');
    return enter(portal, tx, await foundOwn(portal, tx, person, new Date(portal.machineClock())), from);
  });
}

/** The customer of the person's own: of two first sign-ins at once the second enters what the first made. */
async function enterOwn(portal: Portal, tx: Tx, person: Person, now: Date): Promise<Entered> {
  await holdPerson(tx, person);
  const entered = await enterLast(tx, person, now);
  if (entered) return entered;
  if (await hasFounded(tx, person)) throw refuse('account_passed_on');
  return foundOwn(portal, tx, person, now);
}

async function foundOwn(portal: Portal, tx: Tx, person: Person, now: Date): Promise<Entered> {
  const made = await found(tx, person, now);
  const owner = { customerId: made.customerId };
  await happened(portal, owner, tx, { type: 'customer.created', ...owner });
  return made;
}

/** What the person can choose. */
export function readFirst(portal: Portal, identity: string) {
  return readWaiting(portal, portal.db, readPersonOf(portal, identity));
}

/** What the person chose. */
export function continueSignIn(
  portal: Portal,
  { identity, choice }: CallParsed<typeof continueSignInCall>['body'],
): Promise<CallResult<typeof continueSignInCall>> {
  const person = readPersonOf(portal, identity);
  return transaction(portal.db, async (tx) => {
    if (choice.kind === 'ask') {
      await ask(portal, tx, person, choice.customerId);
      return null;
    }
    const entered =
      choice.kind === 'own'
        ? await enterOwn(portal, tx, person, new Date(portal.machineClock()))
        : await accept(portal, tx, person, choice);
    return enter(portal, tx, entered);
  });
}
