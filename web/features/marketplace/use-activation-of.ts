import { type Activation, listActivatedServices, listActivations } from '#shared/contract/activations.ts';
import type { Call } from '#shared/contract/call.ts';
import type { Product } from '#shared/contract/marketplace.ts';
import { useCall } from '#web/api/use-call.ts';

/** The calls whose replies a new activation makes old. */
export const activationChanges: readonly Call[] = [listActivations, listActivatedServices];

/**
 * The customer's activation of a product, and whether that is still being found out. When it cannot be found out, the
 * server decides on the click.
 */
export function useActivationOf(product: Product): { checking: boolean; activation: Activation | undefined } {
  const activations = useCall(listActivations, {});
  const ids = new Set([product.id, ...product.aliases]);
  return {
    checking: activations.isPending,
    activation: activations.data?.activations.find(({ service }) => ids.has(service.id)),
  };
}
