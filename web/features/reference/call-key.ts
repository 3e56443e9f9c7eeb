import { useContext } from 'react';
import { createTryKey, listApiKeys } from '#shared/contract/api-keys.ts';
import type { Product } from '#shared/contract/marketplace.ts';
import { useAction } from '#web/api/use-call.ts';
import { useActivationOf } from '#web/features/marketplace/use-activation-of.ts';
import { useRememberedKey } from '#web/features/reference/key-memory.ts';
import { tryTexts as texts } from '#web/features/reference/texts.ts';
import { notifyFailure } from '#web/ui/notify.tsx';
import { ReadOnly } from '#web/ui/read-only.ts';
import { useMay } from '#web/roles/use-role.ts';

/** Keys that were made here. They end by themselves, and when another tab makes one. */
const temporaryKeys = new Set<string>();

export const isTemporary = (key: string): boolean => temporaryKeys.has(key);

interface CallKey {
  /** The key in the field. */
  key: string;
  /** Whether a call without a key gets a temporary test key. */
  canMake: boolean;
  /** Makes one and fills it in; null when that failed, which was said. */
  make: () => Promise<string | null>;
}

/** The key that a call is tried with: the customer's own, or a test key that is made for it (product §5.9). */
export function useCallKey(product: Product): CallKey {
  const [key, remember] = useRememberedKey(product.id);
  const { activation } = useActivationOf(product);
  const may = useMay();
  const isReadOnly = useContext(ReadOnly) !== null;
  const making = useAction(createTryKey, {
    changes: [listApiKeys],
    onFailed: (failure) => notifyFailure(texts.keyNotMade, failure.message),
  });
  return {
    key,
    canMake: !isReadOnly && may('createTryKey') && activation?.service.hasSandbox === true,
    make: async () => {
      const made = await making.run({ params: { activationId: activation?.id ?? '' } });
      if (made === null) return null;
      temporaryKeys.add(made.apiKey);
      remember(made.apiKey);
      return made.apiKey;
    },
  };
}
