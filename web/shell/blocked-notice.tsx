import { Alert } from '@mantine/core';
import { Ban } from 'lucide-react';
import type { readAccount } from '#shared/contract/account.ts';
import type { CallReply } from '#shared/contract/call.ts';
import { portalConfig } from '#web/api/config.ts';
import { blockedTexts as texts } from '#web/shell/blocked-texts.ts';
import classes from '#web/shell/shell.module.css';
import { instantText } from '#web/ui/localized-days.ts';

type Block = NonNullable<CallReply<typeof readAccount>['blocked']>;

/** Says on every page since when and why the account is blocked, and what that means (product §3.7). */
export function BlockedNotice({ since, reason }: Block) {
  const { email } = portalConfig().support;
  return (
    <Alert
      className={classes['blocked'] ?? ''}
      color="red"
      icon={<Ban size={18} />}
      title={texts.title(instantText(since))}
    >
      <p>{texts.reason(reason)}</p>
      <p>{texts.effect}</p>
      <p>
        <a className="link" href={`mailto:${email}`}>
          {texts.support}
        </a>
      </p>
    </Alert>
  );
}
