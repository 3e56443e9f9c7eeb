import { Alert } from '@mantine/core';
import { ArrowRight, TriangleAlert } from 'lucide-react';
import { Link } from 'react-router';
import type { Activation } from '#shared/contract/activations.ts';
import { listApiKeys } from '#shared/contract/api-keys.ts';
import { type Product, listProducts } from '#shared/contract/marketplace.ts';
import { isWellFormedApiKey } from '#shared/domain/api-key.ts';
import { useCall } from '#web/api/use-call.ts';
import { ActivationOfPath } from '#web/features/cycles/activation-of-path.tsx';
import classes from '#web/features/activations/activation-developers-page.module.css';
import { activationTexts, developersTexts as texts } from '#web/features/activations/texts.ts';
import { TodaysUse } from '#web/features/activations/todays-use.tsx';
import { marketplaceTexts } from '#web/features/marketplace/texts.ts';
import { requestOfSample } from '#web/features/reference/api-request-of-sample.ts';
import { CallSamples } from '#web/features/reference/call-samples.tsx';
import { useRememberedKey } from '#web/features/reference/key-memory.ts';
import { apiTexts } from '#web/features/usage/texts.ts';
import { shellTexts } from '#web/shell/texts.ts';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { LinkRow, LinkRows } from '#web/ui/link-card.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Section } from '#web/ui/section.tsx';
import { Unknown } from '#web/ui/states.tsx';
import { useMay } from '#web/roles/use-role.ts';

/** What a developer of one activation needs: where to look, and how to call (product §2.21). */
export function ActivationDevelopersPage() {
  return <ActivationOfPath shape={null}>{(activation) => <Developers activation={activation} />}</ActivationOfPath>;
}

function Developers({ activation }: { activation: Activation }) {
  const { id, service, dailyUse } = activation;
  const products = useCall(listProducts, {});
  const product = products.data?.find((each) => each.id === service.id);
  const keys = useCall(listApiKeys, { params: { activationId: id } }).data;
  const may = useMay();
  const rows = [
    {
      to: `/api/${id}`,
      name: apiTexts.tabs.usage,
      fact: dailyUse === null ? null : <TodaysUse service={service.name} use={dailyUse} />,
    },
    {
      to: `/api/${id}?tab=keys`,
      name: apiTexts.tabs.keys,
      fact: keys === undefined ? null : activationTexts.keys(keys.filter(({ isRevoked }) => !isRevoked).length),
      call: 'listApiKeys' as const,
    },
    {
      to: `/activations/${id}/requests`,
      name: shellTexts.pages.requests,
      fact: texts.requestsMore,
      call: 'listRequests' as const,
    },
    { to: `/activations/${id}/reporting`, name: shellTexts.pages.reporting, fact: texts.reportingMore },
  ].filter(({ call }) => call === undefined || may(call));
  return (
    <>
      <PageHead
        title={texts.title}
        lead={
          <>
            {service.name} <span className="mono dim">{id}</span>
          </>
        }
      />
      <LinkRows>
        {rows.map(({ to, name, fact }) => (
          <LinkRow key={to} to={to} columns="minmax(0, 1fr) minmax(0, 2fr)">
            <span className="strong">{name}</span>
            <div className={`${classes.fact} soft`}>{fact}</div>
          </LinkRow>
        ))}
      </LinkRows>
      {products.isPending ? <Unknown /> : null}
      {service.baseUrl === null ? (
        <Alert color="yellow" icon={<TriangleAlert size={18} />} title={marketplaceTexts.serviceNotFound} mt={24}>
          {texts.serviceGone}
        </Alert>
      ) : product === undefined ? null : (
        <Call product={product} />
      )}
    </>
  );
}

function Call({ product }: { product: Product }) {
  const { id, baseUrl, sample } = product;
  const [key] = useRememberedKey(id);
  return (
    <Section
      title={texts.firstCall}
      end={
        <Link className="link caption" to={`/reference/${id}`}>
          {texts.reference}
          <ArrowRight size={15} aria-hidden="true" />
        </Link>
      }
    >
      <p className={classes.lead}>{texts.firstCallMore}</p>
      <Facts
        look="list"
        className={classes.facts}
        facts={[
          {
            key: 'address',
            label: texts.address,
            value: (
              <span className={classes.address}>
                <span className="mono">{baseUrl}</span>
                <CopyIcon value={baseUrl} />
              </span>
            ),
          },
          {
            key: 'header',
            label: texts.header,
            value: <span className="mono">{`Authorization: Bearer ${texts.yourKey}`}</span>,
          },
        ]}
      />
      <CallSamples request={requestOfSample(baseUrl, sample.request)} apiKey={isWellFormedApiKey(key) ? key : null} />
    </Section>
  );
}
