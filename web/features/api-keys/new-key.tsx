import { useState } from 'react';
import type { Activation } from '#shared/contract/activations.ts';
import type { createApiKey } from '#shared/contract/api-keys.ts';
import type { CallReply } from '#shared/contract/call.ts';
import { listProducts } from '#shared/contract/marketplace.ts';
import { useCall } from '#web/api/use-call.ts';
import { FirstCall } from '#web/features/api-keys/first-call.tsx';
import classes from '#web/features/api-keys/generate-key-dialog.module.css';
import { type OldKey, OldKeyTraffic } from '#web/features/api-keys/old-key-traffic.tsx';
import { sampleCommand } from '#web/features/api-keys/sample-command.ts';
import { generateTexts as texts } from '#web/features/api-keys/texts.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ShownOnce } from '#web/ui/shown-once.tsx';

interface NewKeyProps {
  activation: Activation;
  made: Pick<CallReply<typeof createApiKey>, 'id' | 'apiKey' | 'keyName'>;
  isTest: boolean;
  /** The key that it replaces. */
  oldKey?: OldKey;
  onClose: () => void;
}

/** The request that the sample command makes. Its dialog reads it when the page opens, long before a key is there. */
export function useSampleRequest(serviceId: string) {
  return useCall(listProducts, {}).data?.find(({ id }) => id === serviceId)?.sample.request;
}

/** The key, shown once, and a command that uses it. */
export function NewKey({ activation, made, isTest, oldKey, onClose }: NewKeyProps) {
  const request = useSampleRequest(activation.service.id);
  const { baseUrl } = activation.service;
  // Decided once: a command that came late would push Copy away.
  const [command] = useState(() =>
    request === undefined || baseUrl === null ? undefined : sampleCommand(baseUrl, request, made.apiKey),
  );
  return (
    <ShownOnce
      ready={
        <>
          <span className="mono">{made.keyName}</span> {texts.ready}
        </>
      }
      once={texts.once}
      label={texts.key}
      secret={made.apiKey}
      onDone={onClose}
    >
      {(onCopied) => (
        <>
          {command !== undefined && (
            <>
              <div className={classes.tryTitle}>{texts.tryIt}</div>
              <div className="caption dim">{isTest ? texts.tryTest : texts.tryItMore}</div>
              <pre className={classes.command}>{command}</pre>
              <CopyButton value={command} label={texts.copyCommand} size="xs" onCopied={onCopied} />
              <FirstCall activationId={activation.id} keyId={made.id} />
            </>
          )}
          {oldKey !== undefined && <OldKeyTraffic activationId={activation.id} oldKey={oldKey} />}
        </>
      )}
    </ShownOnce>
  );
}
