import { Button } from '@mantine/core';
import { BookOpen, Mail } from 'lucide-react';
import { useParams } from 'react-router';
import { type Activation, listActivations } from '#contract/activations.ts';
import { listProducts } from '#contract/marketplace.ts';
import { portalConfig } from '#web/api/config.ts';
import { useCall } from '#web/api/use-call.ts';
import classes from '#web/features/activations/support-page.module.css';
import { supportTexts as texts, activationTexts } from '#web/features/activations/texts.ts';
import { ActivationNotFound } from '#web/features/cycles/activation-not-found.tsx';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import grid from '#web/ui/grid.module.css';
import { PageHead } from '#web/ui/page-head.tsx';
import { Loaded } from '#web/ui/states.tsx';

/** Whom to ask about an activation, and what to read first. */
export function SupportPage() {
  const { activationId = '' } = useParams();
  const activations = useCall(listActivations, {});
  return (
    <Loaded of={activations} word={activationTexts.loading} failed={activationTexts.failed} shape={null}>
      {({ activations: all }) => {
        const activation = all.find(({ id }) => id === activationId);
        return activation === undefined ? <ActivationNotFound /> : <Support activation={activation} />;
      }}
    </Loaded>
  );
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
