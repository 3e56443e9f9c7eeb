import type { ReactNode } from 'react';
import type { RouteObject } from 'react-router';
import { languageReady } from '#web/language/language.ts';
import { useLanguage } from '#web/language/use-language.ts';
import { BrokenPage } from '#web/shell/broken-page.tsx';
import { NotFoundPage } from '#web/shell/not-found-page.tsx';
import { Home, RequireSession } from '#web/shell/require-session.tsx';
import { Shell } from '#web/shell/shell.tsx';

type Page = () => ReactNode;

/** A page whose code is loaded when it is first gone to. */
function page(path: string, load: () => Promise<Page>): RouteObject {
  return {
    path,
    lazy: async () => {
      const Content = await load();
      await languageReady();
      return { Component: inLanguage(Content) };
    },
  };
}

/** Draws a page again when the language changes; what was typed in it stays. */
function inLanguage(Content: Page): Page {
  return function InLanguage() {
    useLanguage();
    return <Content />;
  };
}

const NotFound = inLanguage(NotFoundPage);
const Broken = inLanguage(BrokenPage);
const Frame = inLanguage(Shell);

/** Every address of the portal (product §2). */
export const routes: RouteObject[] = [
  {
    errorElement: <Broken />,
    hydrateFallbackElement: <></>,
    children: [
      { path: '/', element: <Home /> },
      page('/login', async () => (await import('#web/features/account/login-page.tsx')).LoginPage),
      {
        element: <RequireSession />,
        children: [
          {
            element: <Frame />,
            children: [
              {
                errorElement: <Broken />,
                children: [
                  page(
                    '/marketplace',
                    async () => (await import('#web/features/marketplace/marketplace-page.tsx')).MarketplacePage,
                  ),
                  page(
                    '/marketplace/:productId',
                    async () => (await import('#web/features/marketplace/product-page.tsx')).ProductPage,
                  ),
                  page(
                    '/reference/:productId/:operationId?',
                    async () => (await import('#web/features/reference/reference-page.tsx')).ReferencePage,
                  ),
                  page(
                    '/activations/:activationId',
                    async () => (await import('#web/features/activations/activation-page.tsx')).ActivationPage,
                  ),
                  page(
                    '/activations/:activationId/billing',
                    async () => (await import('#web/features/cycles/subscriptions-page.tsx')).SubscriptionsPage,
                  ),
                  page(
                    '/activations/:activationId/developers',
                    async () =>
                      (await import('#web/features/activations/activation-developers-page.tsx'))
                        .ActivationDevelopersPage,
                  ),
                  page(
                    '/activations/:activationId/requests',
                    async () => (await import('#web/features/request-log/request-log-page.tsx')).RequestLogPage,
                  ),
                  page(
                    '/activations/:activationId/reporting',
                    async () =>
                      (await import('#web/features/usage/activation-reporting-page.tsx')).ActivationReportingPage,
                  ),
                  page('/api/:activationId', async () => (await import('#web/features/usage/api-page.tsx')).ApiPage),
                  page(
                    '/billing',
                    async () => (await import('#web/features/activations/billing-page.tsx')).BillingPage,
                  ),
                  page(
                    '/reporting',
                    async () => (await import('#web/features/usage/reporting-page.tsx')).ReportingPage,
                  ),
                  page(
                    '/activations/:activationId/support',
                    async () => (await import('#web/features/support/support-page.tsx')).SupportPage,
                  ),
                  page(
                    '/developers',
                    async () => (await import('#web/features/activations/developers-page.tsx')).DevelopersPage,
                  ),
                  page(
                    '/developers/webhooks',
                    async () => (await import('#web/features/webhooks/webhooks-page.tsx')).WebhooksPage,
                  ),
                  page(
                    '/developers/webhooks/:webhookId',
                    async () => (await import('#web/features/webhooks/webhook-page.tsx')).WebhookPage,
                  ),
                  page(
                    '/dashboard',
                    async () => (await import('#web/features/activations/dashboard-page.tsx')).DashboardPage,
                  ),
                  page('/account', async () => (await import('#web/features/account/account-page.tsx')).AccountPage),
                  { path: '*', element: <NotFound /> },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
];
