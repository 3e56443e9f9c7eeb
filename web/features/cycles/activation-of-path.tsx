import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { type Activation, listActivations } from '#shared/contract/activations.ts';
import { useCall } from '#web/api/use-call.ts';
import { cycleTexts as texts } from '#web/features/cycles/texts.ts';
import { ActivationNotFound } from '#web/features/cycles/activation-not-found.tsx';
import { Loaded } from '#web/ui/states.tsx';

/** The activation that the address names, once it is there. */
export function ActivationOfPath({
  shape,
  children,
}: {
  shape: ReactNode;
  children: (activation: Activation) => ReactNode;
}) {
  const { activationId } = useParams();
  const activations = useCall(listActivations, {});
  return (
    <Loaded of={activations} word={texts.activationLoading} failed={texts.loadFailed} shape={shape}>
      {({ activations: all }) => {
        const activation = all.find(({ id }) => id === activationId);
        return activation === undefined ? <ActivationNotFound /> : children(activation);
      }}
    </Loaded>
  );
}
