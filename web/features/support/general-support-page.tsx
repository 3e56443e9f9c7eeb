import { Skeleton } from '@mantine/core';
import { readAccount } from '#shared/contract/account.ts';
import { useCall } from '#web/api/use-call.ts';
import { Contact } from '#web/features/support/contact.tsx';
import { SupportForm } from '#web/features/support/support-form.tsx';
import classes from '#web/features/support/support-page.module.css';
import { supportTexts as texts } from '#web/features/support/texts.ts';
import { ThreadList } from '#web/features/support/thread-list.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Loading } from '#web/ui/states.tsx';

/** All threads of the customer, and a form for a message about anything. */
export function GeneralSupportPage() {
  const account = useCall(readAccount, {});
  return (
    <>
      <PageHead title={texts.title} lead={texts.generalLead} />
      <div className={classes.columns}>
        <section className={classes.card}>
          <h2>{texts.write}</h2>
          <p>{texts.writeGeneral}</p>
          {account.isPending ? (
            <Loading word={texts.formLoading}>
              <Skeleton height={360} radius="lg" />
            </Loading>
          ) : (
            // Also for a customer whose account can't be read.
            <SupportForm activationId={null} draftKey={account.data?.user.id ?? null} />
          )}
        </section>
        <aside className={classes.side}>
          <Contact />
        </aside>
      </div>
      <ThreadList activationId={null} />
    </>
  );
}
