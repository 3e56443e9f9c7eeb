import type { Day } from '#shared/domain/day.ts';

/** The quota that an event is about; `day` is null for the quota of the whole cycle. */
export interface QuotaWindow {
  cycleId: string;
  activationId: string;
  day: Day | null;
  /** Units that packs had added: a larger quota is a new one to warn of. */
  packUnits: number;
}
