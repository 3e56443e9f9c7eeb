import { Button, Skeleton, Tabs } from '@mantine/core';
import { type ComponentType, type ReactNode, Suspense, useEffect } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { type Activation, listActivations } from '#shared/contract/activations.ts';
import { listApiKeys } from '#shared/contract/api-keys.ts';
import { useCall } from '#web/api/use-call.ts';
import { ActivationBar, type ApiTab, apiTabs, reveal } from '#web/features/activations/activation-bar.tsx';
import { barTexts } from '#web/features/activations/texts.ts';
import { ActivationNotFound } from '#web/features/cycles/activation-not-found.tsx';
import { CompletePayment } from '#web/features/cycles/complete-payment.tsx';
import { PaymentNotice } from '#web/features/payments/payment-notice.tsx';
import { withPacks } from '#web/features/payments/watch-cycle.ts';
import { type Payment, usePayment } from '#web/features/payments/use-payment.ts';
import classes from '#web/features/usage/api-page.module.css';
import { apiTexts as texts } from '#web/features/usage/texts.ts';
import { UsagePanel, UsageShape } from '#web/features/usage/usage-panel.tsx';
import { languageReady } from '#web/language/language.ts';
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

/** A tab's panel, with its texts in the language of the page. */
function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return lazyComponent(async () => {
    const Panel = await load();
    await languageReady();
    return Panel;
  });
}

const ApiKeysPanel = later(async () => (await loadKeys()).ApiKeysPanel);
const HistoryPanel = later(async () => (await loadHistory()).HistoryPanel);
const PlanPanel = later(async () => (await loadPlan()).PlanPanel);
const DeletePanel = later(async () => (await loadDelete()).DeletePanel);

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
  const [search] = useSearchParams();
  const activations = useCall(listActivations, {});
  const activation = activations.data?.activations.find((each) => each.id === activationId);
  if (activation !== undefined) return <Api activation={activation} />;
  return (
    <>
      <ActivationBar activationId={activationId} current={tabOf(search)} />
      {activations.isPending ? <ApiHead id={activationId} /> : <PageHead title={texts.title} />}
      <Loaded of={activations} word={texts.loading} failed={texts.loadFailed} shape={<UsageShape />}>
        {() => <ActivationNotFound />}
      </Loaded>
    </>
  );
}

function tabOf(search: URLSearchParams): ApiTab {
  const asked = search.get('tab');
  return apiTabs.find((tab) => tab === asked) ?? 'usage';
}

function Api({ activation }: { activation: Activation }) {
  const [search, setSearch] = useSearchParams();
  const payment = usePayment();
  const keys = useCall(listApiKeys, { params: { activationId: activation.id } });
  const activeKeys = keys.data?.filter((key) => !key.isRevoked).length ?? 0;
  const current = tabOf(search);
  useOtherTabs();
  const panels: Record<ApiTab, ReactNode> = {
    usage: <UsagePanel activation={activation} />,
    keys: <ApiKeysPanel activation={activation} />,
    billing: <HistoryPanel activationId={activation.id} payment={payment} />,
    plan: <PlanPanel activation={activation} />,
    deactivate: <DeletePanel activation={activation} />,
  };
  return (
    <Tabs
      value={current}
      onChange={(tab) => setSearch({ tab: tab ?? 'usage' }, { replace: true, preventScrollReset: true })}
      keepMounted={false}
      classNames={{ tab: tabClasses.tab ?? '' }}
    >
      <ActivationBar
        activationId={activation.id}
        current={current}
        tabs={
          <Tabs.List className={classes.tabs ?? ''} aria-label={texts.sections}>
            {apiTabs.map((tab) => (
              <Tabs.Tab
                key={tab}
                value={tab}
                ref={tab === current ? reveal : undefined}
                rightSection={tab === 'keys' && activeKeys > 0 ? <KeyCount count={activeKeys} /> : undefined}
              >
                {barTexts.places[tab]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        }
      />
      <ApiHead id={activation.id} activation={activation} payment={payment} />
      <PaymentNotice payment={payment} cycles={withPacks(activation.billingCycles)} />
      {apiTabs.map((tab) => (
        <Tabs.Panel key={tab} value={tab}>
          <Suspense fallback={<Skeleton h={240} radius="lg" aria-busy data-holds="true" />}>{panels[tab]}</Suspense>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
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
