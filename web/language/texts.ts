import { type Catalogue, addCatalogue, onLanguageChange, translate } from '#web/language/language.ts';

/**
 * The texts of a feature, read where they are shown: `texts.title` is the title in the language of the page. `words` gets `t`,
 * which takes an English text as ICU message with its values; `hindi` loads the file that has the same texts in Hindi.
 *
 * A property must be read while rendering or when something happens, never once while a module loads.
 */
export function texts<Words extends object>(
  words: (t: typeof translate) => Words,
  hindi: () => Promise<Catalogue>,
): Words {
  addCatalogue(hindi);
  let current: Words | undefined;
  onLanguageChange(() => (current = undefined));
  return new Proxy(words(translate), {
    get: (_english, name) => Reflect.get((current ??= words(translate)), name),
  });
}
