import type { ApiDescription } from '#web/features/reference/api-description.ts';
import type { Operation } from '#web/features/reference/operations.ts';
import { Prose } from '#web/features/reference/prose.tsx';
import rowClasses from '#web/features/reference/rows.module.css';
import { SentRequest } from '#web/features/reference/sent-request.tsx';
import { referenceTexts as texts } from '#web/features/reference/texts.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { Section } from '#web/ui/section.tsx';

/** A webhook of the API: the page that an endpoint has, for a request that goes the other way. */
export function WebhookView({ description, request }: { description: ApiDescription; request: Operation }) {
  return (
    <>
      <PageHead title={request.summary} lead={<Prose text={request.description} />} />
      <Section title={texts.webhooks}>
        <p className={rowClasses.lead}>
          {texts.webhooksMore} {texts.receiverMore}
        </p>
        <SentRequest description={description} request={request} />
      </Section>
    </>
  );
}
