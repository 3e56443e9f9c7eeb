import '@mantine/core/styles/Anchor.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import { Anchor, PasswordInput } from '@mantine/core';
import { Link } from 'react-router';
import type { Product } from '#shared/contract/marketplace.ts';
import { isWellFormedApiKey } from '#shared/domain/api-key.ts';
import { useActivationOf } from '#web/features/marketplace/use-activation-of.ts';
import { useRememberedKey } from '#web/features/reference/key-memory.ts';
import { tryTexts as texts } from '#web/features/reference/texts.ts';

/** The key for trying calls. `asked`: the customer tried to send, so a missing key is reported. */
export function KeyField({ product, asked }: { product: Product; asked: boolean }) {
  const [key, remember] = useRememberedKey(product.id);
  const { checking, activation } = useActivationOf(product);
  const [to, action] =
    activation === undefined
      ? [`/marketplace/${product.id}`, texts.activate]
      : [`/api/${activation.id}?tab=keys`, texts.generate];
  const fault =
    key === '' ? (asked ? texts.keyMissing : undefined) : isWellFormedApiKey(key) ? undefined : texts.keyMalformed;
  return (
    <PasswordInput
      label={texts.key}
      value={key}
      onChange={(event) => remember(event.currentTarget.value)}
      placeholder={texts.keyForm}
      // A browser that stored it would keep it beyond this page.
      autoComplete="off"
      data-1p-ignore
      spellCheck={false}
      error={fault}
      aria-invalid={fault !== undefined}
      visibilityToggleButtonProps={{ 'aria-label': texts.show, tabIndex: 0 }}
      description={
        <>
          {key.startsWith('gstk_test_') ? texts.testKeyHint : texts.keyHint}{' '}
          {checking ? null : (
            <Anchor component={Link} to={to} inherit underline="always">
              {action}
            </Anchor>
          )}
        </>
      }
    />
  );
}
