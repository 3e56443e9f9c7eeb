import type { Day } from '#shared/domain/day.ts';
import { removeLatePacks } from '#server/features/cycles/cycles.ts';
import { invoiceStartedCycles } from '#server/features/refunds/refunds.ts';
import { rechargeDue } from '#server/features/recharges/recharges.ts';
import { renewDue } from '#server/features/renewals/renewals.ts';
import type { RoundScope } from '#server/rounds/changes.ts';
import type { Portal } from '#server/portal.ts';
import { remindOfBills, reportChangedRates } from './bill-reminders.ts';
import { remindOfQuotas } from './quota-reminders.ts';
import { remindOfEnds } from './reminders.ts';

interface TimedStep {
  name: string;
  /** Looks at everything once a day, and after that at the customers that have changed. */
  isScoped?: true;
  /** As what the day is noted once all of it is done. */
  noted?: string;
  work: (portal: Portal, today: Day, scope: RoundScope) => Promise<unknown>;
}

/** What is due by time alone, in its order: a renewal is announced before its customer would be reminded of an end. */
export const timedSteps: readonly TimedStep[] = [
  { name: 'invoices of started plans', work: (portal, _today, { items }) => invoiceStartedCycles(portal, items) },
  {
    name: 'unpaid packs of ended plans',
    noted: 'late-packs',
    work: (portal, _today, { items }) => removeLatePacks(portal, items),
  },
  { name: 'renewals', work: (portal, _today, { items }) => renewDue(portal, items) },
  { name: 'reminders of bills', isScoped: true, work: remindOfBills },
  { name: 'invoices before a change of the GST rate', isScoped: true, work: reportChangedRates },
  { name: 'recharges', work: (portal, _today, { items }) => rechargeDue(portal, items) },
  { name: 'quota reminders', work: (portal, today, { items }) => remindOfQuotas(portal, today, items) },
  { name: 'reminders of ending plans', isScoped: true, work: remindOfEnds },
];
