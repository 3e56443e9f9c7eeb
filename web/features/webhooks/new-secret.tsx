import { webhookDialogTexts as texts } from '#web/features/webhooks/texts.ts';
import { ShownOnce } from '#web/ui/shown-once.tsx';

/** A signing secret, shown once. It exists only in this dialog. */
export function NewSecret({ secret, ready, onDone }: { secret: string; ready: string; onDone: () => void }) {
  return <ShownOnce ready={ready} once={texts.secretOnce} label={texts.secretTitle} secret={secret} onDone={onDone} />;
}
