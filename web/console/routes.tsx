import type { ReactNode } from 'react';
import { Navigate, type RouteObject } from 'react-router';
import { BrokenPage } from '#web/console/shell/broken-page.tsx';
import { NotFoundPage } from '#web/console/shell/not-found-page.tsx';
import { Shell } from '#web/console/shell/shell.tsx';
import { loadCode } from '#web/ui/load-code.ts';

/** A page whose code is loaded on first use. */
function page(path: string, load: () => Promise<() => ReactNode>): RouteObject {
  return { path, lazy: async () => ({ Component: await loadCode(load) }) };
}

/** Every address of the console, below /operator. */
export const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <BrokenPage />,
    hydrateFallbackElement: <></>,
    children: [
      {
        errorElement: <BrokenPage />,
        children: [
          page('/', async () => (await import('#web/console/features/waiting/today-page.tsx')).TodayPage),
          page(
            '/customers',
            async () => (await import('#web/console/features/customers/customers-page.tsx')).CustomersPage,
          ),
          page(
            '/customers/:customerId',
            async () => (await import('#web/console/features/customers/customer-page.tsx')).CustomerPage,
          ),
          page(
            '/customers/:customerId/statement',
            async () => (await import('#web/console/features/credit/statement-page.tsx')).StatementPage,
          ),
          page(
            '/payments/:of',
            async () => (await import('#web/console/features/payments/payment-page.tsx')).PaymentPage,
          ),
          page('/support', async () => (await import('#web/console/features/support/support-page.tsx')).SupportPage),
          page(
            '/support/answers',
            async () => (await import('#web/console/features/support/answers-page.tsx')).AnswersPage,
          ),
          page(
            '/support/:threadId',
            async () => (await import('#web/console/features/support/thread-page.tsx')).ThreadPage,
          ),
          { path: '/money', element: <Navigate to="/money/payments" replace /> },
          page(
            '/money/payments',
            async () => (await import('#web/console/features/payments/payments-page.tsx')).PaymentsPage,
          ),
          page(
            '/money/refunds',
            async () => (await import('#web/console/features/refunds/refunds-page.tsx')).RefundsPage,
          ),
          page('/money/tds', async () => (await import('#web/console/features/tds/tds-page.tsx')).TdsPage),
          page(
            '/money/remittances',
            async () => (await import('#web/console/features/documents/remittances-page.tsx')).RemittancesPage,
          ),
          page(
            '/money/e-invoices',
            async () => (await import('#web/console/features/documents/e-invoices-page.tsx')).EInvoicesPage,
          ),
          page(
            '/money/tax-claims',
            async () => (await import('#web/console/features/tax-claims/tax-claims-page.tsx')).TaxClaimsPage,
          ),
          page(
            '/money/settlements',
            async () => (await import('#web/console/features/settlements/settlements-page.tsx')).SettlementsPage,
          ),
          page(
            '/month-end',
            async () => (await import('#web/console/features/month-end/month-end-page.tsx')).MonthEndPage,
          ),
          page('/figures', async () => (await import('#web/console/features/figures/figures-page.tsx')).FiguresPage),
          page('/catalogue', async () => (await import('#web/console/features/catalog/catalog-page.tsx')).CatalogPage),
          page(
            '/catalogue/import',
            async () => (await import('#web/console/features/catalog/import-page.tsx')).ImportPage,
          ),
          page('/audit', async () => (await import('#web/console/features/actions/audit-page.tsx')).AuditPage),
          page('/team', async () => (await import('#web/console/features/operators/team-page.tsx')).TeamPage),
          page(
            '/webhooks/:endpointId',
            async () => (await import('#web/console/features/webhooks/endpoint-page.tsx')).EndpointPage,
          ),
          page(
            '/deliveries/:deliveryId',
            async () => (await import('#web/console/features/webhooks/delivery-page.tsx')).DeliveryPage,
          ),
          { path: '*', element: <NotFoundPage /> },
        ],
      },
    ],
  },
];
