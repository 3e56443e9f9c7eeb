import { useNavigate } from 'react-router';
import type { CallReply } from '#contract/call.ts';
import { type Product, activateProduct, activateService } from '#contract/marketplace.ts';
import type { CallFailure } from '#web/api/failures.ts';
import { useAction } from '#web/api/use-call.ts';
import { marketplaceTexts as texts } from '#web/features/marketplace/texts.ts';
import { activationChanges } from '#web/features/marketplace/use-activation-of.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';

/** The two ways to activate a product: at once, or with a plan. While one runs, neither can be begun. */
export interface Activate {
  now: () => void;
  withPlan: (planId: string) => void;
  running: 'now' | 'with-plan' | null;
}

/** 'Activate Now' leads on to the marketplace, 'Activate This Service' to /dashboard (product §2.14, §2.18). */
export function useActivate(product: Product): Activate {
  const navigate = useNavigate();
  const after =
    (path: string) =>
    ({ status }: CallReply<typeof activateProduct>) => {
      notifyDone(texts.activated(product.name), status === 'pending' ? texts.activatedPending : undefined);
      void navigate(path);
    };
  const now = useAction(activateProduct, { changes: activationChanges, onDone: after('/marketplace'), onFailed });
  const withPlan = useAction(activateService, { changes: activationChanges, onDone: after('/dashboard'), onFailed });
  return {
    now: () => void now.run({ params: { id: product.id } }),
    withPlan: (planId) => void withPlan.run({ body: { serviceId: product.id, planId } }),
    running: now.running ? 'now' : withPlan.running ? 'with-plan' : null,
  };
}

function onFailed(failure: CallFailure): void {
  notifyFailure(texts.activationFailed(failure.message));
}
