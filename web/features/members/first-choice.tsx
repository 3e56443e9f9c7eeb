import { Alert, Button, Title } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { CallInput } from '#shared/contract/call.ts';
import { continueSignIn, readFirst, type Waiting } from '#shared/contract/invitations.ts';
import { call } from '#web/api/client.ts';
import classes from '#web/features/members/members.module.css';
import { roleSummary } from '#web/features/members/role-summary.ts';
import { invitationTexts as texts } from '#web/features/members/texts.ts';
import { useLanguage } from '#web/language/use-language.ts';
import { beginSession } from '#web/session/session.ts';
import { roleTexts } from '#web/roles/texts.ts';
import { VisitorPage } from '#web/shell/visitor-page.tsx';
import { ActionButton } from '#web/ui/action-button.tsx';
import { dayOfInstant, dayText } from '#web/ui/localized-days.ts';
import { notifyDone } from '#web/ui/notify.tsx';
import { usePageTitle } from '#web/ui/page-title.ts';
import panel from '#web/ui/panel.module.css';

type Choice = CallInput<typeof continueSignIn>['body']['choice'];

/** A first sign-in for which something waits: join, ask to join, or begin an account of one's own. Nothing is made before. */
export function FirstChoice({ identity, onAgain }: { identity: string; onAgain: () => void }) {
  useLanguage();
  usePageTitle(texts.firstTitle);
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => {
    const fail = (error: unknown) => setFailure(error instanceof Error ? error.message : texts.notDone);
    call(readFirst, { body: { identity } }).then(setWaiting, fail);
  }, [identity]);

  async function choose(choice: Choice): Promise<void> {
    setRunning(true);
    setFailure(null);
    try {
      const entered = await call(continueSignIn, { body: { identity, choice } });
      if (entered === null) {
        notifyDone(texts.asked, texts.askedMore);
        setWaiting(await call(readFirst, { body: { identity } }));
      } else {
        beginSession(entered.accessToken);
        // An invitation that was asked for is answered by now.
        if (invitationAsked() !== null) window.location.assign('/marketplace');
      }
    } catch (error) {
      setFailure(error instanceof Error ? error.message : texts.notDone);
    } finally {
      setRunning(false);
    }
  }

  const asked = invitationAsked();
  return (
    <VisitorPage>
      <div className={classes.ways} aria-busy={waiting === null && failure === null}>
        <Title order={1}>{texts.firstTitle}</Title>
        <p className="soft">{texts.firstLead}</p>
        {failure === null ? null : (
          <Alert role="alert" color="red" icon={<CircleAlert size={18} />} title={texts.notDone}>
            <p>{failure}</p>
            <Button variant="default" onClick={onAgain}>
              {texts.again}
            </Button>
          </Alert>
        )}
        {waiting?.invitations.map(({ id, customerName, role, endsAt, signature }) => {
          const proof = signature ?? (asked?.id === id ? asked.signature : null);
          return (
            <Way
              key={id}
              title={role === 'owner' ? texts.ownership(customerName) : texts.invites(customerName)}
              text={`${roleTexts.names[role]}: ${roleSummary(role)}. ${texts.until(dayText(dayOfInstant(endsAt)))}`}
            >
              {proof === null ? (
                <p>{texts.needsMail}</p>
              ) : (
                <ActionButton
                  running={isRunning}
                  onClick={() => void choose({ kind: 'accept', invitationId: id, signature: proof })}
                >
                  {role === 'owner' ? texts.acceptOwnership : texts.joinAs(roleTexts.names[role])}
                </ActionButton>
              )}
            </Way>
          );
        })}
        {waiting?.joinable.map(({ customerId, customerName, hasAsked }) => (
          <Way key={customerId} title={customerName} text={hasAsked ? texts.askedMore : texts.colleagues}>
            {hasAsked ? (
              <p>{texts.asked}</p>
            ) : (
              <ActionButton running={isRunning} onClick={() => void choose({ kind: 'ask', customerId })}>
                {texts.ask}
              </ActionButton>
            )}
          </Way>
        ))}
        {waiting === null ? null : (
          <Way title={texts.own} text={texts.ownMore}>
            <ActionButton variant="default" running={isRunning} onClick={() => void choose({ kind: 'own' })}>
              {isRunning ? texts.opening : texts.own}
            </ActionButton>
          </Way>
        )}
      </div>
    </VisitorPage>
  );
}

/** The invitation whose link led to this sign-in; its signature proves who has the mailbox. */
function invitationAsked(): { id: string; signature: string } | null {
  const redirect = new URLSearchParams(window.location.search).get('redirect') ?? '';
  const [, id, signature] = /^\/invitation\/([\w-]+)\?signature=(\w+)$/.exec(redirect) ?? [];
  return id === undefined || signature === undefined ? null : { id, signature };
}

function Way({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className={panel.panel}>
      <Title order={2}>{title}</Title>
      <p className="soft">{text}</p>
      <div className={panel.actions}>{children}</div>
    </section>
  );
}
