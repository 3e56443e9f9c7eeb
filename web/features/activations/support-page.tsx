import { Button } from '@mantine/core';
import { BookOpen, Mail } from 'lucide-react';
import type { Activation } from '#contract/activations.ts';
import { listProducts } from '#contract/marketplace.ts';
import { portalConfig } from '#web/api/config.ts';
import { useCall } from '#web/api/use-call.ts';
import { ActivationOfPath } from '#web/features/activations/activation-of-path.tsx';
import classes from '#web/features/activations/support-page.module.css';
import { supportTexts as texts } from '#web/features/activations/texts.ts';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import grid from '#web/ui/grid.module.css';
import { PageHead } from '#web/ui/page-head.tsx';

/** Whom to ask about an activation, and what to read first. */
export function SupportPage() {
  return <ActivationOfPath shape={null}>{(activation) => <Support activation={activation} />}</ActivationOfPath>;
}

function Support({ activation: { id, service } }: { activation: Activation }) {
  const { email, phone, hours } = portalConfig().support;
  const documentationUrl = useCall(listProducts, {}).data?.find(
    (product) => product.id === service.id,
  )?.documentationUrl;
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead(service.name)} />
      <div className={grid.two}>
        <section className={classes.card}>
          <h2>
            <Mail size={18} aria-hidden="true" />
            {texts.person}
          </h2>
          <p>{texts.personMore}</p>
          <dl>
            <dt>{texts.email}</dt>
            <dd>
              <a
                className="link"
                href={`mailto:${email}?subject=${encodeURIComponent(texts.subject(service.name, id))}`}
              >
                {email}
              </a>
            </dd>
            <dt>{texts.phone}</dt>
            <dd>
              <a className="link num" href={`tel:${phone.replaceAll(' ', '')}`}>
                {phone}
              </a>
            </dd>
            <dt>{texts.hours}</dt>
            <dd>{hours}</dd>
            <dt>{texts.activation}</dt>
            <dd className={classes.id}>
              <span className="mono">{id}</span>
              <CopyIcon value={id} />
            </dd>
          </dl>
        </section>
        {documentationUrl === undefined ? null : (
          <section className={classes.card}>
            <h2>
              <BookOpen size={18} aria-hidden="true" />
              {texts.documentation}
            </h2>
            <p>{texts.documentationMore}</p>
            <Button component="a" href={documentationUrl} target="_blank" rel="noreferrer" variant="default">
              {texts.openDocumentation}
            </Button>
          </section>
        )}
      </div>
    </>
  );
}
