import { Building2, ChartColumn, CodeXml, LifeBuoy, ReceiptIndianRupee, Store, Webhook } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import type { RouteObject } from 'react-router';
import { languageReady } from '#web/language/language.ts';
import { useLanguage } from '#web/language/use-language.ts';
import { BrokenPage } from '#web/shell/broken-page.tsx';
import { NotFoundPage } from '#web/shell/not-found-page.tsx';
import { Place, destinationsOf } from '#web/shell/place.ts';
import { Home, RequireSession } from '#web/shell/require-session.tsx';
import { Shell } from '#web/shell/shell.tsx';
import { shellTexts } from '#web/shell/texts.ts';
import { lazyComponent, loadCode } from '#web/ui/load-code.ts';

type Page = () => ReactNode;

/** A page whose code is loaded on first use. */
function page(path: string, load: () => Promise<Page>, handle?: Place): RouteObject {
  return {
    path,
    handle,
    lazy: async () => {
      const Content = await loadCode(load);
      await languageReady();
      return { Component: inLanguage(Content) };
    },
  };
}

/** Renders a page again when the language changes; typed input stays. */
function inLanguage(Content: Page): Page {
  return function InLanguage() {
    useLanguage();
    return <Content />;
  };
}

const NotFound = inLanguage(NotFoundPage);
const Broken = inLanguage(BrokenPage);

type PageName = keyof typeof shellTexts.pages;

/** A page with a fixed name; `link` lists it in search and navigation. */
function named(page: PageName, link?: Omit<NonNullable<Place['link']>, 'name'>, call?: Place['call']): Place {
  const name = () => shellTexts.pages[page];
  return new Place(() => [{ name: name() }], link && { ...link, name }, call);
}

/** A page whose breadcrumb is an id in its address. */
const ofId = (param: string) => new Place(({ [param]: id }) => (id === undefined ? [] : [{ name: id, isId: true }]));

const ofApi = new Place(({ activationId = '' }) => [
  { name: shellTexts.pages.developers, path: '/developers' },
  { name: activationId, isId: true },
]);

/** A page of an activation that its Developer Portal leads to. */
const inDevelopers = (page: PageName, call?: Place['call']) =>
  new Place(
    ({ activationId = '' }) => [
      {
        name: shellTexts.pages.developers,
        path: `/activations/${encodeURIComponent(activationId)}/developers`,
      },
      { name: shellTexts.pages[page] },
    ],
    undefined,
    call,
  );

const ofProduct = new Place(({ productId = '' }, productName) => [{ name: productName(productId) }]);

const ofReference = new Place(({ productId = '' }, productName) => [
  { name: productName(productId), path: `/marketplace/${encodeURIComponent(productId)}` },
  { name: shellTexts.pages.reference },
]);

const ofNothing = new Place(({ '*': rest = '' }) => [{ name: rest.split('/')[0] ?? '' }]);

