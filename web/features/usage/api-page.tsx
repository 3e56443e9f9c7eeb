import { Button, Skeleton, Tabs } from '@mantine/core';
import { type ReactNode, Suspense, useEffect } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { type Activation, listActivations } from '#shared/contract/activations.ts';
import { listApiKeys } from '#shared/contract/api-keys.ts';
import type { MemberCallName } from '#shared/policies/members/rights.ts';
import { useMay } from '#web/roles/use-role.ts';
import { useCall } from '#web/api/use-call.ts';
import { CompletePayment } from '#web/features/cycles/complete-payment.tsx';
import { PaymentNotice } from '#web/features/payments/payment-notice.tsx';
import { withPacks } from '#web/features/payments/watch-cycle.ts';
import { type Payment, usePayment } from '#web/features/payments/use-payment.ts';
import classes from '#web/features/usage/api-page.module.css';
import { apiTexts as texts } from '#web/features/usage/texts.ts';
import { UsagePanel, UsageShape } from '#web/features/usage/usage-panel.tsx';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { ProductMark } from '#web/ui/product-mark.tsx';
import { Loaded } from '#web/ui/states.tsx';
import { lazyComponent } from '#web/ui/load-code.ts';
import tabClasses from '#web/ui/tabs.module.css';

const loadKeys = () => import('#web/features/api-keys/api-keys-panel.tsx');
const loadHistory = () => import('#web/features/invoices/history-panel.tsx');
const loadPlan = () => import('#web/features/usage/plan-panel.tsx');
const loadDelete = () => import('#web/features/usage/delete-panel.tsx');

const ApiKeysPanel = lazyComponent(async () => (await loadKeys()).ApiKeysPanel);
const HistoryPanel = lazyComponent(async () => (await loadHistory()).HistoryPanel);
const PlanPanel = lazyComponent(async () => (await loadPlan()).PlanPanel);
const DeletePanel = lazyComponent(async () => (await loadDelete()).DeletePanel);

const ActivationNotFound = lazyComponent(
  async () => (await import('#web/features/cycles/activation-not-found.tsx')).ActivationNotFound,
);

/** The tabs of `/api/{id}` (product §2.23), in their order. */
const apiTabs = ['usage', 'keys', 'billing', 'plan', 'deactivate'] as const;
type ApiTab = (typeof apiTabs)[number];

/** Long enough after the first tab for its own data to come first. */
const othersAfterMs = 1_000;

/** The code of the other tabs is preloaded, so that each opens at once, even offline. */
function useOtherTabs(): void {
  useEffect(() => {
    const timer = setTimeout(
      () => void Promise.allSettled([loadKeys(), loadHistory(), loadPlan(), loadDelete()]),
      othersAfterMs,
    );
    return () => clearTimeout(timer);
  }, []);
}

/** Everything about one activated API; the URL selects the tab. */
export function ApiPage() {
  const { activationId = '' } = useParams();
  const activations = useCall(listActivations, {});
  const activation = activations.data?.activations.find((each) => each.id === activationId);
  if (activation !== undefined) return <Api activation={activation} />;
  return (
    <>
      {activations.isPending ? <ApiHead id={activationId} /> : <PageHead title={texts.title} />}
      {activations.isPending ? <ApiTabs id={activationId} /> : null}
      <Loaded of={activations} word={texts.loading} failed={texts.loadFailed} shape={<UsageShape />}>
        {() => (
          <Suspense>
            <ActivationNotFound />
          </Suspense>
        )}
      </Loaded>
    </>
  );
}

