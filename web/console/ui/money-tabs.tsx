import { useLocation } from 'react-router';
import type { OperatorCallName } from '#shared/contract/operator/calls.ts';
import { useMay } from '#web/console/api/use-operator.ts';
import { Tabs } from '#web/console/ui/tabs.tsx';

/** The payments, and what is to be decided about money. */
export const moneyParts: readonly { path: string; name: string; call: OperatorCallName }[] = [
  { path: '/money/payments', name: 'Payments', call: 'listPayments' },
  { path: '/money/refunds', name: 'Refunds to pay', call: 'listUnpaidRefunds' },
  { path: '/money/tds', name: 'TDS claims', call: 'listTdsClaims' },
  { path: '/money/e-invoices', name: 'E-invoices', call: 'listUnregistered' },
  { path: '/money/tax-claims', name: 'SEZs and exports', call: 'listTaxClaims' },
  { path: '/money/remittances', name: 'Payments from abroad', call: 'listRemittances' },
  { path: '/money/settlements', name: 'Settlements', call: 'listSettlements' },
];

/** Leads from each of them to the others. */
export function MoneyTabs() {
  const { pathname } = useLocation();
  const may = useMay();
  const tabs = moneyParts.flatMap(({ path: to, name: label, call }) =>
    may(call) ? [{ to, label, isCurrent: to === pathname }] : [],
  );
  return <Tabs label="Money" tabs={tabs} />;
}
