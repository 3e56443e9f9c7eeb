import { Button, Skeleton, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'react-router';
import { readAccount } from '#shared/contract/account.ts';
import type { CallReply } from '#shared/contract/call.ts';
import { acceptInvitation, declineInvitation, readInvitation } from '#shared/contract/invitations.ts';
import { googleAddress } from '#shared/domain/google-address.ts';
import { useAction, useCall } from '#web/api/use-call.ts';
import { enterCustomer } from '#web/session/enter-customer.ts';
import classes from '#web/features/members/members.module.css';
import { roleSummary } from '#web/features/members/role-summary.ts';
import { invitationTexts as texts } from '#web/features/members/texts.ts';
import { useSession } from '#web/session/session.ts';
import { leave } from '#web/shell/leave.ts';
import { roleTexts } from '#web/roles/texts.ts';
import { loginPath } from '#web/shell/safe-path.ts';
import { VisitorPage } from '#web/shell/visitor-page.tsx';
import { ActionButton } from '#web/ui/action-button.tsx';
import { dayOfInstant, dayText } from '#web/ui/localized-days.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import panel from '#web/ui/panel.module.css';
import { Loaded } from '#web/ui/states.tsx';

type Found = CallReply<typeof readInvitation>;

interface InvitationLink {
  invitationId: string;
  signature: string;
}

/** The link of a mail leads here: what the invitation is to, and the answer. A visit alone changes nothing. */
export function InvitationPage() {
  const { invitationId = '' } = useParams();
  const [search] = useSearchParams();
  const link = { invitationId, signature: search.get('signature') ?? '' };
  const found = useCall(readInvitation, { params: { invitationId }, query: { signature: link.signature } });
  return (
    <VisitorPage>
      <div className={classes.ways}>
        <PageHead title={texts.title} />
        <Loaded of={found} word={texts.loading} failed={texts.failed} shape={<Skeleton height={200} radius="lg" />}>
          {(invitation) => <Invitation invitation={invitation} link={link} />}
        </Loaded>
      </div>
    </VisitorPage>
  );
}

function Invitation({ invitation, link }: { invitation: Found; link: InvitationLink }) {
  const { customerName, email, state, startsAt } = invitation;
  if (state === 'WAITING') return <Waiting invitation={invitation} link={link} />;
  if (state === 'LATER')
    return (
      <Words title={texts.laterTitle(customerName)} text={texts.later(email, dayText(dayOfInstant(startsAt)))}>
        <Decline link={link} word={texts.object} done={texts.objected} />
      </Words>
    );
  return (
    <Words
      title={state === 'EXPIRED' ? texts.expiredTitle : texts.endedTitle}
      text={state === 'EXPIRED' ? texts.expired(customerName) : texts.ended(customerName)}
    >
      <Button component="a" href="/" variant="default">
        {texts.openPortal}
      </Button>
    </Words>
  );
}

function Waiting({
  invitation: { customerName, email, role, endsAt },
  link,
}: {
  invitation: Found;
  link: InvitationLink;
}) {
  const location = useLocation();
  const { token } = useSession();
  const account = useCall(readAccount, {}, { enabled: token !== null });
  const signedIn = token === null ? undefined : account.data?.user.email;
  const isOther = signedIn !== undefined && googleAddress(signedIn) !== googleAddress(email);
  const what = role === 'owner' ? texts.ownershipMore : texts.asRole(roleTexts.names[role], roleSummary(role));
  return (
    <>
      {isOther ? (
        <Words title={texts.otherTitle} text={texts.other(signedIn, email)}>
          <Button onClick={() => void leave()}>{texts.signOut}</Button>
        </Words>
      ) : null}
      <Words
        title={role === 'owner' ? texts.ownership(customerName) : texts.invites(customerName)}
        text={what}
        more={`${texts.forAddress(email)} ${texts.until(dayText(dayOfInstant(endsAt)))}`}
      >
        {token === null ? (
          <Button component={Link} to={loginPath(location)}>
            {texts.signIn}
          </Button>
        ) : null}
        {signedIn !== undefined && !isOther ? (
          <Accept link={link} word={role === 'owner' ? texts.acceptOwnership : texts.accept} />
        ) : null}
        <Decline link={link} word={texts.decline} done={texts.declined} />
        {role === 'owner' ? null : <Decline link={link} noMore word={texts.noMore} done={texts.declinedAll} />}
      </Words>
    </>
  );
}

function Accept({ link: { invitationId, signature }, word }: { link: InvitationLink; word: string }) {
  const accepting = useAction(acceptInvitation, {
    onDone: ({ accessToken }) => enterCustomer(accessToken, '/marketplace'),
    onFailed: (failure) => notifyFailure(texts.notAccepted, failure.message),
  });
  return (
    <ActionButton
      call="acceptInvitation"
      running={accepting.running}
      onClick={() => void accepting.run({ params: { invitationId }, body: { signature } })}
    >
      {accepting.running ? texts.accepting : word}
    </ActionButton>
  );
}

function Decline({
  link: { invitationId, signature },
  noMore = false,
  word,
  done,
}: {
  link: InvitationLink;
  /** The address gets no invitations any more. */
  noMore?: boolean;
  word: string;
  done: string;
}) {
  const declining = useAction(declineInvitation, {
    changes: [readInvitation],
    onDone: () => notifyDone(done),
    onFailed: (failure) => notifyFailure(texts.notDeclined, failure.message),
  });
  return (
    <ActionButton
      variant={noMore ? 'subtle' : 'default'}
      color={noMore ? 'gray' : 'brand'}
      running={declining.running}
      onClick={() => void declining.run({ params: { invitationId }, body: { signature, noMore } })}
    >
      {word}
    </ActionButton>
  );
}

function Words({ title, text, more, children }: { title: string; text: string; more?: string; children: ReactNode }) {
  return (
    <section className={panel.panel} aria-live="polite">
      <Title order={2}>{title}</Title>
      <p className="soft">{text}</p>
      {more === undefined ? null : <p className="soft">{more}</p>}
      <div className={panel.actions}>{children}</div>
    </section>
  );
}
