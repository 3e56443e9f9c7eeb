import '@mantine/core/styles/Anchor.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import { Anchor, PasswordInput } from '@mantine/core';
import { Link } from 'react-router';
import type { Product } from '#shared/contract/marketplace.ts';
import { isTestKey, isWellFormedApiKey } from '#shared/domain/api-key.ts';
import { useActivationOf } from '#web/features/marketplace/use-activation-of.ts';
import { isTemporary } from '#web/features/reference/call-key.ts';
import { useRememberedKey } from '#web/features/reference/key-memory.ts';
import { tryTexts as texts } from '#web/features/reference/texts.ts';

interface KeyFieldProps {
  product: Product;
  /** The customer tried to send, so a missing key is reported. */
  asked: boolean;
  /** Without a key, a temporary test key is made. */
  canMake: boolean;
}

/** The key for trying calls. */
export function KeyField({ product, asked, canMake }: KeyFieldProps) {
  const [key, remember] = useRememberedKey(product.id);
  const { checking, activation } = useActivationOf(product);
  // Until it is known, what most will have, so that nothing moves.
  const willMake = canMake || checking;
  const [to, action] =
    activation === undefined && !checking
      ? [`/marketplace/${product.id}`, texts.activate]
      : [`/api/${activation?.id ?? ''}?tab=keys`, texts.generate];
  const fault =
    key === ''
      ? asked && !canMake
        ? texts.keyMissing
        : undefined
      : isWellFormedApiKey(key)
        ? undefined
        : texts.keyMalformed;
  return (
    <PasswordInput
      label={texts.key}
      value={key}
      onChange={(event) => remember(event.currentTarget.value)}
      placeholder={willMake ? texts.temporaryKey : texts.keyForm}
      // A browser that stored it would keep it beyond this page.
      autoComplete="off"
      data-1p-ignore
      spellCheck={false}
      error={fault}
      aria-invalid={fault !== undefined}
      visibilityToggleButtonProps={{ 'aria-label': texts.show, tabIndex: 0 }}
      description={
        <>
          {hintOf(key, willMake)}{' '}
          <Anchor component={Link} to={to} inherit underline="always" style={checking ? { visibility: 'hidden' } : {}}>
            {action}
          </Anchor>
        </>
      }
    />
  );
}

function hintOf(key: string, canMake: boolean): string {
  if (key === '' && canMake) return texts.canMakeHint;
  if (isTemporary(key)) return texts.temporaryHint;
  return isTestKey(key) ? texts.testKeyHint : texts.keyHint;
}
