import type { DebitRefusal } from '#shared/domain/mandate.ts';
import type { AnyRefusalCode, Refusal } from '#server/refusals/refuse.ts';

/** The refusals of an order that a customer may read; any other is not theirs to mend. */
const readable: Partial<Record<AnyRefusalCode, DebitRefusal>> = {
  gstin_not_active: 'gstin_not_active',
  gstin_unknown: 'gstin_unknown',
  sez_not_confirmed: 'sez_not_confirmed',
  sez_checked_too_often: 'sez_not_confirmed',
  too_many_unpaid: 'too_many_unpaid',
  plan_changed: 'changed',
  plan_withdrawn: 'changed',
};

/** Why what was announced is not debited. */
export const refusedAs = ({ code }: Refusal): DebitRefusal => readable[code] ?? 'not_possible';
