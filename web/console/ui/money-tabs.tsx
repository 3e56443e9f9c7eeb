import { useLocation } from 'react-router';
import { Tabs } from '#web/console/ui/tabs.tsx';

const parts = [
  { to: '/money/refunds', label: 'Refunds to pay' },
  { to: '/money/tds', label: 'TDS claims' },
  { to: '/money/e-invoices', label: 'E-invoices' },
  { to: '/money/tax-claims', label: 'SEZs and exports' },
  { to: '/money/remittances', label: 'Payments from abroad' },
];

/** The pages of what is to be decided about money. */
export function MoneyTabs() {
  const { pathname } = useLocation();
  return <Tabs label="Money" tabs={parts.map((part) => ({ ...part, isCurrent: part.to === pathname }))} />;
}
