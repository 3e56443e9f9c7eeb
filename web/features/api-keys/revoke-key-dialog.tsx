import { Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { type ApiKey, listApiKeys, revokeApiKey } from '#shared/contract/api-keys.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { useAction } from '#web/api/use-call.ts';
import classes from '#web/features/api-keys/api-keys-panel.module.css';
import { lastUse } from '#web/features/api-keys/api-keys-table.tsx';
import { revokeTexts as texts } from '#web/features/api-keys/texts.ts';
import { dayOfInstant, dayText, effectText } from '#web/ui/localized-days.ts';
import { Dialog, DialogFacts } from '#web/ui/dialog.tsx';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';
import { RemoveQuestion } from '#web/ui/remove-question.tsx';
import { useToday } from '#web/ui/today.ts';

interface RevokeKeyDialogProps {
  activationId: string;
  /** Null before the first opening. It stays while the dialog closes, so that its words do not change. */
  apiKey: ApiKey | null;
  opened: boolean;
  onClose: () => void;
}

/** Asks before a key is revoked (product §5.4). */
export function RevokeKeyDialog({ apiKey, opened, onClose, ...props }: RevokeKeyDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title}>
      {apiKey !== null && <RevokeKeyForm {...props} apiKey={apiKey} onClose={onClose} />}
    </Dialog>
  );
}

function RevokeKeyForm({
  activationId,
  apiKey,
  onClose,
}: {
  activationId: string;
  apiKey: ApiKey;
  onClose: () => void;
}) {
  const today = useToday();
  const revoking = useAction(revokeApiKey, {
    changes: [listApiKeys],
    onDone: ({ effectiveBy }) => {
      notifyDone(texts.done(apiKey.keyName), effectText(effectiveBy, texts.doneMore));
      onClose();
    },
    onFailed: (failure) => notifyFailure(texts.failed, failure.message),
  });
  const name = (
    <span className={classes.name}>
      <KeyRound size={17} aria-hidden />
      <b className="mono strong">{apiKey.keyName}</b>
    </span>
  );
  const created = <span className="caption dim">{texts.created(dayText(dayOfInstant(apiKey.createdAt)))}</span>;
  return (
    <>
      <RemoveQuestion
        call="revokeApiKey"
        keep={texts.keep}
        onKeep={onClose}
        remove={texts.confirm}
        removing={texts.running}
        running={revoking.running}
        onRemove={() => void revoking.run({ params: { activationId, keyId: apiKey.id } })}
      >
        <Text className="soft">{texts.question}</Text>
        <DialogFacts
          facts={[
            { key: apiKey.id, label: name, value: created },
            { key: 'used', label: texts.lastUsed, value: lastUse(apiKey, today) },
            { key: 'calls', label: texts.callsToday, value: formatNumber(apiKey.callsToday) },
          ]}
        />
        {apiKey.callsToday > 0 && <Text mt={16}>{texts.stillUsed}</Text>}
      </RemoveQuestion>
    </>
  );
}