/** The pages inside the frame. */
const pages: RouteObject[] = [
  {
    path: '/marketplace',
    handle: named('marketplace', {
      icon: Store,
      keywords: ['products', 'plans', 'price', 'cost', 'buy'],
      isMain: true,
    }),
    children: [
      page(
        '/marketplace',
        async () => (await import('#web/features/marketplace/marketplace-page.tsx')).MarketplacePage,
      ),
      page(
        '/marketplace/:productId',
        async () => (await import('#web/features/marketplace/product-page.tsx')).ProductPage,
        ofProduct,
      ),
    ],
  },
  {
    path: '/reference/:productId',
    handle: ofReference,
    children: [
      page(
        '/reference/:productId/:operationId?',
        async () => (await import('#web/features/reference/reference-page.tsx')).ReferencePage,
        ofId('operationId'),
      ),
    ],
  },
  {
    path: '/activations/:activationId',
    handle: ofId('activationId'),
    children: [
      page(
        '/activations/:activationId',
        async () => (await import('#web/features/activations/activation-page.tsx')).ActivationPage,
      ),
      page(
        '/activations/:activationId/billing',
        async () => (await import('#web/features/cycles/subscriptions-page.tsx')).SubscriptionsPage,
        named('billing', undefined, 'listHistory'),
      ),
      page(
        '/activations/:activationId/developers',
        async () => (await import('#web/features/activations/activation-developers-page.tsx')).ActivationDevelopersPage,
        named('developers'),
      ),
      page(
        '/activations/:activationId/requests',
        async () => (await import('#web/features/request-log/request-log-page.tsx')).RequestLogPage,
        inDevelopers('requests', 'listRequests'),
      ),
      page(
        '/activations/:activationId/reporting',
        async () => (await import('#web/features/usage/activation-reporting-page.tsx')).ActivationReportingPage,
        inDevelopers('reporting'),
      ),
      page(
        '/activations/:activationId/support',
        async () => (await import('#web/features/support/support-page.tsx')).SupportPage,
        named('support'),
      ),
    ],
  },
  {
    path: '/developers',
    handle: named('developers', {
      icon: CodeXml,
      keywords: ['api', 'keys', 'documentation'],
      isMain: true,
    }),
    children: [
      page('/developers', async () => (await import('#web/features/activations/developers-page.tsx')).DevelopersPage),
      {
        path: '/developers/webhooks',
        handle: named(
          'webhooks',
          {
            icon: Webhook,
            keywords: ['events', 'signing secret'],
            isMain: false,
          },
          'listWebhooks',
        ),
        children: [
          page(
            '/developers/webhooks',
            async () => (await import('#web/features/webhooks/webhooks-page.tsx')).WebhooksPage,
          ),
          page(
            '/developers/webhooks/:webhookId',
            async () => (await import('#web/features/webhooks/webhook-page.tsx')).WebhookPage,
            ofId('webhookId'),
          ),
        ],
      },
    ],
  },
  page('/api/:activationId', async () => (await import('#web/features/usage/api-page.tsx')).ApiPage, ofApi),
  page(
    '/billing',
    async () => (await import('#web/features/activations/billing-page.tsx')).BillingPage,
    named(
      'billing',
      {
        icon: ReceiptIndianRupee,
        keywords: ['invoices', 'payments', 'gst', 'download', 'pdf', 'zip', 'refund', 'receipt', 'cancel', 'end plan'],
        isMain: true,
      },
      'listAllHistory',
    ),
  ),
  page(
    '/reporting',
    async () => (await import('#web/features/usage/reporting-page.tsx')).ReportingPage,
    named('reporting', { icon: ChartColumn, keywords: ['usage', 'requests'], isMain: true }),
  ),
  page(
    '/account',
    async () => (await import('#web/features/account/account-page.tsx')).AccountPage,
    named('account', {
      icon: Building2,
      keywords: ['business details', 'gstin', 'profile', 'address', 'mails', 'export', 'erase'],
      isMain: false,
    }),
  ),
  {
    path: '/support',
    handle: named('support', { icon: LifeBuoy, keywords: ['help', 'contact', 'message', 'reply'], isMain: false }),
    children: [
      page('/support', async () => (await import('#web/features/support/general-support-page.tsx')).GeneralSupportPage),
      page(
        '/support/:threadId',
        async () => (await import('#web/features/support/thread-page.tsx')).ThreadPage,
        ofId('threadId'),
      ),
    ],
  },
  page('/dashboard', async () => (await import('#web/features/activations/dashboard-page.tsx')).DashboardPage),
  { path: '*', element: <NotFound />, handle: ofNothing },
];

const destinations = destinationsOf(pages);
const LastMonthPapers = lazyComponent(
  async () => (await import('#web/features/documents/last-month-papers.tsx')).LastMonthPapers,
);
const Frame = inLanguage(() => (
  <Shell
    pages={destinations}
    shortcut={
      <Suspense>
        <LastMonthPapers />
      </Suspense>
    }
  />
));

const inFrame: RouteObject = { element: <Frame />, children: [{ errorElement: <Broken />, children: pages }] };
const aroundAll: RouteObject = { errorElement: <Broken />, hydrateFallbackElement: <></> };

/** The pages of a signed-in customer, whoever that is: the server renders them. */
export const framedRoutes: RouteObject[] = [{ ...aroundAll, children: [inFrame] }];

/** Every address of the portal (product §2). */
export const routes: RouteObject[] = [
  {
    ...aroundAll,
    children: [
      { path: '/', element: <Home /> },
      page('/login', async () => (await import('#web/features/account/login/login-route.tsx')).LoginRoute),
      page(
        '/accountant/:accountantId',
        async () => (await import('#web/features/accountants/answer-page.tsx')).AnswerPage,
      ),
      page(
        '/invitation/:invitationId',
        async () => (await import('#web/features/members/invitation-page.tsx')).InvitationPage,
      ),
      { element: <RequireSession />, children: [inFrame] },
    ],
  },
];
