import { Button } from '@mantine/core';
import { webhookDialogTexts as texts } from '#web/features/webhooks/texts.ts';
import { DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import { ShownOnce } from '#web/ui/shown-once.tsx';

/** A signing secret, shown once. Nothing holds it longer than the dialog. */
export function NewSecret({ secret, ready, onDone }: { secret: string; ready: string; onDone: () => void }) {
  return (
    <>
      <DialogContent>
        <ShownOnce ready={ready} once={texts.secretOnce} label={texts.secretTitle} secret={secret} />
      </DialogContent>
      <DialogFoot>
        <Button onClick={onDone}>{texts.done}</Button>
      </DialogFoot>
    </>
  );
}
