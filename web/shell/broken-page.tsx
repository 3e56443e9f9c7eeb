import { ErrorState } from '#web/ui/states.tsx';
import { usePageTitle } from '#web/ui/page-title.ts';
import { shellTexts as texts } from '#web/shell/texts.ts';

/** A page threw, or its code is gone, as after an update of the portal. Loading again helps with the latter. */
export function BrokenPage() {
  usePageTitle(texts.brokenTitle);
  return (
    <ErrorState title={texts.brokenTitle} onRetry={() => window.location.reload()}>
      {texts.broken}
    </ErrorState>
  );
}
