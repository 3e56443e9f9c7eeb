import { Navigate } from 'react-router';
import { listActivations } from '#shared/contract/activations.ts';
import { useCall } from '#web/api/use-call.ts';
import { activationTexts as texts } from '#web/features/activations/texts.ts';
import { Loaded } from '#web/ui/states.tsx';

/** Redirects to the latest activation, or to the marketplace if there is none (product §2.18). */
export function DashboardPage() {
  const activations = useCall(listActivations, {});
  return (
    <Loaded of={activations} word={texts.loading} shape={null} failed={texts.failed}>
      {({ activations: all }) => {
        const [newest] = all.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
        return <Navigate to={newest === undefined ? '/marketplace' : `/activations/${newest.id}`} replace />;
      }}
    </Loaded>
  );
}