function Api({ activation }: { activation: Activation }) {
  const payment = usePayment();
  useOtherTabs();
  const panels: Record<ApiTab, ReactNode> = {
    usage: <UsagePanel activation={activation} />,
    keys: <ApiKeysPanel activation={activation} />,
    billing: <HistoryPanel activationId={activation.id} payment={payment} />,
    plan: <PlanPanel activation={activation} payment={payment} />,
    deactivate: <DeletePanel activation={activation} />,
  };
  return (
    <>
      <ApiHead id={activation.id} activation={activation} payment={payment} />
      <PaymentNotice payment={payment} cycles={withPacks(activation.billingCycles)} />
      <ApiTabs id={activation.id}>
        {apiTabs.map((tab) => (
          <Tabs.Panel key={tab} value={tab}>
            <Suspense fallback={<Skeleton h={240} radius="lg" aria-busy data-holds="true" />}>{panels[tab]}</Suspense>
          </Tabs.Panel>
        ))}
      </ApiTabs>
    </>
  );
}

/** Whose role may make them sees the tab. */
const callsOfTabs: Partial<Record<ApiTab, MemberCallName>> = {
  keys: 'listApiKeys',
  billing: 'listHistory',
  deactivate: 'deleteActivation',
};

/** The tabs, and their panels once there are some. */
function ApiTabs({ id, children }: { id: string; children?: ReactNode }) {
  const [search, setSearch] = useSearchParams();
  const keys = useCall(listApiKeys, { params: { activationId: id } });
  const activeKeys = keys.data?.filter((key) => !key.isRevoked).length ?? 0;
  const asked = search.get('tab');
  const may = useMay();
  const shown = apiTabs.filter((tab) => {
    const call = callsOfTabs[tab];
    return call === undefined || may(call);
  });
  const current = shown.find((tab) => tab === asked) ?? 'usage';
  return (
    <Tabs
      value={current}
      onChange={(tab) => setSearch({ tab: tab ?? 'usage' }, { replace: true, preventScrollReset: true })}
      keepMounted={false}
      classNames={{ list: tabClasses.list ?? '', tab: tabClasses.tab ?? '' }}
    >
      <Tabs.List aria-label={texts.sections}>
        {shown.map((tab) => (
          <Tabs.Tab
            key={tab}
            value={tab}
            ref={tab === current ? reveal : undefined}
            rightSection={tab === 'keys' && activeKeys > 0 ? <KeyCount count={activeKeys} /> : undefined}
          >
            {texts.tabs[tab]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {children}
    </Tabs>
  );
}

/** On a phone the tabs are wider than the page: the current one must be seen. */
function reveal(tab: HTMLElement | null): void {
  // Asked for now, the place of everything would be computed twice.
  requestAnimationFrame(() => tab?.scrollIntoView({ inline: 'center', block: 'nearest' }));
}

/** While the activation is not known, the head has its size already: nothing moves when it comes. */
function ApiHead({ id, activation, payment }: { id: string; activation?: Activation; payment?: Payment }) {
  const isKnown = activation?.service.baseUrl !== null;
  return (
    <>
      <PageHead
        title={isKnown ? (activation?.service.apiName ?? texts.title) : texts.unknown}
        mark={<ProductMark of={activation?.service} size={48} />}
        lead={
          <span className={classes.id}>
            <span className="mono">{id}</span>
            <CopyIcon value={id} />
          </span>
        }
        actions={
          <>
            {isKnown && (
              <Button
                component={Link}
                to={activation === undefined ? '/developers' : `/reference/${activation.service.id}`}
                variant="default"
              >
                {texts.reference}
              </Button>
            )}
            <Button component={Link} to={`/activations/${id}`} variant="default">
              {texts.back}
            </Button>
            {activation !== undefined && payment !== undefined && (
              <CompletePayment activation={activation} payment={payment} label={texts.complete} />
            )}
          </>
        }
      />
      {!isKnown && <p className={`${classes.note} soft`}>{texts.unknownMore}</p>}
    </>
  );
}

/** The number of active keys; the list itself announces it to screen readers. */
function KeyCount({ count }: { count: number }) {
  return (
    <span className={classes.count} aria-hidden="true">
      {count}
    </span>
  );
}
