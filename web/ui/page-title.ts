import { useEffect } from 'react';
import { uiTexts } from '#web/ui/texts.ts';

/** Names the browser's tab. */
export function usePageTitle(title: string): void {
  const named = uiTexts.titleOf(title);
  useEffect(() => {
    document.title = named;
  }, [named]);
}
