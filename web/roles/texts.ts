import type { MemberRole } from '#shared/contract/member-roles.ts';
import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/roles/texts.hi.ts')).hindi;

/** Of the roles of a customer's members, and of what one may not. */
export const roleTexts = texts(
  (t) => ({
    names: {
      owner: t('Owner'),
      developer: t('Developer'),
      accountant: t('Accountant'),
      viewer: t('Viewer'),
    } satisfies Record<MemberRole, string>,
    notYours: t('This page is not for your role'),
    notYoursMore: (role: string) =>
      t('Your role here: {role}. Ask the owner of the account if you need more.', { role }),
    back: t('Back to the marketplace'),
    notForRole: (role: string) => t('Not for your role ({role}). Ask the owner of the account.', { role }),
    accounts: t('Your accounts'),
    switchFrom: (customer: string) => t('Account: {customer}. Switch to another', { customer }),
    switchFailed: t('The account was not opened'),
    openOwn: t('Create my own account'),
    openOwnFailed: t('Your account was not created'),
    elsewhere: t('It may be in another of your accounts'),
    openIn: (customer: string) => t('Open it in {customer}', { customer }),
  }),
  hindi,
);
