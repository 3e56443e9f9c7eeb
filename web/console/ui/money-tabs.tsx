import { useLocation } from 'react-router';
import type { OperatorCallName } from '#shared/contract/operator/calls.ts';
import { useMay } from '#web/console/api/use-operator.ts';
import { Tabs } from '#web/console/ui/tabs.tsx';

const parts: readonly { to: string; label: string; call: OperatorCallName }[] = [
  { to: '/money/refunds', label: 'Refunds to pay', call: 'listUnpaidRefunds' },
  { to: '/money/tds', label: 'TDS claims', call: 'listTdsClaims' },
  { to: '/money/e-invoices', label: 'E-invoices', call: 'listUnregistered' },
  { to: '/money/tax-claims', label: 'SEZs and exports', call: 'listTaxClaims' },
  { to: '/money/remittances', label: 'Payments from abroad', call: 'listRemittances' },
  { to: '/money/settlements', label: 'Settlements', call: 'listSettlements' },
];

/** The pages of what is to be decided about money. */
export function MoneyTabs() {
  const { pathname } = useLocation();
  const may = useMay();
  const tabs = parts.flatMap(({ to, label, call }) => (may(call) ? [{ to, label, isCurrent: to === pathname }] : []));
  return <Tabs label="Money" tabs={tabs} />;
}
