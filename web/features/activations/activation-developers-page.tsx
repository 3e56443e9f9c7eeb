import { Button } from '@mantine/core';
import { BookOpen, ChartColumn } from 'lucide-react';
import { Link } from 'react-router';
import type { Activation } from '#contract/activations.ts';
import { listProducts } from '#contract/marketplace.ts';
import { useCall } from '#web/api/use-call.ts';
import { ActivationOfPath } from '#web/features/activations/activation-of-path.tsx';
import classes from '#web/features/activations/activation-developers-page.module.css';
import { developersTexts as texts } from '#web/features/activations/texts.ts';
import { ApiKeysPanel } from '#web/features/api-keys/api-keys-panel.tsx';
import { sampleCommand } from '#web/features/api-keys/sample-command.ts';
import { CopyButton, CopyIcon } from '#web/ui/copy-button.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Section } from '#web/ui/section.tsx';

/** Keys, address and documentation of one activation (D15, D26). */
export function ActivationDevelopersPage() {
  return <ActivationOfPath shape={null}>{(activation) => <Developers activation={activation} />}</ActivationOfPath>;
}

function Developers({ activation }: { activation: Activation }) {
  const { id, service } = activation;
  const product = useCall(listProducts, {}).data?.find((each) => each.id === service.id);
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
            <Button component={Link} to={`/api/${id}`} variant="default" leftSection={<ChartColumn size={16} />}>
              {texts.usage}
            </Button>
            {product === undefined ? null : (
              <Button
                component="a"
                href={product.documentationUrl}
                target="_blank"
                rel="noreferrer"
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
      {service.baseUrl === null || product === undefined ? null : (
        <Call
          baseUrl={service.baseUrl}
          command={sampleCommand(service.baseUrl, product.sample.request, texts.yourKey)}
        />
      )}
    </>
  );
}

function Call({ baseUrl, command }: { baseUrl: string; command: string }) {
  return (
    <Section title={texts.firstCall}>
      <p className={classes.lead}>{texts.firstCallMore}</p>
      <dl className={classes.facts}>
        <dt>{texts.address}</dt>
        <dd>
          <span className="mono">{baseUrl}</span>
          <CopyIcon value={baseUrl} />
        </dd>
        <dt>{texts.header}</dt>
        <dd className="mono">{`Authorization: Bearer ${texts.yourKey}`}</dd>
      </dl>
      <div className={classes.command}>
        <pre>{command}</pre>
        <CopyButton value={command} />
      </div>
    </Section>
  );
}
