import { Alert, Button } from '@mantine/core';
import { ArrowRight, BookOpen, TriangleAlert, Webhook } from 'lucide-react';
import { Link } from 'react-router';
import type { Activation } from '#shared/contract/activations.ts';
import { type Product, listProducts } from '#shared/contract/marketplace.ts';
import { isWellFormedApiKey } from '#shared/domain/api-key.ts';
import { useCall } from '#web/api/use-call.ts';
import { ActivationOfPath } from '#web/features/cycles/activation-of-path.tsx';
import classes from '#web/features/activations/activation-developers-page.module.css';
import { developersTexts as texts } from '#web/features/activations/texts.ts';
import { ApiKeysPanel } from '#web/features/api-keys/api-keys-panel.tsx';
import { marketplaceTexts } from '#web/features/marketplace/texts.ts';
import { requestOfSample } from '#web/features/reference/api-request-of-sample.ts';
import { CallSamples } from '#web/features/reference/call-samples.tsx';
import { useRememberedKey } from '#web/features/reference/key-memory.ts';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Section } from '#web/ui/section.tsx';
import { Unknown } from '#web/ui/states.tsx';

/** Keys, address and documentation of one activation (product §2.21). */
export function ActivationDevelopersPage() {
  return <ActivationOfPath shape={null}>{(activation) => <Developers activation={activation} />}</ActivationOfPath>;
}

function Developers({ activation }: { activation: Activation }) {
  const { id, service } = activation;
  const products = useCall(listProducts, {});
  const product = products.data?.find((each) => each.id === service.id);
  return (
    <>
      <PageHead
        title={texts.title}
        lead={
          <>
            {service.name} <span className="mono dim">{id}</span>
          </>
        }
        actions={
          <>
            <Button
              component={Link}
              to="/developers/webhooks"
              variant="default"
              leftSection={<Webhook size={16} aria-hidden />}
            >
              {texts.webhooks}
            </Button>
            {service.baseUrl === null ? null : (
              <Button
                component={Link}
                to={`/reference/${service.id}`}
                variant="default"
                leftSection={<BookOpen size={16} />}
              >
                {texts.documentation}
              </Button>
            )}
          </>
        }
      />
      <ApiKeysPanel activation={activation} />
      {products.isPending ? <Unknown /> : null}
      {service.baseUrl === null ? (
        <Alert color="yellow" icon={<TriangleAlert size={18} />} title={marketplaceTexts.serviceNotFound}>
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
