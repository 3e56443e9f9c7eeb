import type { CallType } from '#shared/domain/logged-call.ts';

/** A call of a known key, as it arrived. The log is only for display: quotas and usage are counted by the journal. */
export interface CallInfo {
  access: { activationId: string; keyId: string; serviceId: string; customerId: string; keyPrefix: string | null };
  requestId: string;
  /** While calls are traced. */
  trace?: { traceId: string; decided: (outcome: Outcome) => void } | undefined;
  /** Epoch milliseconds. */
  at: number;
  method: string;
  /** The request target. It is stored without its query and with numbers masked. */
  target: string;
}

/** How the call ended. */
export type Outcome = Pick<CallType, 'status' | 'units' | 'reason' | 'problem'>;
