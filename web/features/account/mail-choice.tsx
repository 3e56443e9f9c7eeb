import { Checkbox } from '@mantine/core';
import { useContext } from 'react';
import { readAccount, updateMails } from '#shared/contract/account.ts';
import type { MemberRole } from '#shared/contract/member-roles.ts';
import type { MailKind } from '#shared/domain/mail-kind.ts';
import { chosenKinds, getsMail, type MailChoice as Choice, withChoice } from '#shared/policies/members/mails.ts';
import { useAction } from '#web/api/use-call.ts';
import classes from '#web/features/account/account-page.module.css';
import { mailTexts as texts } from '#web/features/account/texts.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { ReadOnly } from '#web/ui/read-only.ts';

/** Which mails the member gets, by kind, of those that its role may have; each choice is saved at once. */
export function MailChoice({ role, choice }: { role: MemberRole; choice: Choice<MailKind> }) {
  const isReadOnly = useContext(ReadOnly) !== null;
  const saving = useAction(updateMails, {
    changes: [readAccount],
    onDone: () => notifyDone(texts.saved),
    onFailed: (failure) => notifyFailure(texts.failed, failure.message),
  });
  const choose = (kind: MailKind, isOn: boolean) => void saving.run({ body: withChoice(role, choice, kind, isOn) });
  return (
    <section>
      <p className="soft">{role === 'owner' ? texts.lead : texts.leads[role]}</p>
      <div className={classes.mails}>
        {chosenKinds(role).map((kind) => (
          <Checkbox
            key={kind}
            label={kind === 'support.answered' && role !== 'owner' ? texts.allReplies : texts.kinds[kind]}
            checked={getsMail(role, kind, choice)}
            disabled={isReadOnly}
            aria-disabled={saving.running}
            onChange={(event) => choose(kind, event.currentTarget.checked)}
          />
        ))}
      </div>
    </section>
  );
}
