import { Button, Skeleton, VisuallyHidden } from '@mantine/core';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Activation } from '#shared/contract/activations.ts';
import type { ApiKey } from '#shared/contract/api-keys.ts';
import { maxEndedKeys } from '#shared/domain/api-key.ts';
import classes from '#web/features/api-keys/api-keys-panel.module.css';
import { ApiKeysTable, type KeyAct } from '#web/features/api-keys/api-keys-table.tsx';
import { EditTermsDialog } from '#web/features/api-keys/edit-terms-dialog.tsx';
import { GenerateKeyDialog } from '#web/features/api-keys/generate-key-dialog.tsx';
import { RevokeKeyDialog } from '#web/features/api-keys/revoke-key-dialog.tsx';
import { RotateKeyDialog } from '#web/features/api-keys/rotate-key-dialog.tsx';
import { keyTexts as texts } from '#web/features/api-keys/texts.ts';
import { useApiKeys } from '#web/features/api-keys/use-api-keys.ts';
import { openCycles } from '#web/features/cycles/open-cycles.ts';
import { useMay } from '#web/roles/use-role.ts';
import { EmptyState, Loaded, StateCard } from '#web/ui/states.tsx';
import { useToday } from '#web/ui/today.ts';

/** The keys of an activation: generate one, see when each was used, revoke one for good. */
export function ApiKeysPanel({ activation }: { activation: Activation }) {
  const keys = useApiKeys(activation.id);
  const { payable } = openCycles(activation.billingCycles, useToday());
  const may = useMay();
  const mayMake = may('createApiKey');
  const [generating, setGenerating] = useState(false);
  // The key stays while a dialog closes, so that its words do not change.
  const [acting, setActing] = useState<{ act: KeyAct | null; apiKey: ApiKey | null }>({ act: null, apiKey: null });
  const dialog = (act: KeyAct) => ({
    opened: acting.act === act,
    apiKey: acting.apiKey,
    onClose: () => setActing((shown) => ({ ...shown, act: null })),
  });
  return (
    <>
      <div className={classes.head}>
        <div>
          <VisuallyHidden component="h2">{texts.title}</VisuallyHidden>
          <span className="soft">{texts.lead}</span>
        </div>
        {mayMake ? (
          <Button
            // A payment that waits is the page's first thing to do.
            variant={payable === undefined ? 'filled' : 'default'}
            leftSection={<Plus size={17} aria-hidden />}
            onClick={() => setGenerating(true)}
          >
            {texts.generate}
          </Button>
        ) : null}
      </div>
      <Loaded of={keys} word={texts.loading} failed={texts.loadFailed} shape={<Skeleton h={220} radius="lg" />}>
        {(list) =>
          list.length === 0 ? (
            <StateCard>
              <EmptyState icon={<KeyRound size={20} />} title={texts.empty}>
                {texts.emptyMore}
              </EmptyState>
            </StateCard>
          ) : (
            <>
              <ApiKeysTable
                activationId={activation.id}
                keys={list}
                onAct={(act, apiKey) => setActing({ act, apiKey })}
              />
              {list.filter(({ isRevoked }) => isRevoked).length >= maxEndedKeys && (
                <p className="caption soft">{texts.olderEnded(maxEndedKeys)}</p>
              )}
            </>
          )
        }
      </Loaded>
      <GenerateKeyDialog opened={generating} activation={activation} onClose={() => setGenerating(false)} />
      <RotateKeyDialog {...dialog('replace')} activation={activation} />
      <EditTermsDialog {...dialog('limit')} activationId={activation.id} />
      <RevokeKeyDialog {...dialog('revoke')} activationId={activation.id} />
    </>
  );
}
