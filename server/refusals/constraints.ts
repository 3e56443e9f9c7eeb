import { DatabaseError } from 'pg';
import type { RefusalCode } from '#shared/contract/refusals.ts';
import { refuse } from './refuse.ts';

/** The refusal that a customer gets when a database constraint is violated. */
const refusalOf: Record<string, RefusalCode> = {
  credit_limit: 'credit_limit_reached',
  activations_one_per_service: 'already_activated',
  cycles_one_trial: 'trial_used',
  cycles_never_overlap: 'days_taken',
  api_keys_one_name: 'key_name_taken',
  accountants_declined: 'accountant_declined',
  accountants_asked_too_often: 'accountant_asked_too_often',
};

/** Runs `work`; turns a violated database constraint into the customer's refusal and rethrows all other errors. */
export async function underConstraints<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof DatabaseError ? refusalOf[error.constraint ?? ''] : undefined;
    throw code ? refuse(code) : error;
  }
}
