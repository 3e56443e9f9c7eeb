import { longDay } from '#shared/domain/day-text.ts';
import { dayOf } from '#shared/domain/day.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import type { Letter } from './letter.ts';

/** Where the owner sees the members. */
const members = { label: 'Open the members', path: '/account?view=members' };

/** To an address that may become a member, or the owner. */
export function memberInvited(customer: string, { role, path, endsAt }: PortalEvent<'member.invited'>): Letter {
  const until = longDay(dayOf(endsAt.getTime()));
  return role === 'owner'
    ? {
        subject: `The ownership of the account of ${customer}`,
        paragraphs: [
          `You are offered the ownership of the account of ${customer}: its plans, keys, payments and members.`,
          `Sign in with the Google account of this address to accept it, until ${until}. If you don’t want it, decline on the same page.`,
        ],
        link: { label: 'Accept or decline', path },
      }
    : {
        subject: `${customer} invites you`,
        paragraphs: [
          `You are invited to the account of ${customer}.`,
          `Sign in with the Google account of this address to accept, until ${until}. The link works for nobody else. If you don’t know ${customer}, ignore this mail or decline on the same page.`,
        ],
        facts: [['Role', role]],
        link: { label: 'Accept or decline', path },
      };
}

/** To the owner: a colleague asks to be invited. */
export const memberAsked = ({ name, email }: PortalEvent<'member.asked'>): Letter => ({
  subject: `${name} asks to join your account`,
  paragraphs: [
    `${name} (${email}) of your Google Workspace asks to become a member of your account.`,
    'Nobody joins unless you approve it.',
  ],
  link: members,
});

export const memberJoined = ({ email, role }: PortalEvent<'member.joined'>): Letter => ({
  subject: `${email} has joined your account`,
  paragraphs: [`${email} has accepted your invitation.`, 'If you didn’t expect that, remove the member at once.'],
  facts: [['Role', role]],
  link: members,
});

/** To somebody who was removed. */
export const memberRemoved = (customer: string): Letter => ({
  subject: `You are no longer a member of the account of ${customer}`,
  paragraphs: [
    `The owner of the account of ${customer} has removed you. You can’t open it any more.`,
    'If you didn’t expect that, ask the owner.',
  ],
});

export const memberLeft = ({ name }: PortalEvent<'member.left'>): Letter => ({
  subject: 'A member has left your account',
  paragraphs: [
    name === '' ? 'A member has left your account.' : `${name} has left your account.`,
    'Keys that the member made go on. Revoke or replace those that nobody else needs.',
  ],
  link: members,
});

interface Addressed {
  letter: Letter;
  to: string;
}

/** To the owner before and the owner after. */
export function ownershipPassed(customer: string, event: PortalEvent<'ownership.passed'>): Addressed {
  const { name, by, email } = event;
  const letter = {
    subject: `The account of ${customer} has another owner`,
    paragraphs: [
      `${name} (${by}) has accepted the ownership of the account of ${customer}.`,
      'If you didn’t expect that, write to us at once.',
    ],
  };
  return { letter, to: email };
}

/** To everybody whom a transfer by the provider concerns. */
export function ownershipAnnounced(customer: string, event: PortalEvent<'ownership.announced'>): Addressed {
  const { to, reason, startsAt, path, email, isOwners } = event;
  const day = longDay(dayOf(startsAt.getTime()));
  const letter: Letter = {
    subject: isOwners
      ? `The passkeys of the owner of ${customer} may be removed`
      : `The account of ${customer} may get another owner`,
    paragraphs: [
      isOwners
        ? `We were asked to remove the passkeys of the owner of the account of ${customer}, ${to}, who has lost them.`
        : `We were asked to give the ownership of the account of ${customer} to ${to}. The owner has not answered.`,
      `Nothing changes before ${day}. The owner can object until then, with the link below or under Members; from that day on ${to} can accept.`,
      'If you didn’t expect that, object or write to us at once.',
    ],
    facts: [['Reason', reason]],
    ...(path !== null && { link: { label: 'Object or accept', path } }),
  };
  return { letter, to: email };
}

/** To the member and the owner. */
export function passkeysChanged(customer: string, { what, name }: PortalEvent<'passkeys.changed'>): Letter {
  const said = {
    added: {
      subject: `A passkey was added in the account of ${customer}`,
      text: `${name} has added a passkey, which confirms keys, members and what else hurts in the account of ${customer}.`,
    },
    removed: {
      subject: `A passkey was removed in the account of ${customer}`,
      text: `${name} has removed a passkey. It confirms nothing in the account of ${customer} any more.`,
    },
    'removed by owner': {
      subject: `Passkeys were removed in the account of ${customer}`,
      text: `The owner has removed the passkeys of ${name}, who adds a new one under Account, Members.`,
    },
    anew: {
      subject: `The passkeys of the owner of ${customer} were removed`,
      text: `As we had announced, the passkeys of ${name} no longer confirm anything, and ${name} adds a new one under Account, Members.`,
    },
    on: {
      subject: `The account of ${customer} asks for passkeys now`,
      text: `${name} has switched on that keys, secrets of webhooks, members, ownership and deletion need a passkey of the member who acts.`,
    },
    off: {
      subject: `The account of ${customer} no longer asks for passkeys`,
      text: `${name} has switched off that keys, secrets of webhooks, members, ownership and deletion need a passkey.`,
    },
  }[what];
  return {
    subject: said.subject,
    paragraphs: [
      said.text,
      'If that was not you or your colleague, sign in, look at the members, and write to us at once.',
    ],
    link: members,
  };
}
