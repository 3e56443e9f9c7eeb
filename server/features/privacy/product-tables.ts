import type { DataKindName } from '#shared/database/fact-builders.ts';

/** Tables of the products, in their own schema, all of which an erasure empties; `caller` is an activation or the customer, with `/test` for test keys. */
export const productTables = {
  answers: { kind: 'stored', leaveOut: ['request_hash'] },
  series: { kind: 'stored', leaveOut: [] },
  numbers: { kind: 'stored', leaveOut: [] },
  restored_callers: { kind: 'stored', leaveOut: [] },
  sandbox_registrations: { kind: 'stored', leaveOut: [] },
} as const satisfies Record<string, { kind: DataKindName; leaveOut: readonly string[] }>;
