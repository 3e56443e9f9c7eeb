import { Alert, Skeleton, Tabs } from '@mantine/core';
import { Info } from 'lucide-react';
import { Suspense } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { readAccount } from '#shared/contract/account.ts';
import type { CallReply } from '#shared/contract/call.ts';
import { claimOf } from '#shared/domain/tax-claim.ts';
import { useCall } from '#web/api/use-call.ts';
import classes from '#web/features/account/account-page.module.css';
import { TaxClaimPanel } from '#web/features/tax-claims/tax-claim-panel.tsx';
import { DataExport } from '#web/features/account/data-export.tsx';
import { ErasureRequest } from '#web/features/account/erasure-request.tsx';
import { MailChoice } from '#web/features/account/mail-choice.tsx';
import { ProfileForm } from '#web/features/account/profile-form.tsx';
import { accountTexts as texts } from '#web/features/account/texts.ts';
import { safePath } from '#web/shell/safe-path.ts';
import { useMay } from '#web/roles/use-role.ts';
import { lazyComponent } from '#web/ui/load-code.ts';
import { notifyDone } from '#web/ui/notify.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Loaded } from '#web/ui/states.tsx';
import tabClasses from '#web/ui/tabs.module.css';
import { useSearchWords } from '#web/ui/use-search-words.ts';

type Account = CallReply<typeof readAccount>;

const views = ['details', 'members', 'mails', 'data', 'activity'] as const;

const MembersPanel = lazyComponent(async () => (await import('#web/features/members/members-panel.tsx')).MembersPanel);

const ActivityPanel = lazyComponent(
  async () => (await import('#web/features/members/log/activity-panel.tsx')).ActivityPanel,
);

/** The customer's account; the URL selects the part. With `return` only the business profile, and where to go on after saving. */
export function AccountPage() {
  const [search] = useSearchWords();
  const navigate = useNavigate();
  // Says what was to be paid (use-payment.ts).
  const { state }: { state: unknown } = useLocation();
  const account = useCall(readAccount, {});
  const returnTo = safePath(search.get('return'), '');
  const isAsked = returnTo !== '';

  function done(): void {
    notifyDone(texts.saved);
    if (isAsked) void navigate(returnTo, { replace: true, state });
  }

  return (
    <>
      <PageHead
        title={isAsked ? texts.views.details : texts.title}
        lead={
          <>
            {texts.signedInAs} <span className="strong">{account.data?.user.email}</span>
          </>
        }
      />
      {isAsked ? (
        <Alert className={classes.notice ?? ''} color="yellow" icon={<Info size={18} />}>
          {texts.beforePaying}
        </Alert>
      ) : null}
      <Loaded of={account} word={texts.loading} failed={texts.failed} shape={<Skeleton height={520} radius="lg" />}>
        {(data) =>
          isAsked ? <Details account={data} returns onDone={done} /> : <Parts account={data} onDone={done} />
        }
      </Loaded>
    </>
  );
}

function Parts({ account, onDone }: { account: Account; onDone: () => void }) {
  const { user, role, customerName, mailsOff, mailsOn } = account;
  const [search, change] = useSearchWords();
  const mayCall = useMay();
  const may = {
    details: mayCall('readTaxClaim'),
    members: true,
    mails: true,
    data: mayCall('readDataExport'),
    activity: mayCall('listMemberActions'),
  };
  const shown = views.filter((view) => may[view]);
  const first = shown[0] ?? 'members';
  const asked = search.get('view');
  return (
    <Tabs
      value={shown.find((view) => view === asked) ?? first}
      onChange={(view) =>
        // Another part has another filter.
        change({ view: view === null || view === first ? '' : view, who: '', what: '', from: '', to: '' })
      }
      keepMounted={false}
      classNames={{ list: tabClasses.list ?? '', tab: tabClasses.tab ?? '' }}
    >
      <Tabs.List aria-label={texts.parts}>
        {shown.map((view) => (
          <Tabs.Tab key={view} value={view}>
            {texts.views[view]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {/* What was typed and not saved stays. */}
      <Tabs.Panel value="details" keepMounted={may.details}>
        <Details account={account} returns={false} onDone={onDone} />
      </Tabs.Panel>
      <Tabs.Panel value="members">
        <Suspense fallback={<Skeleton height={220} radius="lg" />}>
          <MembersPanel customerName={customerName} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="mails">
        <MailChoice role={role} choice={{ mailsOff, mailsOn }} />
      </Tabs.Panel>
      <Tabs.Panel value="data">
        <DataExport customerId={user.id} />
        <ErasureRequest />
      </Tabs.Panel>
      <Tabs.Panel value="activity">
        <Suspense fallback={<Skeleton height={320} radius="lg" />}>
          <ActivityPanel />
        </Suspense>
      </Tabs.Panel>
    </Tabs>
  );
}

/** The business profile that invoices and the checkout need (product §3.2). */
function Details({
  account: { user, profile },
  returns,
  onDone,
}: {
  account: Account;
  returns: boolean;
  onDone: () => void;
}) {
  return (
    <div className={classes.columns}>
      <div>
        <ProfileForm key={user.id} profile={profile} suggestedName={user.name} returns={returns} onDone={onDone} />
        {profile === null || claimOf(profile) === undefined ? null : <TaxClaimPanel />}
      </div>
      <aside className={classes.why}>
        <h2>{texts.whyTitle}</h2>
        <p>{texts.why}</p>
      </aside>
    </div>
  );
}
