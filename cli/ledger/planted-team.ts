import type { Renewal } from './planted-renewals.ts';

const renewal = (table: string, what: string, change: string, says: RegExp): Renewal => ({
  what,
  of: [table],
  change: [change],
  says,
  atNight: true,
});

/** Changes of who operates the installation, of what programs may do, and of what a second person decides. */
export const teamRenewals: readonly Renewal[] = [
  renewal(
    'operators',
    'somebody of support is an owner',
    `update operators set role = 'owner' where email = 'meena@kaveri.example'`,
    /operator meena@kaveri.example is not what the audit log says/,
  ),
  renewal(
    'operators',
    'an operator is another Google account',
    `update operators set google_sub = 'somebody-else' where email = 'asha@kaveri.example'`,
    /operator OPR-\S+ has been changed/,
  ),
  renewal(
    'operators',
    'a removed operator is there again',
    `update operators set removed_at = null where email = 'rohan@kaveri.example'`,
    /operator rohan@kaveri.example is not what the audit log says/,
  ),
  renewal(
    'operator_domains',
    'everybody of a domain begins with another role',
    `update operator_domains set role = 'finance'`,
    /the domain kaveri.example of operators is not what the audit log says/,
  ),
  renewal(
    'operator_domains',
    'another domain lets people in',
    `insert into operator_domains values ('other.example', 'support', now())`,
    /the domain other.example of operators is not what the audit log says/,
  ),
  renewal(
    'operator_passkeys',
    'a passkey has another key',
    `update operator_passkeys set public_key = 'other'`,
    /passkey PSK-X has been changed/,
  ),
  renewal(
    'operator_passkeys',
    'a passkey was added behind the portal',
    `insert into operator_passkeys select 'PSK-Y', operator_id, 'other', public_key, 0, name, now(), null, host from operator_passkeys`,
    /passkey PSK-Y of asha@kaveri.example is not in the audit log/,
  ),
  renewal(
    'operator_tokens',
    'a token may do more',
    `update operator_tokens set scopes = scopes || 'eraseCustomer'::text`,
    /token OTK-\S+ of asha@kaveri.example is not the one of the audit log/,
  ),
  renewal(
    'operator_tokens',
    'a token is valid for longer',
    `update operator_tokens set expires_at = expires_at + interval '90 days'`,
    /token OTK-\S+ has been changed/,
  ),
  renewal(
    'operator_requests',
    'a refund counts less towards the limit of a day',
    `update operator_requests set amount_paise = 1 where position = (select min(position) from operator_requests)`,
    /request of an operator \S+ has been changed/,
  ),
  renewal(
    'approvals',
    'what waits for a second operator is over less',
    `update approvals set amount_paise = 1`,
    /approval APR-\S+ has been changed/,
  ),
  renewal(
    'approvals',
    'what waited was declined by nobody',
    `update approvals set state = 'DECLINED', decided_at = now()`,
    /approval APR-\S+ is DECLINED, which is not what the audit log says/,
  ),
];
