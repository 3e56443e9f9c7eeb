import { sessionIdleMs } from '#shared/domain/session.ts';
import { type BaseTable, goes, olderThan, oneRow, own, type TableFact } from './fact-builders.ts';

const people = 'about people who work for the provider';

/** Those of `tableFacts` that are about who operates the installation. */
export const operatorFacts = {
  operators: {
    age: { keep: 'whom the audit log names' },
    customer: people,
    changes: 'google_sub name role signed_in_at removed_at',
    afterRestore: { lookAt: 'operators', names: `email || ' (' || role || ')'`, only: 'removed_at is null' },
  },
  operator_domains: {
    age: oneRow,
    customer: people,
    changes: 'role',
    afterRestore: { lookAt: 'domains of operators', names: `domain || ' (' || role || ')'`, only: 'true' },
  },
  operator_sessions: {
    age: {
      olderThan: [
        { column: 'expires_at', days: 0, by: 'machine' },
        { column: 'last_used_at', days: sessionIdleMs / 86_400_000, by: 'machine' },
      ],
    },
    customer: people,
    changes: 'last_used_at challenge challenge_until proven_at',
    secret: 'token_hash challenge',
    afterRestore: { ends: 'sessions of operators' },
  },
  operator_views: {
    age: olderThan('expires_at', 0),
    customer: own('sessions', goes),
    secret: 'token_hash session_hash',
    afterRestore: { ends: 'views of operators as a customer' },
  },
  operator_passkeys: {
    age: { keep: 'deleted with their operator' },
    customer: people,
    changes: 'counter last_used_at',
    afterRestore: {
      lookAt: 'passkeys of operators',
      names: `name || ' of ' || (select email from operators where id = operator_id)`,
      only: 'true',
    },
  },
  operator_tokens: {
    age: { keep: 'which program acted, and until when' },
    customer: people,
    changes: 'last_used_at revoked_at',
    secret: 'token_hash',
    afterRestore: { revokes: 'tokens of operators', action: 'operator-tokens.revoke' },
  },
  // Those used since the backup are unknown.
  idempotency_keys: {
    age: olderThan('made_at', 7),
    customer: people,
    afterRestore: { stays: 'every token is revoked, so no program repeats anything by itself' },
  },
  operator_requests: { age: olderThan('made_at', 7), customer: people },
  // The action itself stays in the audit log.
  approvals: {
    age: { keep: 'who decided about money with whom' },
    customer: own('audit', goes),
    json: { input: 'object' },
    changes: 'state approved_by declined_by decided_at',
    afterRestore: { declines: 'actions that waited for a second operator', action: 'approvals.decline' },
  },
} satisfies Partial<Record<BaseTable, TableFact>>;
