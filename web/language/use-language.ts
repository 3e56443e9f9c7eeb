import { useSyncExternalStore } from 'react';
import { type Language, language, onLanguageChange } from '#web/language/language.ts';

/** The language of the page; a component that calls this is drawn again when it changes. */
export function useLanguage(): Language {
  // A catalogue that comes later changes texts without changing the language.
  useSyncExternalStore(onLanguageChange, changes, changes);
  return language();
}

let count = 0;
onLanguageChange(() => (count += 1));

function changes(): number {
  return count;
}
