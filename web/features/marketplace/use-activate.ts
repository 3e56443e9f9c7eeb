import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { CallReply } from '#shared/contract/call.ts';
import { type Product, activateProduct, activateService } from '#shared/contract/marketplace.ts';
import { type CallFailure, Refused } from '#web/api/failures.ts';
import { callKey, useAction } from '#web/api/use-call.ts';
import { marketplaceTexts as texts } from '#web/features/marketplace/texts.ts';
import { activationChanges } from '#web/features/marketplace/use-activation-of.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';

/** The two ways to activate a product: at once, or with a plan. While one runs, neither can be begun. */
export interface Activate {
  now: () => void;
  withPlan: (planId: string) => void;
  running: 'now' | 'with-plan' | null;
  /** It was activated elsewhere meanwhile; the activation is being read. */
  checking: boolean;
}

/** 'Activate Now' leads on to the marketplace, 'Activate This Service' to /dashboard (product §2.14, §2.18). */
export function useActivate(product: Product): Activate {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [checking, setChecking] = useState(false);
  const after =
    (path: string) =>
    ({ status }: CallReply<typeof activateProduct>) => {
      notifyDone(texts.activated(product.name), status === 'pending' ? texts.activatedPending : undefined);
      void navigate(path);
    };
  const onFailed = (failure: CallFailure) => {
    const isGone = failure instanceof Refused && failure.code === 'not_found';
    notifyFailure(texts.activationFailed(isGone ? texts.serviceNotFound : failure.message));
    if (!(failure instanceof Refused && failure.code === 'already_activated')) return;
    // The banner that says so needs the activation, which was made in another tab.
    setChecking(true);
    const reads = activationChanges.map((each) => queryClient.invalidateQueries({ queryKey: callKey(each) }));
    void Promise.all(reads).finally(() => setChecking(false));
  };
  const now = useAction(activateProduct, { changes: activationChanges, onDone: after('/marketplace'), onFailed });
  const withPlan = useAction(activateService, { changes: activationChanges, onDone: after('/dashboard'), onFailed });
  return {
    now: () => void now.run({ params: { id: product.id } }),
    withPlan: (planId) => void withPlan.run({ body: { serviceId: product.id, planId } }),
    running: now.running ? 'now' : withPlan.running ? 'with-plan' : null,
    checking,
  };
}
