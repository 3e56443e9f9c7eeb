import { Contact } from '#web/features/support/contact.tsx';
import { SupportForm } from '#web/features/support/support-form.tsx';
import classes from '#web/features/support/support-page.module.css';
import { supportTexts as texts } from '#web/features/support/texts.ts';
import { ThreadList } from '#web/features/support/thread-list.tsx';
import { PageHead } from '#web/ui/page-head.tsx';

/** All threads of the customer, and a form for a message about anything. */
export function GeneralSupportPage() {
  return (
    <>
      <PageHead title={texts.title} lead={texts.generalLead} />
      <div className={classes.columns}>
        <section className={classes.card}>
          <h2>{texts.write}</h2>
          <p>{texts.writeGeneral}</p>
          <SupportForm activationId={null} />
        </section>
        <aside className={classes.side}>
          <Contact />
        </aside>
      </div>
      <ThreadList activationId={null} />
    </>
  );
}
