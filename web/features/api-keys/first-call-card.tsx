import { Button } from '@mantine/core';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { Activation } from '#shared/contract/activations.ts';
import classes from '#web/features/api-keys/first-call.module.css';
import { GenerateKeyDialog } from '#web/features/api-keys/generate-key-dialog.tsx';
import { firstCallTexts as texts } from '#web/features/api-keys/texts.ts';
import { useApiKeys } from '#web/features/api-keys/use-api-keys.ts';
import { ActionButton } from '#web/ui/action-button.tsx';

/** The next step after activating, until a key has been used: make a key, copy it, run the command. `children`: below it, once that is known. */
export function FirstCallCard({ activation, children }: { activation: Activation; children: ReactNode }) {
  const { data: keys, isPending } = useApiKeys(activation.id);
  const [generating, setGenerating] = useState(false);
  const hasKey = keys?.some(({ isRevoked }) => !isRevoked) ?? false;
  const isNeeded = keys?.every(({ lastUsedAt }) => lastUsedAt === null) ?? false;
  return (
    <>
      {isNeeded && (
        <section className={classes.card} aria-label={texts.title}>
          <div>
            <h2>{texts.title}</h2>
            <ol>
              <li data-done={hasKey}>{texts.make}</li>
              <li>{texts.copy}</li>
              <li>{texts.run}</li>
            </ol>
          </div>
          {hasKey ? (
            <Button component={Link} to={`/api/${activation.id}?tab=keys`} variant="default">
              {texts.toKeys}
            </Button>
          ) : (
            <ActionButton
              call="createApiKey"
              leftSection={<Plus size={17} aria-hidden />}
              onClick={() => setGenerating(true)}
            >
              {texts.generate}
            </ActionButton>
          )}
        </section>
      )}
      {isPending ? null : children}
      {/* Beside the card, which goes when the first call comes: the dialog stays. */}
      <GenerateKeyDialog opened={generating} activation={activation} onClose={() => setGenerating(false)} />
    </>
  );
}
