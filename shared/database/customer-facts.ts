import { sessionIdleMs } from '#shared/domain/session.ts';
import {
  type BaseTable,
  goes,
  keptAsNumbers,
  loses,
  olderThan,
  own,
  perItem,
  type TableFact,
  within,
} from './fact-builders.ts';

/** Those of `tableFacts` that are about who a customer is and who signs in. */
export const customerFacts = {
  customers: {
    age: perItem,
    customer: {
      kind: 'account',
      by: 'id',
      erasure: loses(
        {
          email: `id || '@erased.invalid'`,
          name: `'Erased customer'`,
          given_name: `''`,
          family_name: `''`,
          picture: `''`,
          join_domain: 'null',
          founded_by: 'null',
          two_step: 'false',
          blocked_at: 'null',
          blocked_reason: 'null',
        },
        'id',
      ),
    },
    changes:
      'email name given_name family_name picture join_domain founded_by two_step blocked_at blocked_reason erased_at sez_searched_on sez_searches',
    afterRestore: { lookAt: 'customers who are not blocked', only: 'blocked_at is null and erased_at is null' },
  },
  erasure_requests: {
    age: { keep: 'when a customer asked, and what was done: no personal data' },
    customer: own('account', keptAsNumbers('outcome')),
    changes: 'ended_at outcome',
    afterRestore: { lookAt: 'requests for erasure that wait', names: 'customer_id', only: 'ended_at is null' },
  },
  members: {
    age: { keep: 'who acts for a customer, and who did: what they made names them' },
    customer: own(
      'account',
      loses(
        {
          google_sub: `'erased:' || id`,
          email: `id || '@erased.invalid'`,
          name: `'Former member'`,
          given_name: `''`,
          family_name: `''`,
          picture: `''`,
          domain: 'null',
          removed_at: 'coalesce(removed_at, now())',
          mails_off: `'{}'`,
          mails_on: `'{}'`,
        },
        'id',
        'customer_id',
        'role',
      ),
    ),
    changes:
      'google_sub email name given_name family_name picture domain role opened_at removed_at mails_off mails_on daily_limit',
    afterRestore: {
      lookAt: 'members of customers beside their owners',
      names: `email || ' of ' || customer_id || ' (' || role || ')'`,
      only: `role <> 'owner' and removed_at is null`,
    },
  },
  member_invitations: {
    age: { keep: 'who was let in by whom' },
    customer: own('account', goes),
    changes: 'email address name role former_role invited_at invited_by starts_at ends_at ended_at outcome member_id',
    afterRestore: {
      lookAt: 'invitations of members',
      names: `email || ' to ' || customer_id || ' (' || role || ')'`,
      only: 'ended_at is null',
    },
  },
  member_actions: {
    age: { keep: 'the log of the customer' },
    customer: own('account', goes),
  },
  sessions: {
    age: {
      olderThan: [
        { column: 'expires_at', days: 0, by: 'machine' },
        { column: 'last_used_at', days: sessionIdleMs / 86_400_000, by: 'machine' },
      ],
    },
    customer: within('sessions', goes, 'members', 'member_id'),
    changes: 'last_used_at challenge challenge_until proven_at',
    secret: 'token_hash challenge',
    afterRestore: { ends: 'sessions of customers' },
  },
  member_passkeys: {
    age: { keep: 'deleted with their member' },
    customer: own('account', goes, { leaveOut: ['credential_id', 'public_key'] }),
    changes: 'counter last_used_at',
    afterRestore: {
      lookAt: 'passkeys of members',
      names: `name || ' of ' || (select email || ' of ' || customer_id from members where id = member_id)`,
      only: 'true',
    },
  },
  sign_in_nonces: {
    age: olderThan('expires_at', 0),
    customer: 'random numbers without a name, for ten minutes',
    secret: 'nonce_hash',
    afterRestore: { ends: 'sign-ins under way' },
  },
  profiles: {
    age: perItem,
    customer: own('business', goes),
    changes:
      'legal_name phone gstin address city pin state_code sez country purchase_order purchase_order_date updated_at',
  },
} satisfies Partial<Record<BaseTable, TableFact>>;
