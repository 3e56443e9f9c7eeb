import { Button, Skeleton } from '@mantine/core';
import { BookOpen, Mail } from 'lucide-react';
import type { Activation } from '#contract/activations.ts';
import { listProducts } from '#contract/marketplace.ts';
import { portalConfig } from '#web/api/config.ts';
import { useCall } from '#web/api/use-call.ts';
import { ActivationOfPath } from '#web/features/cycles/activation-of-path.tsx';
import { SupportForm } from '#web/features/support/support-form.tsx';
import { SupportMessages } from '#web/features/support/support-messages.tsx';
import classes from '#web/features/support/support-page.module.css';
import { supportTexts as texts } from '#web/features/support/texts.ts';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Section } from '#web/ui/section.tsx';

/** Contacts for an activation, a form for a message, and earlier messages. */
export function SupportPage() {
  return (
    <ActivationOfPath shape={<Skeleton height={420} mt={72} radius="lg" />}>
      {(activation) => <Support activation={activation} />}
    </ActivationOfPath>
  );
}

function Support({ activation }: { activation: Activation }) {
  const { backendUrl, standins } = portalConfig();
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead(activation.service.name)} />
      <div className={classes.columns}>
        <section className={classes.card}>
          <h2>{texts.write}</h2>
          <p>{texts.writeMore}</p>
          <SupportForm key={activation.id} activationId={activation.id} />
        </section>
        <aside className={classes.side}>
          <Contact activation={activation} />
          <Documentation productId={activation.service.id} />
        </aside>
      </div>
      <Section title={texts.messages}>
        <SupportMessages activationId={activation.id} />
        {standins && (
          <p className="caption">
            <a className="link" href={`${backendUrl}/outbox`} target="_blank" rel="noreferrer">
              {texts.outbox}
            </a>
          </p>
        )}
      </Section>
    </>
  );
}

/** How to reach the provider, as it was configured. */
function Contact({ activation: { id, service } }: { activation: Activation }) {
  const { providerName, support } = portalConfig();
  return (
    <section>
      <h2>
        <Mail size={18} aria-hidden="true" />
        {texts.contact(providerName)}
      </h2>
      <Facts
        look="list"
        className={classes.contact}
        facts={[
          {
            key: 'email',
            label: texts.email,
            value: (
              <a
                className="link"
                href={`mailto:${support.email}?subject=${encodeURIComponent(texts.mailSubject(service.name, id))}`}
              >
                {support.email}
              </a>
            ),
          },
          {
            key: 'phone',
            label: texts.phone,
            value: (
              <a className="link num" href={`tel:${support.phone.replaceAll(' ', '')}`}>
                {support.phone}
              </a>
            ),
          },
          { key: 'hours', label: texts.hours, value: support.hours },
          {
            key: 'activation',
            label: texts.activation,
            value: (
              <span className={classes.id}>
                <span className="mono">{id}</span>
                <CopyIcon value={id} />
              </span>
            ),
          },
        ]}
      />
    </section>
  );
}

function Documentation({ productId }: { productId: string }) {
  const address = useCall(listProducts, {}).data?.find(({ id }) => id === productId)?.documentationUrl;
  if (address === undefined) return null;
  return (
    <section>
      <h2>
        <BookOpen size={18} aria-hidden="true" />
        {texts.documentation}
      </h2>
      <p>{texts.documentationMore}</p>
      <Button component="a" href={address} target="_blank" rel="noreferrer" variant="default">
        {texts.openDocumentation}
      </Button>
    </section>
  );
}
