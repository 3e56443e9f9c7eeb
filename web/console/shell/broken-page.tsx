import { ErrorState } from '#web/ui/states.tsx';

/** A page threw, or its code is gone, as after an update of the portal. Loading again helps with the latter. */
export function BrokenPage() {
  return (
    <ErrorState title="This page could not be shown" onRetry={() => window.location.reload()}>
      Something went wrong on this page. Reload it to see the current state.
    </ErrorState>
  );
}
