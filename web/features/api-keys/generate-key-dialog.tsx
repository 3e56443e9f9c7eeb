import { useState } from 'react';
import type { Activation } from '#shared/contract/activations.ts';
import type { CallReply } from '#shared/contract/call.ts';
import type { createApiKey } from '#shared/contract/api-keys.ts';
import { GenerateKeyForm } from '#web/features/api-keys/generate-key-form.tsx';
import { NewKey, useSampleRequest } from '#web/features/api-keys/new-key.tsx';
import { generateTexts as texts } from '#web/features/api-keys/texts.ts';
import { Dialog } from '#web/ui/dialog.tsx';

interface GenerateKeyDialogProps {
  activation: Activation;
  opened: boolean;
  onClose: () => void;
}

/** A form, then the key, once (product §5.2). */
export function GenerateKeyDialog({ activation, opened, onClose }: GenerateKeyDialogProps) {
  useSampleRequest(activation.service.id);
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title}>
      <GenerateKeySteps activation={activation} onClose={onClose} />
    </Dialog>
  );
}

/** The key exists only in this dialog: it is gone when the dialog closes. */
function GenerateKeySteps({ activation, onClose }: Omit<GenerateKeyDialogProps, 'opened'>) {
  const [made, setMade] = useState<{ reply: CallReply<typeof createApiKey>; isTest: boolean } | null>(null);
  if (made !== null) return <NewKey activation={activation} made={made.reply} isTest={made.isTest} onClose={onClose} />;
  return (
    <GenerateKeyForm
      activationId={activation.id}
      hasSandbox={activation.service.hasSandbox}
      onCancel={onClose}
      onMade={(reply, isTest) => setMade({ reply, isTest })}
    />
  );
}
