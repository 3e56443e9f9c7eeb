import { addCatalogue, translateKnown } from '#web/language/language.ts';

addCatalogue(async () => (await import('#web/states/texts.hi.ts')).hindi);

/** The name of a State in the language of the page; documents always have the English one. */
export function stateName({ name }: { name: string }): string {
  return translateKnown(name);
}
