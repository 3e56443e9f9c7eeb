import { TaxClaims } from '#web/console/features/tax-claims/tax-claims.tsx';
import { MoneyTabs } from '#web/console/ui/money-tabs.tsx';
import { Page } from '#web/console/ui/page.tsx';

/** Customers who claim to bear no tax, and what proves it. */
export function TaxClaimsPage() {
  return (
    <Page title="Money">
      <MoneyTabs />
      <TaxClaims />
    </Page>
  );
}
