import { Skeleton, Title } from '@mantine/core';
import { useParams, useSearchParams } from 'react-router';
import {
  type AccountantRequestStatus,
  answerAccountantRequest,
  readAccountantRequest,
} from '#shared/contract/accountants.ts';
import { useAction, useCall } from '#web/api/use-call.ts';
import { answerTexts as texts } from '#web/features/accountants/texts.ts';
import { VisitorPage } from '#web/shell/visitor-page.tsx';
import { ActionButton } from '#web/ui/action-button.tsx';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import panel from '#web/ui/panel.module.css';
import { Loaded } from '#web/ui/states.tsx';

interface Link {
  params: { accountantId: string };
  query: { signature: string };
}

/** For an accountant, who needs no account: the link of a mail leads here (product §6.26). A visit alone changes nothing. */
export function AnswerPage() {
  const { accountantId = '' } = useParams();
  const [search] = useSearchParams();
  const link: Link = { params: { accountantId }, query: { signature: search.get('signature') ?? '' } };
  const request = useCall(readAccountantRequest, link);
  return (
    <VisitorPage>
      <PageHead title={texts.title} />
      <Loaded of={request} word={texts.loading} failed={texts.failed} shape={<Skeleton height={180} radius="lg" />}>
        {(found) => <Request {...found} link={link} />}
      </Loaded>
    </VisitorPage>
  );
}

function Request({
  customerName,
  email,
  status,
  link,
}: {
  customerName: string;
  email: string;
  status: AccountantRequestStatus;
  link: Link;
}) {
  const answering = useAction(answerAccountantRequest, {
    changes: [readAccountantRequest],
    onDone: ({ status: now }) => notifyDone(now === 'ON' ? texts.confirmed : texts.stopped),
    onFailed: (failure) => notifyFailure(texts.notSaved, failure.message),
  });
  const answer = (wanted: boolean) => void answering.run({ ...link, body: { wanted } });
  const says = {
    ASKED: { title: texts.askedTitle, text: texts.asked(customerName, email) },
    ON: { title: texts.onTitle, text: texts.on(customerName, email) },
    ENDED: { title: texts.endedTitle, text: texts.ended(customerName, email) },
    EXPIRED: { title: texts.expiredTitle, text: texts.expired(customerName) },
  }[status];
  return (
    <section className={panel.panel} aria-busy={answering.running} aria-live="polite">
      <Title order={2}>{says.title}</Title>
      <p className="soft">{says.text}</p>
      {(status === 'ASKED' || status === 'ON') && (
        <div className={panel.actions}>
          {status === 'ASKED' && (
            <ActionButton running={answering.running} onClick={() => answer(true)}>
              {answering.running ? texts.saving : texts.confirm}
            </ActionButton>
          )}
          <ActionButton variant="default" running={answering.running} onClick={() => answer(false)}>
            {status === 'ASKED' ? texts.decline : texts.stop}
          </ActionButton>
        </div>
      )}
    </section>
  );
}
