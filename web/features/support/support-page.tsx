import { Button, Skeleton } from '@mantine/core';
import { BookOpen } from 'lucide-react';
import type { Activation } from '#shared/contract/activations.ts';
import { listProducts } from '#shared/contract/marketplace.ts';
import { useCall } from '#web/api/use-call.ts';
import { ActivationOfPath } from '#web/features/cycles/activation-of-path.tsx';
import { Contact } from '#web/features/support/contact.tsx';
import { SupportForm } from '#web/features/support/support-form.tsx';
import classes from '#web/features/support/support-page.module.css';
import { supportTexts as texts } from '#web/features/support/texts.ts';
import { ThreadList } from '#web/features/support/thread-list.tsx';
import { PageHead } from '#web/ui/page-head.tsx';

/** Contacts for an activation, a form for a message, and earlier threads. */
export function SupportPage() {
  return (
    <ActivationOfPath shape={<Skeleton height={420} mt={72} radius="lg" />}>
      {(activation) => <Support activation={activation} />}
    </ActivationOfPath>
  );
}

function Support({ activation }: { activation: Activation }) {
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead(activation.service.name)} />
      <div className={classes.columns}>
        <section className={classes.card}>
          <h2>{texts.write}</h2>
          <p>{texts.writeMore}</p>
          <SupportForm key={activation.id} activationId={activation.id} draftKey={activation.id} />
        </section>
        <aside className={classes.side}>
          <Contact activation={activation} />
          <Documentation productId={activation.service.id} />
        </aside>
      </div>
      <ThreadList activationId={activation.id} />
    </>
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
