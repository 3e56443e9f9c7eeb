import { Button } from '@mantine/core';
import { CircleCheck } from 'lucide-react';
import { webhookDialogTexts as texts } from '#web/features/webhooks/texts.ts';
import classes from '#web/features/webhooks/webhooks.module.css';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { DialogContent, DialogFoot } from '#web/ui/dialog.tsx';

/** A signing secret, shown once. Nothing holds it longer than the dialog. */
export function NewSecret({ secret, ready, onDone }: { secret: string; ready: string; onDone: () => void }) {
  return (
    <>
      <DialogContent>
        <output className={classes.ready}>
          <CircleCheck size={18} aria-hidden />
          <span>{ready}</span>
        </output>
        <p className={`${classes.once} soft`}>{texts.secretOnce}</p>
        <div className={classes.secret}>
          <code aria-label={texts.secretTitle}>{secret}</code>
          <CopyButton value={secret} data-autofocus />
        </div>
      </DialogContent>
      <DialogFoot>
        <Button onClick={onDone}>{texts.done}</Button>
      </DialogFoot>
    </>
  );
}
