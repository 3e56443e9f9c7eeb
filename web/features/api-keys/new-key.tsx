import { Button } from '@mantine/core';
import type { Activation } from '#contract/activations.ts';
import type { createApiKey } from '#contract/api-keys.ts';
import type { CallReply } from '#contract/call.ts';
import { listProducts } from '#contract/marketplace.ts';
import { useCall } from '#web/api/use-call.ts';
import classes from '#web/features/api-keys/generate-key-dialog.module.css';
import { sampleCommand } from '#web/features/api-keys/sample-command.ts';
import { generateTexts as texts } from '#web/features/api-keys/texts.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { DialogContent, DialogFoot } from '#web/ui/dialog.tsx';
import { ShownOnce } from '#web/ui/shown-once.tsx';

interface NewKeyProps {
  activation: Activation;
  made: Pick<CallReply<typeof createApiKey>, 'apiKey' | 'keyName'>;
  isTest: boolean;
  onClose: () => void;
}

/** The key, shown once, and a command that uses it. */
export function NewKey({ activation, made, isTest, onClose }: NewKeyProps) {
  const products = useCall(listProducts, {});
  const sample = products.data?.find((product) => product.id === activation.service.id)?.sample;
  const { baseUrl } = activation.service;
  const command =
    sample === undefined || baseUrl === null ? undefined : sampleCommand(baseUrl, sample.request, made.apiKey);
  return (
    <>
      <DialogContent>
        <ShownOnce
          ready={
            <>
              <span className="mono">{made.keyName}</span> {texts.ready}
            </>
          }
          once={texts.once}
          label={texts.key}
          secret={made.apiKey}
        />
        {command !== undefined && (
          <>
            <div className={classes.tryTitle}>{texts.tryIt}</div>
            <div className="caption dim">{isTest ? texts.tryTest : texts.tryItMore}</div>
            <pre className={classes.command}>{command}</pre>
            <CopyButton value={command} label={texts.copyCommand} size="xs" />
          </>
        )}
      </DialogContent>
      <DialogFoot>
        <Button onClick={onClose}>{texts.done}</Button>
      </DialogFoot>
    </>
  );
}
