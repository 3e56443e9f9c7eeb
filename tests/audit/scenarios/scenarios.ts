import type { Scenario } from '#tests/audit/steps/stage.ts';
import { advances } from './advances.ts';
import { amounts } from './amounts.ts';
import { changes } from './changes.ts';
import { corrections } from './corrections.ts';
import { disputes } from './disputes.ts';
import { eInvoices } from './e-invoices.ts';
import { exempt } from './exempt.ts';
import { packsOfUnits } from './packs.ts';
import { payLater } from './pay-later.ts';
import { payments } from './payments.ts';
import { periods } from './periods.ts';
import { recharges } from './recharges.ts';
import { refunds } from './refunds.ts';
import { renewals } from './renewals.ts';
import { reports } from './reports.ts';
import { singleSales } from './single-sales.ts';
import { tds } from './tds.ts';
import { transfers } from './transfers.ts';
import { callsInUnits } from './units.ts';

/** Every scenario, by groups. */
export const scenarios: readonly Scenario[] = [
  ...singleSales,
  ...exempt,
  ...amounts,
  ...advances,
  ...periods,
  ...packsOfUnits,
  ...callsInUnits,
  ...refunds,
  ...payments,
  ...transfers,
  ...payLater,
  ...renewals,
  ...recharges,
  ...reports,
  ...disputes,
  ...tds,
  ...corrections,
  ...eInvoices,
  ...changes,
];
