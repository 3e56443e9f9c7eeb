import { Alert, Skeleton } from '@mantine/core';
import { Info } from 'lucide-react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { readAccount } from '#shared/contract/account.ts';
import { claimOf } from '#shared/domain/tax-claim.ts';
import { useCall } from '#web/api/use-call.ts';
import classes from '#web/features/account/account-page.module.css';
import { TaxClaimPanel } from '#web/features/tax-claims/tax-claim-panel.tsx';
import { DataExport } from '#web/features/account/data-export.tsx';
import { ErasureRequest } from '#web/features/account/erasure-request.tsx';
import { MailChoice } from '#web/features/account/mail-choice.tsx';
import { ProfileForm } from '#web/features/account/profile-form.tsx';
import { ProviderActions } from '#web/features/account/provider-actions.tsx';
import { accountTexts as texts } from '#web/features/account/texts.ts';
import { safePath } from '#web/shell/safe-path.ts';
import { notifyDone } from '#web/ui/notify.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Loaded } from '#web/ui/states.tsx';

/** The business profile that invoices and the checkout need (product §3.2). `return` says where to go on after saving. */
export function AccountPage() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  // Says what was to be paid (use-payment.ts).
  const { state }: { state: unknown } = useLocation();
  const account = useCall(readAccount, {});
  const returnTo = safePath(search.get('return'), '');

  function done(): void {
    notifyDone(texts.saved);
    if (returnTo !== '') void navigate(returnTo, { replace: true, state });
  }

  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      {returnTo === '' ? null : (
        <Alert className={classes.notice ?? ''} color="yellow" icon={<Info size={18} />}>
          {texts.beforePaying}
        </Alert>
      )}
      <div className={classes.columns}>
        <Loaded of={account} word={texts.loading} failed={texts.failed} shape={<Skeleton height={520} radius="lg" />}>
          {({ user, profile, mailsOff, providerActions }) => (
            <div>
              <ProfileForm
                key={user.id}
                profile={profile}
                suggestedName={user.name}
                returns={returnTo !== ''}
                onDone={done}
              />
              {profile === null || claimOf(profile) === undefined ? null : <TaxClaimPanel />}
              {returnTo === '' && <MailChoice off={mailsOff} />}
              {returnTo === '' && <ProviderActions actions={providerActions} />}
              {returnTo === '' && <DataExport customerId={user.id} />}
              {returnTo === '' && <ErasureRequest />}
            </div>
          )}
        </Loaded>
        <aside className={classes.why}>
          <h2>{texts.whyTitle}</h2>
          <p>{texts.why}</p>
          {account.data === undefined ? null : (
            <p>
              {texts.signedInAs} <span className="strong">{account.data.user.email}</span>
            </p>
          )}
        </aside>
      </div>
    </>
  );
}
