import { Checkbox } from '@mantine/core';
import { useContext } from 'react';
import { readAccount, updateMails } from '#shared/contract/account.ts';
import { type OptionalMail, optionalMails } from '#shared/domain/optional-mail.ts';
import { useAction } from '#web/api/use-call.ts';
import classes from '#web/features/account/account-page.module.css';
import { mailTexts as texts } from '#web/features/account/texts.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { ReadOnly } from '#web/ui/read-only.ts';

/** Which mails the customer gets, by kind; each choice is saved at once. */
export function MailChoice({ off }: { off: readonly OptionalMail[] }) {
  const isReadOnly = useContext(ReadOnly) !== null;
  const saving = useAction(updateMails, {
    changes: [readAccount],
    onDone: () => notifyDone(texts.saved),
    onFailed: (failure) => notifyFailure(texts.failed, failure.message),
  });
  const choose = (kind: OptionalMail, isOn: boolean) => {
    const others = off.filter((each) => each !== kind);
    void saving.run({ body: { mailsOff: isOn ? others : [...others, kind] } });
  };
  return (
    <section>
      <p className="soft">{texts.lead}</p>
      <div className={classes.mails}>
        {optionalMails.map((kind) => (
          <Checkbox
            key={kind}
            label={texts.kinds[kind]}
            checked={!off.includes(kind)}
            disabled={isReadOnly || saving.running}
            onChange={(event) => choose(kind, event.currentTarget.checked)}
          />
        ))}
      </div>
    </section>
  );
}
